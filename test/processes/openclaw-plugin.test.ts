import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clients } from "../../src/agents/install/clients/index.ts";
import { fakePlaces, fakeShipped } from "../fixtures/client-files.ts";

/** The plugin as OpenClaw loads it, with a stand-in for heartwood that records its calls and prints the contents of prepared files. */
const shipped = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../plugins/openclaw", name), "utf8");

/** On a busy machine, the script may take longer than the client waits. */
const patiently = (text: string): string => text.replace("[1600, 900]", "[100_000, 100_000]");

type Handler = (event: object, context: object) => Promise<Readonly<Record<string, string>> | undefined>;

let base = "";
let files: ReadonlyMap<string, string>;
const hooks = new Map<string, Handler>();
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
  const texts = {
    index: shipped("index.js"),
    manifest: shipped("openclaw.plugin.json"),
    description: shipped("package.json"),
  };
  const places = { ...fakePlaces, openclaw: "/work/x" };
  const { wanted } = clients.openclaw({
    scope: "user",
    places,
    shipped: { ...fakeShipped, openclawPlugin: texts },
    script,
  });
  files = new Map(wanted.flatMap((one) => (one.kind === "own" ? [[basename(one.path), one.text] as const] : [])));
  writeFileSync(join(base, "index.mjs"), patiently(files.get("index.js") ?? ""));
  const { default: plugin } = (await import(pathToFileURL(join(base, "index.mjs")).href)) as {
    readonly default: { register(api: object): void };
  };
  hooks.clear();
  plugin.register({ on: (name: string, handler: Handler) => void hooks.set(name, handler) });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const says = (event: string, text: string): void => writeFileSync(join(base, `say-${event}`), text);

function asked(event: string): readonly Readonly<Record<string, unknown>>[] {
  const path = join(base, "asked");
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  const own = lines.filter((line) => line.startsWith(`openclaw ${event} `));
  return own.map((line) => JSON.parse(line.slice(`openclaw ${event} `.length)) as Readonly<Record<string, unknown>>);
}

const main = { sessionId: "s", sessionKey: "agent:main:main", workspaceDir: "/work/x", trigger: "user", runId: "r-1" };
const fire = async (name: string, event: object, context: object = main) => hooks.get(name)?.(event, context);

describe.skipIf(process.platform === "win32")("the plugin for OpenClaw", () => {
  test("injects the hot files with each request, read once per session, and memories relevant to the prompt", async () => {
    says("session-start", "<<<hot>>>\n");
    says("prompt", "<<<recalled>>>\n");
    const wanted = { appendSystemContext: "<<<hot>>>", appendContext: "<<<recalled>>>" };
    expect(await fire("before_prompt_build", { prompt: "Which pump?" })).toEqual(wanted);
    expect(await fire("before_prompt_build", { prompt: "history", currentUserMessage: "And oil?" })).toEqual(wanted);
    expect(asked("session-start")).toMatchObject([{ session_id: "s", cwd: "/work/x", source: "startup", has: "root" }]);
    expect(asked("prompt").map(({ prompt }) => prompt)).toEqual(["Which pump?", "And oil?"]);
    await fire("after_compaction", {});
    expect(await fire("before_prompt_build", { prompt: "Go on" })).toEqual(wanted);
    expect(asked("session-start").map(({ source }) => source)).toEqual(["startup", "compact"]);
  });

  test("injects and captures nothing for groups, channels, other people and jobs", async () => {
    says("session-start", "hot");
    says("prompt", "recalled");
    for (const more of [
      { sessionKey: "agent:main:telegram:group:7" },
      { sessionKey: "agent:main:discord:channel:7" },
      { sessionKey: "agent:main:telegram:direct:8" },
      { sessionKey: "agent:main:subagent:9" },
      { sessionKey: "cron:1" },
      { sessionKey: undefined },
      { trigger: "cron" },
      { trigger: "heartbeat" },
    ]) {
      expect(await fire("before_prompt_build", { prompt: "Which pump?" }, { ...main, ...more })).toBeUndefined();
      await fire("agent_end", {}, { ...main, ...more });
    }
    expect(existsSync(join(base, "asked"))).toBe(false);
    const explicit = { ...main, sessionKey: "agent:main:explicit:mine" };
    expect(await fire("before_prompt_build", { prompt: "Which pump?" }, explicit)).toMatchObject({
      appendContext: "recalled",
    });
  });

  test("adds nothing if heartwood prints nothing, and says once per session if heartwood is gone", async () => {
    expect(await fire("before_prompt_build", { prompt: "Hello" })).toEqual({});
    rmSync(join(base, "heartwood"));
    expect(await fire("before_prompt_build", { prompt: "Hello" })).toEqual({});
    expect(await fire("before_prompt_build", { prompt: "Hello" }, { ...main, sessionId: "t" })).toEqual({
      appendSystemContext: `Tell the user: heartwood cannot run: ${base}/heartwood was not found. Install it again: heartwood install openclaw (or remove its hooks: heartwood uninstall openclaw)`,
    });
    expect(await fire("agent_end", {})).toBeUndefined();
  });

  test("captures the conversation at the end of a turn and of a session, and before a compaction", async () => {
    for (const name of ["agent_end", "before_compaction", "session_end"]) await fire(name, { messages: [] });
    for (const event of ["turn-end", "before-compaction", "session-end"])
      expect(asked(event)).toMatchObject([{ session_id: "s", cwd: "/work/x" }]);
  });

  test("provides the memory's MCP server, run by the script with its folder", () => {
    expect(JSON.parse(files.get("openclaw.plugin.json") ?? "")).toMatchObject({
      id: "heartwood",
      configSchema: { type: "object" },
      mcpServers: { heartwood: { command: join(base, "heartwood"), args: ["mcp", "--dir", "/work/x"] } },
    });
    expect(JSON.parse(files.get("package.json") ?? "")).toMatchObject({ openclaw: { extensions: ["./index.js"] } });
  });
});
