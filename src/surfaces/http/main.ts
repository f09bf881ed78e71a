import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import { errorStatuses } from "../../base/error-statuses.ts";
import { MemoryError } from "../../base/errors.ts";
import { openMemory, type OpenOptions } from "../../open.ts";
import { parseLine, type CommonOptions } from "../../operations/command-line.ts";
import { failureOf, usageError } from "../../operations/failure.ts";
import { serveCommand } from "../../operations/local-commands.ts";
import type { Memory } from "../../operations/operation.ts";
import { refuseUntrusted, sessionNamedIn } from "../../operations/mcp/server.ts";
import { createCatchUp } from "../../operations/mcp/turns.ts";
import { toolsOf } from "../../operations/tools/tools.ts";
import { openInBrowser } from "../../platform/browser.ts";
import {
  answerJobs,
  boundHeap,
  builtProgram,
  personalFolder,
  shippedFile,
  startWorker,
  userStateFolder,
} from "../../platform/program.ts";
import { openTrusted } from "../../platform/trust.ts";
import { watchFolders } from "../../platform/watch.ts";
import { shown } from "../../text/shown.ts";
import { visible } from "../../text/visible.ts";
import { createChanges } from "./changes.ts";
import { createMcp } from "./mcp.ts";
import { readPage } from "./page.ts";
import { startServer } from "./server.ts";
import { runOperation, servedOperations, withoutOtherFolders, type Answer } from "./operations.ts";
import { createJobs, createSharedTurns, createThread } from "./turns.ts";

const usualPort = 4319;
/** How many more ports to try if it is taken. */
const morePorts = 20;
/** Milliseconds from a signal to the end of the process. */
const patience = 900;

/** The process of `heartwood serve`: answers HTTP until a signal ends it. */
export async function main(): Promise<void> {
  try {
    const { HEARTWOOD_TOKEN: token } = process.env;
    // Programs that this one starts, such as git, have no use for it.
    delete process.env["HEARTWOOD_TOKEN"];
    await serve(parseArguments(process.argv.slice(2), token));
  } catch (error) {
    const { code, message } = failureOf(error);
    process.stderr.write(`heartwood: ${visible(message).replaceAll("\n", " ")}\n`);
    process.exitCode = errorStatuses[code].exit;
  }
}

async function serve({ where, personal, host, ports, token, trust, wants }: Arguments): Promise<void> {
  const place = personal === undefined ? where : { ...where, dir: personalFolder() };
  const consent = trust;
  const memory = await openMemory({ ...place, consent, settings: "reported", onWork: boundHeap });
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = createSharedTurns();
  const jobs = createJobs(signal);
  const inTurn = turns.write;
  const trusted = async () => refuseUntrusted(memory);
  const program = builtProgram();
  const given = { ...place, dir: memory.dir, consent };
  const reads =
    program === undefined
      ? undefined
      : createThread(() => startWorker(program, { surface: "http", start: "answerReads", given, heap: 1024 }));
  const catchUp = createCatchUp({ memory: async () => memory, inTurn });
  const mcp = createMcp({
    version: memory.program.version,
    tools: toolsOf(["memory"]),
    memory: trusted,
    openFolder: (folder) => openMemory({ ...where, dir: folder, onWork: boundHeap }),
    isTrusted: async (folder) => openTrusted().covers(folder, trust === "given" ? memory.dir : undefined),
    inTurn,
    catchUp,
    sessionOf: sessionNamedIn,
  });
  const server = await startServer({
    memory,
    page: readPage(shippedFile(join("dist", "page"))),
    changes: createChanges({
      files: memory.files,
      watch: (changed) => watchFolders(memory.dir, changed),
      // The first head is that of the thread that was used last.
      ...(memory.team?.project && {
        threadsState: async () => JSON.stringify(await memory.threads.heads({ limit: 1 })),
      }),
    }),
    turns,
    jobs,
    ...(reads && {
      longRead: async (name, given, stopped) => {
        const read: Read = { name, given };
        return (await reads.ask(read, stopped))?.answer as Answer | undefined;
      },
    }),
    catchUp: () => void catchUp(),
    mcp: mcp.answer,
    signal,
    token,
    host,
    ports,
    elapsedMs: () => performance.now(),
  });
  const address = `${server.origin}/#token=${token}`;
  // A closed output does not end the server.
  process.stdout.on("error", () => undefined);
  process.stdout.write(`${address}\nServing ${visible(memory.dir)}. Press Ctrl-C to stop.\n`);
  const limit = await limitOf(memory);
  if (limit !== undefined) process.stderr.write(`heartwood: ${visible(limit).replaceAll("\n", " ")}\n`);
  const end = async (): Promise<void> => {
    stopping.abort(new MemoryError("aborted", "The server stops; every file is complete, so call again later."));
    await mcp.close();
    // Runs after the write that is running now.
    await Promise.all([jobs.ended(), turns.write(async () => undefined)]);
    await server.close();
    await reads?.end();
    await memory.close();
  };
  for (const [name, status] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const])
    process.on(name, () => {
      if (signal.aborted) process.exit(status);
      // A call that does not stop must not keep the process alive. Files are complete at all times.
      setTimeout(() => process.exit(status), patience).unref();
      void end()
        .catch(() => undefined)
        .finally(() => process.exit(status));
    });
  if (wants === "browser") await openPage(address);
}

/** What the thread for long reads is asked. */
interface Read {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** The thread for long reads, with the memory of the server. */
export function answerReads(): void {
  answerJobs((options) => {
    const opened = openMemory({ ...(options as OpenOptions), settings: "reported" }).then(withoutOtherFolders);
    const turns = createSharedTurns();
    return async (job, signal) => {
      const { name, given } = job as Read;
      const operation = servedOperations.find((one) => one.name === name);
      const memory = await opened;
      return operation === undefined ? undefined : runOperation(operation, given, { memory, turns, call: { signal } });
    };
  });
}

/** What does not work in this folder until the user trusts it, in one sentence; `undefined` if everything works. */
async function limitOf(memory: Memory): Promise<string | undefined> {
  const { checkStanding } = await import("../../operations/status.ts");
  const [unused] = checkStanding(memory);
  if (unused !== undefined) return `nothing is kept between calls, so each takes longer: ${unused.message}`;
  if (memory.trust.state() === "trusted") return undefined;
  return "this folder is not trusted, so agents get nothing from /mcp until you run `heartwood trust` in it.";
}

async function openPage(address: string): Promise<void> {
  const folder = userStateFolder();
  const opened = folder === undefined ? "failed" : await openInBrowser(address, folder);
  if (opened === "failed") process.stderr.write("heartwood: no browser could be started; open the address yourself.\n");
}

interface Arguments extends Pick<CommonOptions, "personal"> {
  readonly where: Pick<CommonOptions, "dir" | "today" | "timeZone">;
  readonly host: string;
  readonly ports: readonly number[];
  readonly token: string;
  /** `given`: by starting the server, the user consents to the folder it works in. */
  readonly trust: "given" | "recorded";
  readonly wants: "browser" | "nothing";
}

/** Reads the words after `heartwood`, including `serve`, and the token from the environment. Errors: `usage`, `invalid_number`. */
export function parseArguments(words: readonly string[], givenToken: string | undefined): Arguments {
  const line = parseLine(words, [serveCommand]);
  if (line.kind === "slip") throw usageError(line, [serveCommand]);
  if (line.kind !== "invocation") throw new MemoryError("usage", "heartwood serve prints no document.");
  const { given, common } = line.invocation;
  const { output: _output, chatter: _chatter, personal, ...where } = common;
  const host = hostIn(given["host"], givenToken);
  return {
    where,
    ...(personal && { personal }),
    host,
    ports: portsIn(given["port"]),
    token: givenToken === undefined ? randomBytes(32).toString("base64url") : checkedToken(givenToken),
    trust: given["trust"] === true ? "given" : "recorded",
    wants: given["open"] === true ? "browser" : "nothing",
  };
}

function portsIn(given: string | true | undefined): readonly number[] {
  if (given === undefined) return Array.from({ length: morePorts + 1 }, (_, at) => usualPort + at);
  const port = /^\d{1,5}$/u.test(String(given)) ? Number(given) : Number.NaN;
  if (port <= 65_535) return [port];
  const message = `--port is ${JSON.stringify(shown(String(given), 20))}; it must be a whole number from 0 to 65535.`;
  throw new MemoryError("invalid_number", message, { field: "port" });
}

/** Other machines reach the server only if the user chose a token. */
function hostIn(given: string | true | undefined, token: string | undefined): string {
  if (given === undefined) return "127.0.0.1";
  const host = String(given);
  if (!/^[A-Za-z0-9][A-Za-z0-9.-]*$/u.test(host) && isIP(host.replace(/^\[(.*)\]$/u, "$1")) === 0) {
    const message = `--host is ${JSON.stringify(shown(host, 60))}; it must be a host name or an IP address, without a port.`;
    throw new MemoryError("usage", message, { field: "host" });
  }
  if (token !== undefined || /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/iu.test(host)) return host;
  const message = `--host is ${host}, which other machines may reach; set HEARTWOOD_TOKEN to a token of your own as well, or omit --host.`;
  throw new MemoryError("usage", message, { field: "host" });
}

function checkedToken(token: string): string {
  if (/^[A-Za-z0-9_-]{43,256}$/u.test(token)) return token;
  const message =
    "HEARTWOOD_TOKEN is not a token; it must have 43 to 256 characters of A-Z, a-z, 0-9, _ and -, such as the output of: openssl rand -base64 32 | tr '+/' '-_' | tr -d =";
  throw new MemoryError("usage", message);
}
