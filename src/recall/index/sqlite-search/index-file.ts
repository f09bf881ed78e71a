import * as fs from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../../../base/errors.ts";
import { isObject, parseJson } from "../../../base/json.ts";
import { isAlive } from "../../../platform/locks.ts";

/** Removes what processes that were killed had begun to make. */
export function removeUnfinished(path: string): void {
  for (const name of fs.readdirSync(dirname(path)))
    if (/^index\.sqlite\.\d+\.new(?:-journal)?$/u.test(name)) fs.rmSync(`${dirname(path)}/${name}`, { force: true });
}

/** `undefined` when there is none. `id`: device and inode; `stamp`: size and time, which change with every write, and stay in a faithful copy. */
export function factsOf(path: string) {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const { dev, ino, size, mtimeNs } = stat;
  return { id: `${dev}-${ino}`, stamp: `${size}-${mtimeNs}`, size: Number(size) };
}

/**
 * What the file was when it was last written, in `index.check` beside it. SQLite trusts the bytes of a file; another stamp shows that another program
 * has written it.
 */
interface Check {
  readonly stamp: string;
  /** The process that is writing; SQLite sees to it that others read what was there before or comes after. */
  readonly writer?: number;
}

/** Whether the file is what was written, or is being written by a process that is alive. */
export function isWhole(path: string, { stamp }: { readonly stamp: string }): boolean {
  const check = readCheck(path);
  return check !== undefined && (check.stamp === stamp || isWriting(check.writer));
}

/** To be called before a transaction is committed. */
export function announceWrite(path: string): void {
  writeCheck(path, { stamp: readCheck(path)?.stamp ?? "", writer: process.pid });
}

/** To be called when it is, or was taken back; the stamp of the file now. */
export function noteWritten(path: string): string {
  const stamp = factsOf(path)?.stamp ?? "";
  writeCheck(path, { stamp });
  return stamp;
}

/** Changes with each step of a write: what was seen between two looks at the same mark was not between two writes. */
export function markOf(path: string): string {
  return `${factsOf(path)?.stamp} ${JSON.stringify(readCheck(path))}`;
}

const checkOf = (path: string): string => path.replace(/\.sqlite$/u, ".check");

function readCheck(path: string): Check | undefined {
  const value = parseJson(attempt(() => fs.readFileSync(checkOf(path), "utf8")) ?? "");
  const { stamp, writer } = isObject(value) ? value : {};
  if (typeof stamp !== "string") return undefined;
  return { stamp, ...(typeof writer === "number" ? { writer } : {}) };
}

function writeCheck(path: string, check: Check): void {
  const temporary = `${checkOf(path)}.${process.pid}`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, JSON.stringify(check), { flag: "wx", mode: 0o600 });
  fs.renameSync(temporary, checkOf(path));
}

/** This process writes without a pause, so it never looks while it does. */
function isWriting(pid: number | undefined): boolean {
  return pid !== undefined && pid !== process.pid && isAlive(pid);
}
