import { fstatSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { ExitStatus } from "./errors.ts";
import type { Host } from "./host.ts";
import { runCommandLine } from "./run.ts";
import type { Sink, SinkLook, Source, Terminal } from "./terminal.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The process: argument list, environment, signals and exit status. Everything else is `runCommandLine`. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  let signalled: number | undefined;
  for (const [name, status] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (signalled !== undefined) process.exit(status);
      signalled = status;
      stop.abort(
        new MemoryError("aborted", `Stopped by ${name}; every file is whole, and the next run goes on from here.`),
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
      read: () => readOutput(path),
      write: async (text) => replaceFile(path, text, await readOutput(path)),
    }),
    // `performance` would load a module of its own for this.
    elapsedMs: () => Number(process.hrtime.bigint() / 1_000_000n),
    signal,
    debugging: process.env["HEARTWOOD_DEBUG"] === "1" ? "on" : "off",
    errorCodes: process.env["HEARTWOOD_ERROR_CODES"] === "1" ? "told" : "left out",
  };
}

/**
 * A standard stream of the process. A file, and as much as a new pipe takes, is written at once and without Node's stream, which takes 6 ms to load; the rest goes to the
 * stream, since who waits for a reader hears no signal.
 */
function sinkOf(name: "stdout" | "stderr"): Sink {
  const failed = name === "stdout" ? endUnread : ignore;
  const descriptor = name === "stdout" ? 1 : 2;
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    if (opened === undefined) {
      opened = process[name];
      opened.on("error", failed);
    }
    return opened;
  };
  let room: number | undefined;
  const isAtOnce = (): boolean => opened === undefined && (room ??= roomOf(descriptor)) > 0;
  const writeAtOnce = (bytes: Uint8Array): Uint8Array => {
    const most = Math.min(bytes.length, room ?? 0);
    room = (room ?? 0) - most;
    const rest = unwritten(descriptor, bytes.subarray(0, most), failed);
    return rest === "failed" ? new Uint8Array() : bytes.subarray(most - rest);
  };
  return {
    write: (text) => {
      const rest = isAtOnce() ? writeAtOnce(Buffer.from(text)) : text;
      if (rest.length > 0) stream().write(rest);
    },
    drained: () => (opened === undefined ? Promise.resolve() : drainedOf(opened)),
    look: () => (isAtOnce() ? { kind: "pipe", colours: "off", columns: usualColumns } : lookOf(stream())),
  };
}

const usualColumns = 80;

/** Bytes that a new pipe takes without a reader: 64 KiB on Linux, 16 KiB on macOS. */
const roomOfPipe = 16 * 1024;

/** Bytes that may be written at once; 0 where the stream is to do it. */
function roomOf(descriptor: number): number {
  // What Windows has for a pipe is not always one for `write`.
  if (process.platform === "win32") return 0;
  try {
    const found = fstatSync(descriptor);
    if (found.isFile()) return Number.POSITIVE_INFINITY;
    if (!found.isFIFO() && !found.isSocket()) return 0;
    return process.platform === "linux" ? 4 * roomOfPipe : roomOfPipe;
  } catch {
    return 0;
  }
}

/** Writes, and tells how many bytes did not fit where nobody reads just now. */
function unwritten(
  descriptor: number,
  bytes: Uint8Array,
  failed: (error: NodeJS.ErrnoException) => void,
): number | "failed" {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(descriptor, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return bytes.length - at;
    failed(error as NodeJS.ErrnoException);
    return "failed";
  }
  return 0;
}

function drainedOf(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableNeedDrain) stream.once("drain", resolve);
    else resolve();
  });
}

/** The exit status of an error with code `io`. */
const couldNot: ExitStatus = 3;

/** `heartwood tree | head` is no failure: the reader has what it wanted. A full disk is one. */
function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  const said = error.code ?? "that it failed";
  process.stderr.write(
    `heartwood: Could not write the result to standard output: the system says ${said}. What the command did to files is done.\n`,
  );
  process.exit(couldNot);
}

/** There is nowhere left to tell it, and what the command does goes on. */
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
    // O_NONBLOCK: opening a FIFO without a writer would wait for one, and no signal ends that wait.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (!stat.isFile() && !stat.isDirectory()) throw notRegular(path);
      const options = { highWaterMark: 256 * 1024, autoClose: false, ...(signal === undefined ? {} : { signal }) };
      for await (const chunk of file.createReadStream(options)) yield chunk as Uint8Array;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw signal?.aborted === true || error instanceof MemoryError ? error : unreadable(path, error as Errno);
  }
}

function notRegular(path: string): MemoryError {
  const message = `${path} is no regular file, and what it gives may never end; give a file, or - for standard input.`;
  return new MemoryError("not_a_file", message, { path });
}

/** What stands at the path now, if it is a file that may be replaced. */
async function readOutput(path: string): Promise<string | undefined> {
  const { lstat, readFile: read } = await import("node:fs/promises");
  try {
    const found = await lstat(path);
    if (!found.isFile())
      throw notReplaced(
        path,
        found.isDirectory() ? "is a folder" : found.isSymbolicLink() ? "is a link" : "is no regular file",
      );
    return await read(path, "utf8");
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    if ((error as Errno).code !== "ENOENT") throw unreadable(path, error as Errno);
    await refuseNoFolder(path);
    return undefined;
  }
}

/** Asked before the work begins, so that it is not in vain. */
async function refuseNoFolder(path: string): Promise<void> {
  const { stat } = await import("node:fs/promises");
  try {
    await stat(dirname(path));
  } catch (error) {
    throw unwritable(path, error as Errno);
  }
}

function notReplaced(path: string, what: string): MemoryError {
  return new MemoryError(
    "not_a_file",
    `${path} ${what} and is left as it is; give the path of a file, or - for standard output.`,
    { path },
  );
}

/** A temporary file in the same folder takes the place of the old one, so that a reader finds a whole file at any time. */
async function replaceFile(path: string, text: string, before: string | undefined): Promise<void> {
  const { open, rename, rm, stat } = await import("node:fs/promises");
  const temporary = `${path}.${process.pid}.${process.hrtime.bigint().toString(36)}.tmp`;
  try {
    const mode = before === undefined ? 0o666 : (await stat(path)).mode & 0o777;
    const file = await open(temporary, "wx", mode);
    try {
      if (before !== undefined) await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error as Errno);
  }
}

function unwritable(path: string, error: Errno): MemoryError {
  const { code = "unknown cause" } = error;
  const details = { path, cause: code };
  if (code === "ENOENT" || code === "ENOTDIR")
    return new MemoryError("not_found", `${path} cannot be written: there is no such folder; make it first.`, details);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new MemoryError("disk_full", `Could not write ${path}: the disk is full.`, details, error);
  return new MemoryError("io", `Could not write ${path}: the system says ${code}.`, details, error);
}

type Errno = NodeJS.ErrnoException;

function unreadable(path: string, error: Errno): MemoryError {
  const { code = "unknown cause" } = error;
  const details = { path, cause: code };
  if (code === "ENOENT") return new MemoryError("not_found", `There is no file ${path}; check the path.`, details);
  if (code === "EISDIR") return new MemoryError("not_a_file", `${path} is a folder; give a file.`, details);
  return new MemoryError("io", `Could not read ${path}: the system says ${code}.`, details, error);
}

async function* readStdin(signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (signal.aborted) return;
  signal.addEventListener("abort", endStdin, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    // Our own ending of the stream shows up as a premature close.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", endStdin);
  }
}

function endStdin(): void {
  process.stdin.destroy();
}
