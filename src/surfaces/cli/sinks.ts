import { fstatSync, writeSync } from "node:fs";
import { EXIT_STATUS } from "./errors.ts";
import type { Sink, SinkLook } from "./terminal.ts";

/**
 * A standard stream of the process. A pipe or a file is written to at once and without Node's stream, which takes 6 ms to load; the stream is made when it is a terminal,
 * or full.
 */
export function sinkOf(name: "stdout" | "stderr"): Sink {
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
  let plain: boolean | undefined;
  const isPlain = (): boolean => opened === undefined && (plain ??= isPipeOrFile(descriptor));
  return {
    write: (text) => {
      const rest = isPlain() ? unwritten(descriptor, Buffer.from(text), failed) : text;
      if (rest.length > 0) stream().write(rest);
    },
    drained: () => (opened === undefined ? Promise.resolve() : drainedOf(opened)),
    look: () => (isPlain() ? { kind: "pipe", colours: "off", columns: usualColumns } : lookOf(stream())),
  };
}

const usualColumns = 80;

function isPipeOrFile(descriptor: number): boolean {
  // What Windows has for a pipe is not always one for `write`.
  if (process.platform === "win32") return false;
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isFile() || found.isSocket();
  } catch {
    return false;
  }
}

/** Writes, and gives what did not fit where nobody reads just now. */
function unwritten(descriptor: number, bytes: Uint8Array, failed: (error: NodeJS.ErrnoException) => void): Uint8Array {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(descriptor, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return bytes.subarray(at);
    failed(error as NodeJS.ErrnoException);
  }
  return new Uint8Array();
}

function drainedOf(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableNeedDrain) stream.once("drain", resolve);
    else resolve();
  });
}

/** `heartwood tree | head` is no failure: the reader has what it wanted. A full disk is one. */
function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  const said = error.code ?? "that it failed";
  process.stderr.write(
    `heartwood: Could not write the result to standard output: the system says ${said}. What the command did to files is done.\n`,
  );
  process.exit(EXIT_STATUS.io);
}

/** There is nowhere left to tell it, and what the command does goes on. */
function ignore(): void {}

function lookOf({ isTTY, columns }: NodeJS.WriteStream): SinkLook {
  const width = columns > 0 ? columns : usualColumns;
  if (isTTY !== true) return { kind: "pipe", colours: "off", columns: width };
  const plain = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";
  return { kind: "terminal", colours: plain ? "off" : "on", columns: width };
}
