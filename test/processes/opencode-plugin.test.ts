import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { calling } from "../../src/agents/install/clients/index.ts";

/** The plugin as OpenCode loads it, with a stand-in for heartwood that records its calls and prints the contents of prepared files. */
const shipped = readFileSync(join(import.meta.dirname, "../../plugins/opencode/heartwood.js"), "utf8");

interface Part {
  readonly type: string;
  readonly id: string;
  readonly text: string;
  readonly synthetic?: boolean;
}

interface Hooks {
  event(given: { readonly event: object }): Promise<void>;
  "chat.message"(input: object, output: { readonly message: object; readonly parts: Part[] }): Promise<void>;
  "experimental.chat.system.transform"(input: object, output: { readonly system: string[] }): Promise<void>;
  "experimental.session.compacting"(input: object, output: { readonly context: string[] }): Promise<void>;
}

let base = "";
let hooks: Hooks;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "heartwood it's "));
  const script = join(base, "heartwood");
  const lines = [
    "#!/bin/sh",
    'cd "$(dirname "$0")" || exit 1',
    'input=$(cat); printf \'%s %s %s\\n\' "$2" "$3" "$input" >> asked',
    'cat "say-$3" 2>/dev/null',
    "exit 0",
    "",
  ];
  writeFileSync(script, lines.join("\n"));
  chmodSync(script, 0o755);
  writeFileSync(join(base, "plugin.mjs"), calling(shipped, script).replace("[1600, 900]", "[100_000, 100_000]"));
  const { Heartwood } = (await import(pathToFileURL(join(base, "plugin.mjs")).href)) as {
    readonly Heartwood: (given: object) => Promise<Hooks>;
  };
  hooks = await Heartwood({ directory: "/work/x" });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const says = (event: string, text: string): void => writeFileSync(join(base, `say-${event}`), text);

function asked(event: string): readonly Readonly<Record<string, unknown>>[] {
  const path = join(base, "asked");
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  const own = lines.filter((line) => line.startsWith(`opencode ${event} `));
  return own.map((line) => JSON.parse(line.slice(`opencode ${event} `.length)) as Readonly<Record<string, unknown>>);
}

async function prompt(session: string, text: string): Promise<readonly Part[]> {
  const parts: Part[] = [{ type: "text", id: "prt_1", text }];
  await hooks["chat.message"]({ sessionID: session }, { message: { id: "msg_1" }, parts });
  return parts.slice(1);
}

async function system(sessionID: string | undefined): Promise<readonly string[]> {
  const parts = ["You are."];
  await hooks["experimental.chat.system.transform"]({ sessionID, model: {} }, { system: parts });
  return parts;
}

const event = (type: string, properties: object): Promise<void> => hooks.event({ event: { type, properties } });

describe.skipIf(process.platform === "win32")("the plugin for OpenCode", () => {
  test("injects ROOT.md and the hot files with the first prompt of a session, and in the system prompt after a compaction", async () => {
    says("session-start", "<<<hot>>>\n");
    says("prompt", "<<<recalled>>>\n");
    await event("session.created", { info: { id: "s" } });
    const [part, ...more] = await prompt("s", "Which pump?");
    expect(more).toEqual([]);
    expect(part).toEqual({ type: "text", id: "prt_1h", text: "<<<hot>>>\n\n<<<recalled>>>\n", synthetic: true });
    expect(asked("session-start")).toMatchObject([{ session_id: "s", cwd: "/work/x", source: "startup" }]);
    expect(asked("session-start")[0]).not.toHaveProperty("has");
    expect(asked("prompt")).toMatchObject([{ prompt: "Which pump?", prompt_id: "msg_1" }]);
    expect((await prompt("s", "And oil?"))[0]?.text).toBe("<<<recalled>>>\n");
    await event("session.compacted", { sessionID: "s" });
    for (let request = 0; request < 2; request += 1) expect(await system("s")).toEqual(["You are.", "<<<hot>>>\n"]);
    expect((await prompt("s", "Go on"))[0]?.text).toBe("<<<recalled>>>\n");
    expect(asked("session-start").map(({ source }) => source)).toEqual(["startup", "compact"]);
    expect(await system(undefined)).toEqual(["You are."]);
  });

  test("asks once for the text after a compaction of a session that began before this process", async () => {
    says("session-start", "<<<hot>>>\n");
    for (let request = 0; request < 2; request += 1) expect(await system("old")).toEqual(["You are.", "<<<hot>>>\n"]);
    await event("session.created", { info: { id: "s" } });
    expect(await system("s")).toEqual(["You are."]);
    expect(asked("session-start")).toMatchObject([{ session_id: "old", source: "again" }]);
    rmSync(join(base, "heartwood"));
    expect(await system("older")).toEqual(["You are."]);
  });

  test("treats an unknown session as one that continues, and injects nothing at the start of a subagent's session", async () => {
    says("session-start", "hot");
    expect((await prompt("old", "Hello"))[0]?.text).toBe("hot");
    expect(asked("session-start")).toMatchObject([{ source: "resume" }]);
    await event("session.created", { info: { id: "child", parentID: "old" } });
    expect(await prompt("child", "Do this")).toEqual([]);
    expect(await system("child")).toEqual(["You are."]);
    expect(asked("session-start").length).toBe(1);
    const [old, child] = asked("prompt");
    expect(old).not.toHaveProperty("agent_id");
    expect(child).toMatchObject({ session_id: "old", agent_id: "child", prompt: "Do this" });
  });

  test("adds nothing if heartwood prints nothing, and never to messages not written by a person", async () => {
    expect(await prompt("s", "Hello")).toEqual([]);
    says("prompt", "recalled");
    const parts: Part[] = [{ type: "text", id: "p", text: "continue", synthetic: true }];
    await hooks["chat.message"]({ sessionID: "s" }, { message: {}, parts });
    expect(parts.length).toBe(1);
    rmSync(join(base, "heartwood"));
    expect(await prompt("s", "Hello")).toEqual([]);
  });

  test("says once, at the start of a session, that heartwood is gone", async () => {
    rmSync(join(base, "heartwood"));
    await event("session.created", { info: { id: "s" } });
    expect((await prompt("s", "Hello")).map(({ text }) => text)).toEqual([
      `Tell the user: heartwood cannot run: ${base}/heartwood was not found. Install it again: heartwood install opencode (or remove its hooks: heartwood uninstall opencode)`,
    ]);
    expect(await prompt("s", "Hello")).toEqual([]);
  });

  test("captures the conversation at the end of a turn and of a session, and tells a compaction what to keep", async () => {
    says("before-compaction", "keep names\n");
    const context: string[] = [];
    await hooks["experimental.session.compacting"]({ sessionID: "s" }, { context });
    await event("session.idle", { sessionID: "s" });
    await event("session.deleted", { info: { id: "s" } });
    expect(context).toEqual(["keep names\n"]);
    expect([asked("turn-end").length, asked("session-end").length]).toEqual([1, 1]);
  });

  test("captures nothing of a subagent's session, which is part of another", async () => {
    says("before-compaction", "keep names\n");
    await event("session.created", { info: { id: "child", parentID: "s" } });
    await event("session.updated", { info: { id: "continued", parentID: "s" } });
    for (const sessionID of ["child", "continued"]) {
      const context: string[] = [];
      await hooks["experimental.session.compacting"]({ sessionID }, { context });
      await event("session.idle", { sessionID });
      await event("session.deleted", { info: { id: sessionID, parentID: "s" } });
      expect(context).toEqual([]);
    }
    expect(existsSync(join(base, "asked"))).toBe(false);
  });
});
