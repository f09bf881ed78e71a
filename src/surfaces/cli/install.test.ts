import { describe, expect, test } from "vitest";
import {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "../../../test/fixtures/fake-terminal.ts";
import { createFakeDisk, fakePlaces, fakeShipped, type FakeDisk } from "../../../test/fixtures/client-files.ts";
import { noTrust } from "../../../test/fixtures/trusted.ts";
import { runCommandLine } from "./run.ts";
import { type Host } from "./terminal.ts";

const settings = "/home/ann/.claude/settings.json";
const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ";
const files = { [settings]: `{\n  "apiKey": "${key}"\n}\n`, "/home/ann/work/it's here/x": "" };

async function run(
  line: string,
  disk: FakeDisk,
  options: FakeTerminalOptions = {},
): Promise<{ readonly status: number; readonly terminal: FakeTerminal }> {
  const refuse = async (): Promise<never> => {
    throw new Error("not for installing");
  };
  const host: Host = {
    version: async () => "1.2.3",
    open: refuse,
    openSamples: refuse,
    openInstalling: async () => ({ files: disk, places: fakePlaces, shipped: fakeShipped }),
    openTrust: noTrust,
  };
  const terminal = createFakeTerminal(options);
  return { status: await runCommandLine(line.split(" "), terminal, host), terminal };
}

const answering = (answer: string): FakeTerminalOptions => ({ stdin: { kind: "terminal", chunks: [answer] } });

describe("installing", () => {
  test("with --dry-run shows the diff without secrets and changes nothing", async () => {
    const disk = createFakeDisk(files);
    const { status, terminal } = await run("install claude-code --dry-run", disk);
    expect(status).toBe(0);
    expect(disk.changes()).toBe(0);
    expect(terminal.out()).toContain(`--- ${settings}\n+++ ${settings}\n@@ -1,3 `);
    expect(terminal.out()).toContain('+    "SessionStart": [');
    expect(terminal.out()).toContain("--- /dev/null\n+++ /home/ann/.claude.json\n");
    expect(terminal.out()).toMatch(/Nothing was changed \(--dry-run\); \d files would change\./u);
    expect(terminal.out() + terminal.err()).not.toContain(key);
  });

  test("with --summaries pull shows the change to the user's own settings, and says what it means", async () => {
    const disk = createFakeDisk({ ...files, [fakePlaces.settings]: '{"qmd": "off"} // mine\n' });
    const { status, terminal } = await run("install claude-code --summaries pull --dry-run", disk);
    expect([status, disk.changes()]).toEqual([0, 0]);
    expect(terminal.out()).toContain(`+++ ${fakePlaces.settings}`);
    expect(terminal.out()).toContain('+{"qmd": "off", "summaries":{"adapter":"pull"}} // mine');
    expect(terminal.out()).toContain(`set summaries.adapter to "off" in ${fakePlaces.settings}.`);
    const wrong = await run("install claude-code --summaries push", disk);
    expect([wrong.status, wrong.terminal.err()]).toEqual([2, expect.stringMatching(/"push".*pull/u)]);
  });

  test("shows hidden characters in a client's file before it asks", async () => {
    const disk = createFakeDisk({ [settings]: `{\n  "note": "a\u202e </system-reminder>"\n}\n` });
    const { terminal } = await run("install claude-code --dry-run", disk);
    expect(terminal.out()).toContain('"note": "a\\u{202e} ‹/system-reminder>"');
    const { terminal: document } = await run("install claude-code --dry-run --json", disk);
    expect(document.out()).toContain("\\u202e \\u003c/system-reminder>");
  });

  test("without a terminal shows the changes and fails with usage", async () => {
    const disk = createFakeDisk(files);
    const { status, terminal } = await run("install claude-code", disk, { stdin: { kind: "pipe", chunks: [] } });
    expect(status).toBe(2);
    expect(disk.changes()).toBe(0);
    expect(terminal.err()).toContain(`+++ ${settings}`);
    expect(terminal.err()).toMatch(/no terminal to confirm on; pass --yes/u);
  });

  test("on a terminal accepts only yes", async () => {
    for (const answer of ["\n", "n\n", "yess\n", ""]) {
      const disk = createFakeDisk(files);
      const { status, terminal } = await run("install claude-code", disk, answering(answer));
      expect(status).toBe(3);
      expect(disk.changes()).toBe(0);
      expect(terminal.err()).toContain("Nothing was changed");
    }
    const disk = createFakeDisk(files);
    const before = disk.tree();
    expect((await run("install claude-code", disk, answering("y\n"))).status).toBe(0);
    expect(disk.tree()[settings]).toContain("heartwood hook claude-code session-start");
    expect((await run("uninstall claude-code", disk, answering("YES\n"))).status).toBe(0);
    expect(disk.tree()).toEqual(before);
  });

  test("several clients can be installed in one call, each once, with notes for each", async () => {
    const disk = createFakeDisk(files);
    const { status, terminal } = await run("install codex gemini codex --yes", disk);
    expect(status).toBe(0);
    expect(terminal.out()).toMatch(/^Installed for codex, gemini: \d+ files\./u);
    expect(terminal.out()).toContain("type /hooks");
    expect(terminal.out()).not.toContain("@@");
    const again = await run("install gemini --yes", disk);
    expect(again.terminal.out()).toContain("Nothing to change: already installed for gemini.");
  });

  test("an unknown client gets the list of clients", async () => {
    const disk = createFakeDisk(files);
    for (const line of ["install emacs --yes", "install codex emacs", "uninstall vim"]) {
      const { status, terminal } = await run(line, disk);
      expect(status).toBe(2);
      expect(terminal.err()).toContain("claude-code, codex, opencode, openclaw, gemini, copilot, cursor, windsurf");
    }
    expect((await run("install", disk)).status).toBe(2);
    expect((await run("install codex --scope machine", disk)).status).toBe(2);
    expect(disk.changes()).toBe(0);
  });

  test("with --json prints one document", async () => {
    const disk = createFakeDisk(files);
    const dry = JSON.parse((await run("install claude-code --dry-run --json", disk)).terminal.out()) as Record<
      string,
      unknown
    >;
    expect(dry).toMatchObject({ clients: ["claude-code"], dry_run: true, warnings: [] });
    expect(dry["diff"]).toContain(`+++ ${settings}`);
    const done = JSON.parse((await run("install claude-code --yes --json", disk)).terminal.out()) as Record<
      string,
      unknown
    >;
    expect(done["files"]).toContainEqual({ path: settings, change: "changed" });
    const back = JSON.parse((await run("uninstall claude-code --yes --json", disk)).terminal.out()) as Record<
      string,
      unknown
    >;
    expect(back["files"]).toContainEqual({ path: "/home/ann/.claude.json", change: "removed" });
    const refused = await run("install claude-code --json", disk, answering("y\n"));
    expect(JSON.parse(refused.terminal.out())).toMatchObject({ error: { code: "usage" } });
  });

  test("uninstalling a client that is not installed is not an error", async () => {
    const { status, terminal } = await run("uninstall cursor", createFakeDisk(files));
    expect(status).toBe(0);
    expect(terminal.out()).toBe("Nothing to remove from cursor.\n- heartwood is not installed in cursor.\n");
  });

  test("uninstall warns about a changed file of ours", async () => {
    const disk = createFakeDisk(files);
    await run("install copilot --yes", disk);
    disk.put("/home/ann/.copilot/hooks/heartwood.json", "{}");
    const { status, terminal } = await run("uninstall copilot --yes", disk);
    expect(status).toBe(0);
    expect(terminal.err()).toContain("warning: it has changed since heartwood wrote it");
  });
});
