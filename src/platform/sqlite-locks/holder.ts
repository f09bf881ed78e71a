import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LockFiles } from "./lock-files.ts";

/** Who holds a lock, as the others are told. */
export interface Holder {
  /** The command. */
  readonly holder: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Says who holds the lock, if that can be written: the lock itself does not depend on it. */
export function writeHolder(lock: LockFiles, holder: Holder): void {
  bestEffort(() => {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const fd = fs.openSync(lock.holder, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
    bestEffort(() => fs.writeSync(fd, printHolder(holder)));
    fs.closeSync(fd);
  });
}

/** Takes the file away. To be called while the lock is still held: afterwards it is the next holder's file. */
export function removeHolder(lock: LockFiles): void {
  bestEffort(() => fs.unlinkSync(lock.holder));
}

/** Who holds the lock; `undefined` when that is not known. */
export async function readHolder(lock: LockFiles): Promise<Holder | undefined> {
  const holder = bestEffort(() => parseHolder(readStart(lock.holder)));
  if (holder !== undefined) return holder;
  // A holder writes the file a moment after it got the lock.
  await sleep(20);
  return bestEffort(() => parseHolder(readStart(lock.holder)));
}

function printHolder(holder: Holder): string {
  return `${JSON.stringify(holder)}\n`;
}

/** `undefined` as well when the process is gone: then the file is that of an earlier holder. */
function parseHolder(text: string): Holder | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  if (!("holder" in value && "pid" in value && "since" in value)) return undefined;
  const { holder, pid, since } = value;
  if (typeof holder !== "string" || typeof pid !== "number" || typeof since !== "string") return undefined;
  return isAlive(pid) ? { holder: printable(holder), pid, since: printable(since) } : undefined;
}

function readStart(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    fs.closeSync(fd);
  }
}

/** The file is text that anyone may have written: no control characters, no novel. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, " ").slice(0, 120);
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function bestEffort<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
