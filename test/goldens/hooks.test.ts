import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, test, vi } from "vitest";
import type { HookCall } from "../../src/agents/hooks/hook-call.ts";
import { runHook } from "../../src/agents/hooks/run-hook.ts";
import { hookClients, printAnswer } from "../../src/agents/hooks/clients.ts";
import { readInput } from "../../src/surfaces/hook/input.ts";
import { shapes } from "../hooks/shapes.ts";
import { dataLines, expectSplit, wordingLines } from "./golden.ts";
import { compact, openScene, type Scene } from "./scene.ts";

/** What each client gets for each of its events, and the work that is started in the background. */
interface Fired {
  readonly out: string;
  readonly started: readonly string[];
}

const caches: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const cache of caches.splice(0)) rmSync(cache, { recursive: true, force: true });
});

async function fire(scene: Scene, name: string, event: string, input: object): Promise<Fired> {
  const client = hookClients.find((one) => one.name === name);
  const named = client?.events.find((one) => one.name === event);
  if (client === undefined || named === undefined) throw new Error(`${name} has no ${event}`);
  const { session, agent, agentKind, source, prompt, promptId, transcript, root } = readInput(JSON.stringify(input));
  const call: HookCall = {
    client: name,
    event: named.is,
    session,
    agent,
    agentKind,
    source,
    prompt,
    promptId,
    transcript,
    root,
    space: client.space,
    profile: client.profile,
    start: client.start,
    captured: client.captured,
  };
  const started: string[] = [];
  const host = {
    memory: scene.memory,
    background: {
      start: async (words: readonly string[]) => (started.push(scene.masked(words.join(" "))), "started" as const),
    },
  };
  // Each is the first of its session.
  const cache = mkdtempSync(join(tmpdir(), "heartwood-cache-"));
  caches.push(cache);
  vi.stubEnv("XDG_CACHE_HOME", cache);
  const answer = await runHook(host, call, new AbortController().signal);
  return { out: scene.masked(printAnswer(client, named, answer)), started };
}

const fallback = (dir: string): object => ({
  session_id: "0b0ad7f4-3c55-4b3c-9f0e-6f1f5c8f7a11",
  cwd: dir,
  prompt: "Which limiter did we take for payments?",
});

test("what each client is given", async () => {
  const scene = openScene();
  await compact(scene);
  await scene.run(["index", "--quiet"]);
  const sources = scene
    .list()
    .filter((path) => path.endsWith(".md"))
    .map((path) => scene.read(path) ?? "")
    .join("\n");
  const [structure, prose]: [string[], string[]] = [[], []];
  const record = (head: string, { out, started }: Fired): void => {
    structure.push(`\n## ${head}\n${masked(out, sources)}`, ...started.map((words) => `starts: ${words}\n`));
    if (out !== "") prose.push(`\n## ${head}\n${wordingLines(readable(out), sources)}\n`);
  };
  for (const { name, events } of hookClients)
    for (const event of events) {
      const shape = shapes.find((one) => one.client === name && one.name === event.name);
      const input = (shape?.input ?? fallback)(scene.memory.dir);
      record(`${name} ${event.name}`, await fire(scene, name, event.name, input));
    }
  const root = { ...fallback(scene.memory.dir), has: "root" };
  record("claude-code SessionStart, the client has ROOT.md", await fire(scene, "claude-code", "SessionStart", root));
  const compacted = { ...fallback(scene.memory.dir), source: "compact" };
  record("claude-code SessionStart after a compaction", await fire(scene, "claude-code", "SessionStart", compacted));
  scene.write("heartwood.config.json", "{ broken\n");
  const input = fallback(scene.memory.dir);
  for (const [client, event] of [
    ["claude-code", "SessionStart"],
    ["copilot", "sessionStart"],
    ["opencode", "session.created"],
  ] as const)
    record(`${client} ${event}, the configuration is broken`, await fire(scene, client, event, input));
  await expectSplit("hooks", { structure: structure.join(""), prose: prose.join("") });
});

/** The text of an answer, whatever it is wrapped in. */
function readable(out: string): string {
  return out.startsWith("{") ? textsIn(JSON.parse(out)).join("\n\n") : out;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The answer with the lines that come from the memory, and without the words around them. */
function masked(out: string, sources: string): string {
  if (!out.startsWith("{")) return dataLines(out, sources);
  // One line of the text a line.
  const short = (_key: string, value: unknown): unknown =>
    typeof value === "string" && value.includes("\n") ? { lines: dataLines(value, sources).split("\n") } : value;
  return `${JSON.stringify(JSON.parse(out), short, 1)}\n`;
}
