import { Buffer } from "node:buffer";
import { existsSync, fstatSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { MemoryError, systemCodeOf } from "../../base/errors.ts";
import { once } from "../../base/lines.ts";
import type { Files } from "../../platform/files.ts";
import type { ExitStatus } from "./run.ts";
import type { Sink, SinkLook, Source, Terminal, Host } from "./terminal.ts";
import { runCommandLine } from "./run.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Handles arguments, environment, signals and exit status; `runCommandLine` does the rest. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  let signalled: number | undefined;
  for (const [name, status] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (signalled !== undefined) process.exit(status);
      signalled = status;
      stop.abort(
        new MemoryError("aborted", `Stopped by ${name}; every file is complete, and the next run continues from here.`),
      );
    });
  }
  const status = await runCommandLine(process.argv.slice(2), openTerminal(stop.signal), host);
  process.exitCode = signalled ?? status;
}

const host: Host = {
  version: async () => (await import("../../platform/program.ts")).programFacts().version,
  open: async (options) => {
    const { openMemory } = await import("../../open.ts");
    const { boundHeap } = await import("../../platform/program.ts");
    return openMemory({ ...options, onWork: boundHeap });
  },
  openSamples: async (options) => (await import("../../open.ts")).openSamples(options),
  openInstalling: async (dir) => (await import("../../open.ts")).openInstalling(dir),
  openTrust: async () => {
    const { folderToTrust, refuseOtherOwner } = await import("../../platform/folders.ts");
    const { openTrusted, unusedState } = await import("../../platform/trust.ts");
    return {
      ...openTrusted(),
      folderOf: folderToTrust,
      refuseOtherOwner: (dir) => refuseOtherOwner(dir, () => false),
      unusedState,
    };
  },
};

function openTerminal(signal: AbortSignal): Terminal {
  return {
    cwd: process.cwd(),
    stdout: sinkOf("stdout"),
    stderr: sinkOf("stderr"),
    stdin,
    openFile: (path) => ({ name: path, chunks: (signal) => readFile(path, signal) }),
    outputFile: (path) => ({
      name: path,
      read: async () => {
        const found = await (await filesIn(path)).read(basename(path));
        return found === undefined ? undefined : Buffer.from(found.bytes).toString("utf8");
      },
      write: async (text) => {
        const files = await filesIn(path);
        await files.commit([{ path: basename(path), bytes: Buffer.from(text), expect: "anything" }]);
      },
    }),
    // Not `performance`, which would load another module.
    elapsedMs: () => Number(process.hrtime.bigint() / 1_000_000n),
    signal,
    debugging: process.env["HEARTWOOD_DEBUG"] === "1" ? "on" : "off",
    errorCodes: process.env["HEARTWOOD_ERROR_CODES"] === "1" ? "told" : "left out",
  };
}

/** Writes at once what a file or pipe accepts: opening Node's stream takes a few milliseconds. */
function sinkOf(name: "stdout" | "stderr"): Sink {
  const fd = name === "stdout" ? 1 : 2;
  const onError = name === "stdout" ? endUnread : ignore;
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => (opened ??= process[name].on("error", onError));
  const isTerminal = once(() => mayBeTerminal(fd));
  return {
    write: (text) => {
      const bytes = Buffer.from(text);
      const left = opened === undefined && !isTerminal() ? writeNow(fd, bytes, onError) : bytes;
      if (left.length > 0) stream().write(left);
    },
    drained: () =>
      new Promise((resolve) => {
        if (opened?.writableNeedDrain === true) opened.once("drain", resolve);
        else resolve();
      }),
    look: () => (isTerminal() ? lookOf(stream()) : { kind: "pipe", colours: "off", columns: usualColumns }),
  };
}

/** Whether it is a device, as a terminal is. */
function mayBeTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return true;
  }
}

/** Returns the bytes that the reader does not accept yet. */
function writeNow(fd: number, bytes: Buffer, onError: (error: NodeJS.ErrnoException) => void): Buffer {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    if (systemCodeOf(error) === "EAGAIN") return bytes.subarray(at);
    onError(error as NodeJS.ErrnoException);
  }
  return Buffer.alloc(0);
}

const usualColumns = 80;

/** The exit status of an error with code `io`. */
const couldNot: ExitStatus = 3;

/** A reader that stops early, as in `heartwood tree | head`, is not a failure; a full disk is. */
function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  const said = error.code ?? "an unknown error";
  process.stderr.write(
    `heartwood: Could not write the result to standard output: the system reports ${said}. Any changes to files were saved.\n`,
  );
  process.exit(couldNot);
}

/** There is nowhere left to report the error; the command continues. */
function ignore(): void {}

function lookOf({ isTTY, columns }: NodeJS.WriteStream): SinkLook {
  const width = columns > 0 ? columns : usualColumns;
  if (isTTY !== true) return { kind: "pipe", colours: "off", columns: width };
  const plain = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";
  return { kind: "terminal", colours: plain ? "off" : "on", columns: width };
}

const stdin: Source = {
  kind: () => (process.stdin.isTTY === true ? "terminal" : "pipe"),
  chunks: readStdin,
};

async function* readFile(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const { constants } = await import("node:fs");
  const { open } = await import("node:fs/promises");
  try {
    // O_NONBLOCK: otherwise opening a FIFO would block until there is a writer, and no signal could end that.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (!stat.isFile() && !stat.isDirectory())
        throw new MemoryError(
          "not_a_file",
          `${path} is not a regular file and may never end; pass a file, or - for standard input.`,
          { path },
        );
      const options = { highWaterMark: 256 * 1024, autoClose: false, ...(signal === undefined ? {} : { signal }) };
      for await (const chunk of file.createReadStream(options)) yield chunk as Uint8Array;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw signal?.aborted === true || error instanceof MemoryError ? error : unread(path, error);
  }
}

/** Opens the folder of an output file as `Files`, which replaces the file atomically and does not follow links. */
async function filesIn(path: string): Promise<Files> {
  const root = dirname(path);
  if (!existsSync(root)) {
    const message = `Cannot write ${path}: its folder does not exist; create it first.`;
    throw new MemoryError("not_found", message, { path });
  }
  return (await import("../../platform/node-files/node-files.ts")).createNodeFiles({ root });
}

function unread(path: string, error: unknown): MemoryError {
  const cause = systemCodeOf(error) ?? "unknown cause";
  const details = { path, cause };
  if (cause === "ENOENT") return new MemoryError("not_found", `${path} does not exist; check the path.`, details);
  if (cause === "EISDIR") return new MemoryError("not_a_file", `${path} is a folder; pass a file.`, details);
  return new MemoryError("io", `Could not read ${path}: the system reports ${cause}.`, details, error);
}

async function* readStdin(signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (signal.aborted) return;
  signal.addEventListener("abort", endStdin, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    // Destroying the stream surfaces as a premature close.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", endStdin);
  }
}

function endStdin(): void {
  process.stdin.destroy();
}
