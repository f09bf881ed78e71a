import { lstatSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../../../base/errors.ts";
import { isObject, parseJson } from "../../../base/json.ts";
import { isAlive } from "../../../platform/locks.ts";

/** Removes unfinished files left by killed processes. */
export function removeUnfinished(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (/^index\.sqlite\.\d+\.new(?:-journal)?$/u.test(name)) rmSync(`${dirname(path)}/${name}`, { force: true });
}

/** `undefined` if there is no file. `id`: device and inode; `stamp`: size and modification time, which change with every write but not in a copy that keeps times. */
export function factsOf(path: string) {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const { dev, ino, size, mtimeNs } = stat;
  return { id: `${dev}-${ino}`, stamp: `${size}-${mtimeNs}`, size: Number(size) };
}

/**
 * The contents of `index.check`, next to the index: the file's stamp after the last write. SQLite trusts the bytes of a file, so a different stamp shows that
 * another program has changed it.
 */
interface Check {
  readonly stamp: string;
  /** The process that is writing. SQLite ensures that readers see the state before or after its transaction. */
  readonly writer?: number;
}

/** Whether the file is unchanged since the last write, or a live process is writing it. */
export function isWhole(path: string, { stamp }: { readonly stamp: string }): boolean {
  const check = readCheck(path);
  return check !== undefined && (check.stamp === stamp || isWriting(check.writer));
}

/** Call before committing a transaction. */
export function announceWrite(path: string): void {
  writeCheck(path, { stamp: readCheck(path)?.stamp ?? "", writer: process.pid });
}

/** Call after a commit or rollback. Returns the file's new stamp. */
export function noteWritten(path: string): string {
  const stamp = factsOf(path)?.stamp ?? "";
  writeCheck(path, { stamp });
  return stamp;
}

/** Changes with each step of a write: if it is the same before and after a check, no write happened in between. */
export function markOf(path: string): string {
  return `${factsOf(path)?.stamp} ${JSON.stringify(readCheck(path))}`;
}

const checkOf = (path: string): string => path.replace(/\.sqlite$/u, ".check");

function readCheck(path: string): Check | undefined {
  const value = parseJson(attempt(() => readFileSync(checkOf(path), "utf8")) ?? "");
  const { stamp, writer } = isObject(value) ? value : {};
  if (typeof stamp !== "string") return undefined;
  return { stamp, ...(typeof writer === "number" ? { writer } : {}) };
}

function writeCheck(path: string, check: Check): void {
  const temporary = `${checkOf(path)}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(check), { flag: "wx", mode: 0o600 });
  renameSync(temporary, checkOf(path));
}

/** False for this process: it writes synchronously, so it never checks during a write. */
function isWriting(pid: number | undefined): boolean {
  return pid !== undefined && pid !== process.pid && isAlive(pid);
}
