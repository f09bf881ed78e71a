import { fstatSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError, systemCodeOf } from "../../base/errors.ts";
import type { ExitStatus } from "./errors.ts";
import type { Host } from "./host.ts";
import { runCommandLine } from "./run.ts";
import type { Sink, SinkLook, Source, Terminal } from "./terminal.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The process: arguments, environment, signals and exit status. `runCommandLine` does the rest. */
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
      read: () => readOutput(path),
      write: async (text) => replaceFile(path, text, await readOutput(path)),
    }),
    // `performance` would load another module.
    elapsedMs: () => Number(process.hrtime.bigint() / 1_000_000n),
    signal,
    debugging: process.env["HEARTWOOD_DEBUG"] === "1" ? "on" : "off",
    errorCodes: process.env["HEARTWOOD_ERROR_CODES"] === "1" ? "told" : "left out",
  };
}

/**
 * A standard stream of the process. Writes to a file, and as much as a new pipe takes, are synchronous and bypass Node's stream, which takes 6 ms to load. The
 * rest goes to the stream, since a process that blocks on a reader handles no signals.
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

/** Bytes a new pipe takes without a reader: 64 KiB on Linux, 16 KiB on macOS. */
const roomOfPipe = 16 * 1024;

/** Bytes that may be written synchronously; 0 if the stream must be used. */
function roomOf(descriptor: number): number {
  // On Windows, `write` does not work for every kind of pipe.
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

/** Writes, and returns how many bytes did not fit because the reader is busy. */
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

/** `heartwood tree | head` is not a failure: the reader has what it wanted. A full disk is. */
function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  const said = error.code ?? "an unknown error";
  process.stderr.write(
    `heartwood: Could not write the result to standard output: the system reports ${said}. Changes to files were made.\n`,
  );
  process.exit(couldNot);
}

/** There is nowhere left to report it, and the command continues. */
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
    // O_NONBLOCK: opening a FIFO would wait for a writer, and no signal ends that wait.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (!stat.isFile() && !stat.isDirectory())
        throw notAFile(path, "is not a regular file and may never end; give a file, or - for standard input");
      const options = { highWaterMark: 256 * 1024, autoClose: false, ...(signal === undefined ? {} : { signal }) };
      for await (const chunk of file.createReadStream(options)) yield chunk as Uint8Array;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw signal?.aborted === true || error instanceof MemoryError ? error : failed("read", path, error);
  }
}

function notAFile(path: string, what: string): MemoryError {
  return new MemoryError("not_a_file", `${path} ${what}.`, { path });
}

/** The text of a file that may be replaced; `undefined` if there is none. */
async function readOutput(path: string): Promise<string | undefined> {
  const { lstat, readFile: read } = await import("node:fs/promises");
  try {
    const found = await lstat(path);
    if (!found.isFile()) {
      const kind = found.isDirectory() ? "a folder" : found.isSymbolicLink() ? "a link" : "not a regular file";
      throw notAFile(path, `is ${kind} and was left alone; give the path of a file, or - for standard output`);
    }
    return await read(path, "utf8");
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    if (systemCodeOf(error) !== "ENOENT") throw failed("read", path, error);
    await refuseNoFolder(path);
    return undefined;
  }
}

/** Checked before the work starts. */
async function refuseNoFolder(path: string): Promise<void> {
  const { stat } = await import("node:fs/promises");
  try {
    await stat(dirname(path));
  } catch (error) {
    throw failed("write", path, error);
  }
}

/** Writes a temporary file in the same folder and renames it, so that readers always find a complete file. */
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
    throw failed("write", path, error);
  }
}

function failed(act: "read" | "write", path: string, error: unknown): MemoryError {
  const cause = systemCodeOf(error) ?? "unknown cause";
  const details = { path, cause };
  if (act === "read" && cause === "ENOENT")
    return new MemoryError("not_found", `There is no file ${path}; check the path.`, details);
  if (act === "read" && cause === "EISDIR")
    return new MemoryError("not_a_file", `${path} is a folder; give a file.`, details);
  if (act === "write" && (cause === "ENOENT" || cause === "ENOTDIR"))
    return new MemoryError("not_found", `Cannot write ${path}: its folder does not exist; create it first.`, details);
  if (act === "write" && (cause === "ENOSPC" || cause === "EDQUOT"))
    return new MemoryError("disk_full", `Could not write ${path}: the disk is full.`, details, error);
  return new MemoryError("io", `Could not ${act} ${path}: the system reports ${cause}.`, details, error);
}

async function* readStdin(signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (signal.aborted) return;
  signal.addEventListener("abort", endStdin, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    // Destroying the stream shows up as a premature close.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", endStdin);
  }
}

function endStdin(): void {
  process.stdin.destroy();
}
