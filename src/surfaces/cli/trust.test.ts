import { describe, expect, test } from "vitest";
import {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "../../../test/fixtures/fake-terminal.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { noTrust } from "../../../test/fixtures/trusted.ts";
import type { Memory } from "../../operations/operation.ts";
import { runCommandLine } from "./run.ts";
import { type Host } from "./terminal.ts";
import type { HostTrust } from "./terminal.ts";

/** An in-memory record of trusted folders. */
function record(trusted: readonly string[] = []): HostTrust & { readonly folders: Set<string> } {
  const folders = new Set(trusted);
  const offered = new Set<string>();
  return {
    folders,
    list: () => [...folders].map((path) => ({ path, state: "trusted" })),
    folderOf: (named) => named ?? "/p",
    isTrusted: (dir) => folders.has(dir),
    add: (dir) => (folders.has(dir) ? "known" : (folders.add(dir), "added")),
    remove: (dir) => (folders.delete(dir) ? "removed" : "unknown"),
    removeInstalled: () => {},
    refuseOtherOwner: () => {},
    unusedState: () => "",
    wasOffered: (dir) => offered.has(dir),
    markOffered: (dir) => void offered.add(dir),
  };
}

async function run(
  line: string,
  trust: HostTrust,
  options: FakeTerminalOptions = {},
): Promise<{ readonly status: number; readonly terminal: FakeTerminal }> {
  const refuse = async (): Promise<never> => {
    throw new Error("not for trust");
  };
  const { memory } = openTestMemory({ files: { "heartwood.config.json": "{}" } });
  const opened: Memory = {
    ...memory,
    trust: {
      id: "test-trust",
      state: () => (trust.isTrusted(memory.dir) ? "trusted" : "untrusted"),
      grant: async () => void trust.add(memory.dir, "trust"),
    },
  };
  const host: Host = {
    version: async () => "1.2.3",
    open: async () => opened,
    openSamples: refuse,
    openInstalling: refuse,
    openTrust: async () => trust,
  };
  const terminal = createFakeTerminal(options);
  return { status: await runCommandLine(line.split(" "), terminal, host), terminal };
}

describe("heartwood trust", () => {
  test("adds, recognizes, lists and removes a folder", async () => {
    const trust = record();
    expect((await run("trust", trust)).terminal.out()).toMatch(/^Trusted \/p: /u);
    expect((await run("trust /p", trust)).terminal.out()).toBe("/p is already trusted.\n");
    expect((await run("trust --list", trust)).terminal.out()).toBe("/p\n");
    expect(JSON.parse((await run("trust --list --json", trust)).terminal.out())).toEqual({
      folders: [{ path: "/p", state: "trusted" }],
    });
    expect((await run("trust --remove -C /p", trust)).terminal.out()).toMatch(/^\/p is no longer trusted/u);
    expect(JSON.parse((await run("trust --remove --json", trust)).terminal.out())).toEqual({
      folder: "/p",
      outcome: "unknown",
    });
    expect((await run("trust --list", trust)).terminal.out()).toBe("No folder is trusted.\n");
  });

  test.each(["trust /p -C /q", "trust --list /p", "trust --list --remove"])("refuses %s", async (line) => {
    expect((await run(line, record())).status).toBe(2);
  });
});

describe("a command typed at a terminal in an untrusted memory", () => {
  const answering = (answer: string): FakeTerminalOptions => ({
    look: { kind: "terminal" },
    stdin: { kind: "terminal", chunks: [answer] },
  });

  test("asks once and accepts only yes", async () => {
    const trust = record();
    const first = await run("status", trust, answering("\n"));
    expect(first.terminal.err()).toMatch(/do nothing in .* until you trust it[^]*Trust it\? \[y\/N\] Not trusted/u);
    expect(first.status).toBe(0);
    expect((await run("status", trust, answering("y\n"))).terminal.err()).not.toContain("Trust it?");
    expect([...trust.folders]).toEqual([]);
    const other = record();
    await run("status", other, answering("y\n"));
    expect(other.folders.size).toBe(1);
  });

  test.each(["status --json", "status --quiet", "log add --topic A"])("%s does not ask", async (line) => {
    const { terminal } = await run(line, record(), answering("- a body\n"));
    expect(terminal.err()).not.toContain("Trust it?");
  });

  test("does not ask without a terminal, and the command works", async () => {
    const { status, terminal } = await run("status", record(), { stdin: { kind: "pipe", chunks: [] } });
    expect(status).toBe(0);
    expect(terminal.err()).not.toContain("Trust it?");
    expect(terminal.out()).toContain("heartwood trust");
  });

  test("does not ask in a trusted memory", async () => {
    const trust = { ...(await noTrust()), isTrusted: () => true };
    expect((await run("status", trust, answering("n\n"))).terminal.err()).not.toContain("Trust it?");
  });
});
