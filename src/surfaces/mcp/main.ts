import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../../operations/operation.ts";
import { boundHeap, programFacts } from "../../platform/program.ts";
import { toolsOf } from "../../operations/tools/tools.ts";
import { openMemory } from "../../open.ts";
import { personalFolder } from "../../platform/user-folders.ts";
import { openTrusted } from "../../platform/trust.ts";
import { parseArguments } from "./arguments.ts";
import { createCatchUp, createTurns } from "./turns.ts";
import { frameFault } from "./errors.ts";
import { createServer, type Memories } from "./server.ts";
import { Wire } from "./wire.ts";

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
    const found = await opened;
    // Check on each call: the user may change it while the server runs.
    if (found.trust.state() === "trusted") return found;
    throw new MemoryError(
      "untrusted",
      `The user has not trusted the memory in ${found.dir}, so it is neither read nor written. If they know where it comes from, they can run \`heartwood trust\` there.`,
      { dir: found.dir },
    );
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
  const { threadId } = meta;
  return typeof threadId === "string" && threadId !== "" ? { client: "codex", session: threadId } : undefined;
}
