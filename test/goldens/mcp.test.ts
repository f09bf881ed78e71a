import { PassThrough } from "node:stream";
import { Client, type Transport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { describe, expect, test } from "vitest";
import { createServer } from "../../src/operations/mcp/server.ts";
import { toolsOf } from "../../src/operations/tools/tools.ts";
import { createTurns } from "../../src/operations/mcp/turns.ts";
import { eras } from "../mcp/served.ts";
import { dataLines, expectSplit, isWording, pretty, splitValue, wordingLines, type Split } from "./golden.ts";
import { compact, openScene, type Scene } from "./scene.ts";

/** What the server writes, frame by frame: the handshake, its lists, a call of every tool, and calls that are refused. */
const by = { actor_id: "user", origin: "golden" };
const calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ["memory_status", {}],
  ["memory_recall", { text: "Which limiter did we take for payments?", budget: 800 }],
  ["memory_search", { query: '"token bucket"', limit: 3 }],
  ["memory_read", { place: "ROOT" }],
  ["memory_read", { place: "memory/2026-03-05.md:1-8" }],
  ["memory_log", { topic: "Releases", body: "- decision: ship on Fridays", id: "01KJXRTDYRW5MYX3V4AKRQGKP2" }],
  ["memory_trace", { text: "ROOT:12" }],
  ["memory_correct", { place: "ROOT:12", body: "- the limit is per customer" }],
  ["memory_forget", { what: "token bucket" }],
  ["memory_compact", {}],
  ["memory_compact", { dry_run: false }],
  ["audit_history", {}],
  ["audit_undo", {}],
  ["memory_summaries", { action: "pending", kind: "root" }],
  ["memory_summaries", { action: "submit", job: "root-ROOT-00000000", answer: "- x" }],
  ["summaries_ledger", {}],
  ["summaries_drop", { job: "root-ROOT-00000000" }],
  ["thread_create", { title: "Release 4", thread_id: "release-4" }],
  ["thread_append", { thread_id: "release-4", ...by, content: "Ship on Friday" }],
  ["thread_append", { thread_id: "release-4", ...by, batch: true, content: '{"content":"a"}\n{"content":"b"}' }],
  ["thread_list", {}],
  ["thread_get", { thread_id: "release-4" }],
  ["thread_events", { thread_id: "release-4", from_seq: 2 }],
  ["thread_export", { thread_id: "release-4" }],
  ["thread_branch", { thread_id: "release-4", ...by }],
  ["thread_handoff", { thread_id: "release-4", ...by, summary_file: "- ship on Friday" }],
  ["thread_cut_points", { thread_id: "release-4", stride_messages: 2, limit: 5 }],
  ["thread_compact", { thread_id: "release-4", stride_messages: 2, ...by }],
  ["thread_schedule", { thread_id: "release-4", stride_messages: 1, execute: false, ...by }],
  ["thread_run_pending", {}],
  ["thread_checkpoint", { thread_id: "release-4", to_seq: 1, summary_file: "- first", ...by }],
  ["thread_status", { thread_id: "release-4", stride_messages: 2 }],
  ["thread_compile", { thread_id: "release-4", render: "openai" }],
  ["thread_compile", { thread_id: "release-4" }],
  ["thread_verify", {}],
  ["tree_compact", {}],
  ["tree_compact", { dry_run: false }],
  ["tree_list", {}],
  ["log_promote", { place: "memory/2026-03-05.md:99" }],
  ["log_edit", { entry: "memory/2026-03-05.md:999", body: "- x" }],
  ["log_remove", { entry: "memory/2026-03-05.md:999" }],
  ["log_undo", {}],
  ["topic_rename", { from: "Nothing", to: "Something" }],
  ["topic_merge", { from: "Nothing", to: "Something" }],
  ["tree_root", { max_tokens: 300 }],
  ["tree_root", { dropped: true }],
  ["tree_verify", {}],
  ["memory_undo", {}],
  ["memory_doctor", {}],
  ["memory_index", {}],
];

const refused: typeof calls = [
  ["memory_recall", {}],
  ["memory_recall", { text: "x", budget: 1 }],
  ["memory_recall", { text: "x", colour: "red" }],
  ["memory_search", { query: "-x" }],
  ["memory_read", { place: "/etc/passwd" }],
  ["memory_log", { topic: "x" }],
  ["memory_log", { topic: "x", body: "y", type: "odd" }],
  ["memory_compact", { workspace: "/nowhere" }],
  ["thread_get", { thread_id: "nobody" }],
];

const uris = ["heartwood://root", "heartwood://node/2026-03", "heartwood://log/2026-03-05", "heartwood://node/2020-01"];

/** A server in process with its client; `frames` is what it wrote. */
async function connect(
  scene: Scene,
  mode: VersionNegotiationMode,
): Promise<{ readonly client: Client; take(): readonly unknown[]; end(): Promise<void> }> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const frames: unknown[] = [];
  let rest = "";
  toClient.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    frames.push(...lines.map((line) => JSON.parse(line) as unknown));
  });
  const inTurn = createTurns();
  const served = serveStdio(
    () =>
      createServer({
        sessionOf: () => undefined,
        version: "0.0.0-test",
        tools: toolsOf(["all"]),
        memory: async () => scene.memory,
        openFolder: async () => scene.memory,
        isTrusted: async () => false,
        inTurn,
        catchUp: () => {},
      }),
    { transport: new StdioServerTransport(toServer, toClient) },
  );
  const client = new Client({ name: "golden", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StdioServerTransport(toClient, toServer) as Transport);
  return {
    client,
    take: () => frames.splice(0),
    end: async () => {
      await client.close();
      await served.close();
    },
  };
}

const listed = (key: string): boolean => key === "description" || key === "title" || key === "instructions";

interface Result {
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

/** The frames of one request as structure and prose. */
function sectionOf(scene: Scene, name: string, frames: readonly unknown[]): Split {
  const text = scene.masked(JSON.stringify(frames));
  const sources = scene
    .list()
    .filter((path) => path.endsWith(".md"))
    .map((path) => scene.read(path) ?? "")
    .join("\n");
  const isFramed = (part: string): boolean => part.startsWith("<<<");
  const isList = /^(?:connect|tools|resources)/u.test(name);
  const parsed = (JSON.parse(text) as { result?: Result }[]).map(withParsedText);
  const { value, prose } = splitValue(parsed, (key, path, part) => {
    if (isList) return listed(key);
    return (
      isWording(key, path, part) || (key === "text" && path.endsWith("content[0].text") && isErrorAt(parsed, path))
    );
  });
  const framed: string[] = [];
  const structure = JSON.stringify(value, (key, part: unknown) => {
    if (key === "took_ms" || key === "duration_ms" || (key === "bytes" && name.includes("memory_index"))) return 0;
    if (typeof part !== "string" || !isFramed(part)) return part;
    framed.push(`${key}:\n${wordingLines(part, sources)}\n`);
    return dataLines(part, sources);
  });
  const told = prose + framed.join("");
  return {
    structure: `\n## ${name}\n${pretty(JSON.parse(structure))}\n`,
    prose: told === "" ? "" : `\n## ${name}\n${told}`,
  };
}

function isErrorAt(frames: readonly { result?: Result }[], path: string): boolean {
  return frames[Number(/^\[(\d+)\]/u.exec(path)?.[1])]?.result?.isError === true;
}

/** A result whose text is JSON, with its value in place of the text. */
function withParsedText(frame: { result?: Result }): { result?: Result } {
  const text = frame.result?.content?.[0]?.text ?? "";
  if (!/^\{[^\n]*\}$/u.test(text)) return frame;
  return { ...frame, result: { ...frame.result, content: [{ type: "JSON", text: JSON.parse(text) as string }] } };
}

test("no tool is missing in the calls", () => {
  const called = new Set(calls.map(([name]) => name));
  expect(toolsOf(["all"]).filter(({ name }) => !called.has(name))).toEqual([]);
});

describe.each(eras)("in %s", (_era, mode, version) => {
  test("what the server writes", async () => {
    const scene = openScene();
    await compact(scene);
    await scene.run(["index", "--quiet"]);
    const { client, take, end } = await connect(scene, mode);
    const sections = [sectionOf(scene, "connect", take())];
    const record = async (name: string, request: Promise<unknown>): Promise<void> => {
      // A request that is refused is in the frames like any other.
      await request.catch(() => undefined);
      sections.push(sectionOf(scene, name, take()));
    };
    await record("tools/list", client.listTools());
    await record("resources/list", client.listResources());
    await record("resources/templates/list", client.listResourceTemplates());
    // The second era differs in its frames, not in what the tools do.
    for (const [name, input] of mode === "legacy" ? [...calls, ...refused] : [...calls.slice(0, 7), ...refused])
      await record(`${name} ${JSON.stringify(input)}`, client.callTool({ name, arguments: input }));
    for (const uri of uris) await record(`read ${uri}`, client.readResource({ uri }));
    await end();
    await expectSplit(`mcp-${version}`, {
      structure: sections.map(({ structure }) => structure).join(""),
      prose: sections.map(({ prose }) => prose).join(""),
    });
  });
});
