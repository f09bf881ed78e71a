import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type CallToolResult,
  type ListToolsResult,
  type ServerContext,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { resolve } from "node:path";
import { openSession } from "../../agents/sessions/record.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ProgressEvent } from "../../base/operation.ts";
import { acceptedInput, type Memory } from "../operation.ts";
import { operation } from "../table.ts";
import { listedTool, type Tool } from "../tools/tool.ts";
import { allTools, serverInstructions } from "../tools/tools.ts";
import { failedResult, requestErrorOf } from "./errors.ts";
import { shown } from "../../text/shown.ts";
import { visible, visibleIn } from "../../text/visible.ts";

interface Served extends Memories {
  readonly version: string;
  /** The tools to list. Calls of every tool are answered. */
  readonly tools: readonly Tool[];
  /** Runs calls one at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Called when an answer reported that the index is out of date. */
  catchUp(): void;
  /** The session that a call comes from, by what its client says of it; `undefined` if unknown. */
  sessionOf(meta: Readonly<Record<string, unknown>>): { readonly client: string; readonly session: string } | undefined;
}

/** A Model Context Protocol server for a memory, for one connection in either protocol version. */
export function createServer(served: Served): McpServer {
  const server = new McpServer(
    { name: "heartwood", title: "Heartwood memory", version: served.version },
    { instructions: serverInstructions, capabilities: { tools: {}, resources: {} } },
  );
  // Not `registerTool`, which lists every tool that can be called.
  const listed = { tools: served.tools.map(listedTool) } as unknown as ListToolsResult;
  server.server.setRequestHandler("tools/list", () => listed);
  server.server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = allTools.find(({ name }) => name === params.name);
    if (tool !== undefined) return answer(tool, params.arguments, context, served);
    const sentence = `There is no tool "${shown(params.name, 60)}"; tools/list names the usual ones.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
  });
  addResources(server, served);
  return server;
}

async function answer(tool: Tool, input: unknown, { mcpReq }: ServerContext, served: Served): Promise<CallToolResult> {
  try {
    const given = await acceptedInput(tool, input ?? {});
    const folder = tool.folder === undefined ? undefined : given[tool.folder];
    const { text, notIndexed } = await served.inTurn(async () => {
      mcpReq.signal.throwIfAborted();
      const call = { signal: mcpReq.signal, progress: progressTo(mcpReq) };
      return withMemory(served, folder, async (memory) => {
        const { says, notIndexed: missing = 0 } = await tool.run(memory, given, call);
        const said = typeof says === "string" ? visible(says) : JSON.stringify(visibleIn(says));
        if (quoting.includes(tool.name)) await recordResult(memory, served.sessionOf(mcpReq._meta ?? {}), said);
        return { text: said, notIndexed: missing };
      });
    });
    if (notIndexed > 0) served.catchUp();
    return { content: [{ type: "text", text }] };
  } catch (error) {
    return failedResult(error);
  }
}

/** Tools that quote the memory: hooks do not repeat what they returned. */
const quoting: readonly string[] = ["memory_recall", "memory_search", "memory_read"];

async function recordResult(memory: Memory, from: ReturnType<Served["sessionOf"]>, text: string): Promise<void> {
  if (from === undefined) return;
  const record = await openSession(memory.files, from.client, from.session);
  const at = new Date(memory.clock.now()).toISOString();
  await record.append({ at, event: "tool", source: "", memory: "", lines: [], text });
}

/** Sent only to a caller that asked for progress. */
function progressTo(mcpReq: ServerContext["mcpReq"]): (event: ProgressEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let sent = 0;
  return ({ phase, done, total }) => {
    // Each phase counts from 0, but the protocol requires increasing progress.
    sent += 1;
    const params = { progressToken, progress: sent, message: total > 0 ? `${phase} ${done} of ${total}` : phase };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

export interface Memories {
  /** The server's own memory, opened by the first call that needs it. Errors: `no_memory`, and any error of opening it. */
  memory(): Promise<Memory>;
  /** Another memory, by the absolute path of its folder. Errors: same as `memory`. */
  openFolder(folder: string): Promise<Memory>;
  /** Whether a folder is inside a trusted one. */
  isTrusted(folder: string): Promise<boolean>;
}

/** The same memory. Checked on each call, because the user may change it while a server runs. Errors: `untrusted`. */
export function refuseUntrusted(memory: Memory): Memory {
  if (memory.trust.state() === "trusted") return memory;
  throw new MemoryError(
    "untrusted",
    `The user has not trusted the memory in ${memory.dir}, so it is neither read nor written. If they know where it comes from, they can run \`heartwood trust\` there.`,
    { dir: memory.dir },
  );
}

/** The session that a client names in a call, as Codex does. */
export function sessionNamedIn({ threadId }: Readonly<Record<string, unknown>>) {
  return typeof threadId === "string" && threadId !== "" ? { client: "codex", session: threadId } : undefined;
}

/**
 * Runs the work in the memory of the folder given in a call, or in the server's own (`auto`, no folder, or its own folder). Errors: `invalid_path` for an
 * untrusted folder.
 */
async function withMemory<T>(memories: Memories, named: unknown, work: (memory: Memory) => Promise<T>): Promise<T> {
  const own = await memories.memory();
  const folder = named === undefined || named === "auto" ? own.dir : resolve(own.dir, named as string);
  if (folder === own.dir) return work(own);
  const seen = `workspace is ${JSON.stringify(shown(folder, 200))}`;
  if (!(await memories.isTrusted(folder))) {
    const sentence = `${seen}, which the user has not trusted; use auto, or a folder inside ${own.dir}.`;
    throw new MemoryError("invalid_path", sentence, { field: "workspace" });
  }
  const other = await memories.openFolder(folder).catch((error: unknown) => {
    if (!(error instanceof MemoryError) || error.code !== "no_memory") throw error;
    const sentence = `${seen}, which has no memory; use auto, or a folder that contains memory/ or MEMORY.md.`;
    throw new MemoryError("no_memory", sentence, { field: "workspace" }, error);
  });
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

const mimeType = "text/markdown";

/** `heartwood://root`, `heartwood://node/{period}` and `heartwood://log/{date}`. A missing resource is a request error with our code in its data. */
function addResources(server: McpServer, served: Served): void {
  const answered = async (uri: URL, read: (memory: Memory) => Promise<string>): Promise<ReadResourceResult> => {
    try {
      const text = await served.inTurn(async () => read(await served.memory()));
      return { contents: [{ uri: uri.href, mimeType, text: visible(text) }] };
    } catch (error) {
      throw requestErrorOf(error, uri.href);
    }
  };
  server.registerResource(
    "root",
    "heartwood://root",
    { title: "ROOT.md", description: "One page of what the memory knows", mimeType },
    (uri) => answered(uri, (memory) => node(memory, "ROOT")),
  );
  server.registerResource(
    "node",
    new ResourceTemplate("heartwood://node/{period}", { list: undefined }),
    {
      title: "A node",
      description: "The compacted summary of a day (2026-03-15), a week (2026-W11) or a month (2026-03)",
      mimeType,
    },
    (uri, { period }) => answered(uri, (memory) => node(memory, period)),
  );
  server.registerResource(
    "log",
    new ResourceTemplate("heartwood://log/{date}", { list: undefined }),
    { title: "The log of a day", description: "The log entries of a day, with secrets replaced", mimeType },
    (uri, { date }) => answered(uri, (memory) => log(memory, date)),
  );
}

async function node(memory: Memory, period: unknown): Promise<string> {
  return (await operation("tree.show").run(memory, { period: String(period) })).text;
}

async function log(memory: Memory, date: unknown): Promise<string> {
  const { text, next } = await operation("memory.read").run(memory, { place: `memory/${String(date)}.md` });
  return next === null ? text : `${text}\n… continue: memory_read with place ${next}`;
}
