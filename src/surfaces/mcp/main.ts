import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../../operations/operation.ts";
import { boundHeap, programFacts } from "../../platform/program.ts";
import { openMemory } from "../../open.ts";
import { openTrusted } from "../../platform/trust.ts";
import { parseArguments } from "./arguments.ts";
import { createCatchUp, createTurns } from "./turns.ts";
import { frameFault } from "./errors.ts";
import { createServer, type Memories } from "./server.ts";
import { toolsOf } from "./tools.ts";
import { Wire } from "./wire.ts";

/** The process of `heartwood mcp`: it speaks the protocol on standard input and output until its input ends. */
export async function main(): Promise<void> {
  const wanted = parseArguments(process.argv.slice(2));
  if ("fault" in wanted) {
    process.stderr.write(`heartwood: ${wanted.fault}\n`);
    process.exitCode = 2;
    return;
  }
  // A word on standard output that is not the protocol's would end the connection.
  console.log = console.error;
  const { tools, trust, ...where } = wanted;
  const project = process.env["CLAUDE_PROJECT_DIR"];
  const dir = where.dir ?? (project === undefined || project === "" ? undefined : project);
  let opened: Promise<Memory> | undefined;
  const memory = async (): Promise<Memory> => {
    // It stays for days beside an agent; left alone, its heap grows to four times what is alive.
    boundHeap();
    // What failed to open is tried again: a memory may have been made since.
    const options = { ...where, ...(dir === undefined ? {} : { dir }), consent: trust, onWork: boundHeap };
    opened ??= openMemory(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const found = await opened;
    // Asked at each call: the user may trust the folder, or no longer, while the server runs.
    if (found.trust.state() === "trusted") return found;
    throw new MemoryError(
      "untrusted",
      `The user has not trusted the memory in ${found.dir}, so nothing of it is read or written; they can run \`heartwood trust\` in it, if they know where it comes from.`,
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
    // Answers that nobody reads, or a call that does not stop, must not keep the process; what it writes is whole at any moment.
    setTimeout(() => process.exit(), patience).unref();
    // The process ends, and what could not be closed with it.
    void inTurn(async () => (await opened)?.close()).catch(() => undefined);
  };
  const transport = new Wire({ input: process.stdin, output: process.stdout, ended: end });
  const onerror = (error: Error): void => void process.stderr.write(`heartwood: ${frameFault(error.message)}\n`);
  const served = serveStdio(() => createServer({ version, tools: toolsOf(tools), ...memories, inTurn, catchUp }), {
    transport,
    onerror,
  });
  for (const [signal, status] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const])
    process.once(signal, () => {
      process.exitCode = status;
      void served.close();
    });
}

/** How long the process stays when its connection has ended, in milliseconds: less than clients wait before they end it by force. */
const patience = 1_000;
