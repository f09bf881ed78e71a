import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../../operations/operation.ts";
import { boundHeap, programFacts, personalFolder } from "../../platform/program.ts";
import { toolsOf, toolGroups, type ToolGroup } from "../../operations/tools/tools.ts";
import { openMemory } from "../../open.ts";
import { openTrusted } from "../../platform/trust.ts";
import { frameFault, errorToldOf } from "../../operations/mcp/errors.ts";
import { createServer, refuseUntrusted, sessionNamedIn, type Memories } from "../../operations/mcp/server.ts";
import { createCatchUp, createTurns } from "../../operations/mcp/turns.ts";
import { parseLine, type CommonOptions } from "../../operations/command-line.ts";
import { mcpCommand } from "../../operations/local-commands.ts";
import { usageError } from "../../operations/failure.ts";
import { shown } from "../../text/shown.ts";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** The process of `heartwood mcp`: speaks MCP on standard input and output until the input ends. */
export async function main(): Promise<void> {
  let wanted: ReturnType<typeof parseArguments>;
  try {
    wanted = parseArguments(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    process.stderr.write(`heartwood: ${error.message}\n`);
    process.exitCode = 2;
    return;
  }
  // Anything else on standard output would break the protocol.
  console.log = console.error;
  const { tools, trust, personal, ...named } = wanted;
  const where = personal === undefined ? named : { ...named, dir: personalFolder() };
  const from = process.env["CLAUDE_PROJECT_DIR"] || process.cwd();
  let opened: Promise<Memory> | undefined;
  const memory = async (): Promise<Memory> => {
    // The server runs for days, and its heap would grow to four times the live data.
    boundHeap();
    // Retry a failed open: the memory may have been created since.
    const options = { ...where, from, consent: trust, onWork: boundHeap };
    opened ??= openMemory(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return refuseUntrusted(await opened);
  };
  const memories: Memories = {
    memory,
    openFolder: (folder) => openMemory({ ...where, dir: folder, onWork: boundHeap }),
    isTrusted: async (folder) => openTrusted().covers(folder, trust === "given" ? (await memory()).dir : undefined),
  };
  const inTurn = createTurns();
  const catchUp = createCatchUp({ memory, inTurn });
  const { version } = programFacts();
  const end = (): void => {
    // Unread answers or a call that does not stop must not keep the process alive. Files are complete at all times.
    setTimeout(() => process.exit(), patience).unref();
    // The process ends even if closing fails.
    void inTurn(async () => (await opened)?.close()).catch(() => undefined);
  };
  const transport = new Wire({ input: process.stdin, output: process.stdout, ended: end });
  const onerror = (error: Error): void => void process.stderr.write(`heartwood: ${frameFault(error.message)}\n`);
  const served = serveStdio(
    () => createServer({ version, tools: toolsOf(tools), ...memories, inTurn, catchUp, sessionOf }),
    {
      transport,
      onerror,
    },
  );
  for (const [signal, status] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const])
    process.once(signal, () => {
      process.exitCode = status;
      void served.close();
    });
}

/** Milliseconds between the end of the connection and the end of the process; clients wait longer before they kill it. */
const patience = 1_000;

/** Claude Code and Copilot start a server for each session; Codex names the session in each call. */
function sessionOf(meta: Readonly<Record<string, unknown>>) {
  const { CLAUDE_CODE_SESSION_ID: claude, COPILOT_AGENT_SESSION_ID: copilot } = process.env;
  if (claude) return { client: "claude-code", session: claude };
  if (copilot) return { client: "copilot", session: copilot };
  return sessionNamedIn(meta);
}

interface Arguments extends Pick<CommonOptions, "dir" | "personal" | "today" | "timeZone"> {
  readonly tools: readonly ToolGroup[];
  /** `given`: by starting the server, the user consents to the folder it works in. */
  readonly trust: "given" | "recorded";
}

/** Reads the words after `heartwood`, including `mcp`. Errors: `usage`. */
export function parseArguments(words: readonly string[]): Arguments {
  const line = parseLine(words, [mcpCommand]);
  if (line.kind === "slip") throw usageError(line, [mcpCommand]);
  if (line.kind !== "invocation") throw new MemoryError("usage", "heartwood mcp prints only protocol messages.");
  const { given, common } = line.invocation;
  const { output: _output, chatter: _chatter, ...where } = common;
  const named = String(given["tools"] ?? "memory")
    .split(",")
    .map((name) => name.trim());
  const unknown = named.find((name) => !isGroup(name));
  if (unknown !== undefined) {
    const allowed = toolGroups.join(", ");
    throw new MemoryError(
      "usage",
      `--tools contains "${shown(unknown, 40)}"; pass a comma-separated list of ${allowed}.`,
    );
  }
  return { ...where, tools: named.filter(isGroup), trust: given["trust"] === true ? "given" : "recorded" };
}

function isGroup(name: string): name is ToolGroup {
  return (toolGroups as readonly string[]).includes(name);
}

/** Bytes of unread answers. Above this limit, no new requests are read, so a slow client cannot use up RAM. */
const mostUnread = 8 * 1024 * 1024;

/** The protocol on two streams. Calls `ended` once: when the input ends, the reader is gone, or `close` is called. */
export class Wire extends StdioServerTransport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #ended: () => void;
  #state: "open" | "closed" = "open";

  constructor(streams: { readonly input: Readable; readonly output: Writable; readonly ended: () => void }) {
    super(streams.input, streams.output);
    this.#input = streams.input;
    this.#output = streams.output;
    this.#ended = streams.ended;
  }

  override async start(): Promise<void> {
    this.#input.on("data", this.#brake);
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send("error" in message ? { ...message, error: errorToldOf(message.error) } : message);
  }

  override async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#input.off("data", this.#brake);
    await super.close();
    this.#ended();
  }

  readonly #brake = (): void => {
    if (this.#output.writableLength <= mostUnread) return;
    this.#input.pause();
    this.#output.once("drain", () => this.#state === "open" && this.#input.resume());
  };
}
