import { Buffer } from "node:buffer";
import type { Day } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { artifactPath, stateFolder } from "../../base/known-paths.ts";
import { decodeText } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { openGit, partsOf, revisionOf, sidesOf, unmergedIn, type Git, type Unmerged } from "../../platform/git.ts";
import type { Files } from "../../platform/files.ts";
import { archiveBytes } from "../logs/archive.ts";
import { readMovedRecord } from "../logs/logical-files.ts";
import { readForgotten } from "../logs/forgotten.ts";
import { addFixedRecords, readFixedRecords } from "../logs/records.ts";
import { removeNodes } from "../run/reopen.ts";
import { realFilesOf, type TreeMemory } from "../memory.ts";
import {
  hasMarkers,
  hasOtherLines,
  mergeFiles,
  mergeKindOf,
  mergeLog,
  recordsOf,
  hasSome,
  originalOf,
  withAdded,
} from "../merge/files.ts";
import { mergeConflicts, mergeLogs, type FileVersions } from "../merge/logs.ts";
import { winningRecords } from "../model/fixed-records.ts";
import { dayOfNote, printMoved, type MovedLogs, type ShorteningStep } from "../model/moved-format.ts";
import { openJoined, type JoinedLogs } from "../versions/revision-files.ts";
import { memoryFolder, movedPath, nodeLevels, nodePath, parseLogFile, recordsFolder } from "../model/period.ts";

export interface ResolveResult {
  /** What was merged, and from what: a stopped merge, an earlier merge, markers or repeats in the file, or a copy beside it. */
  readonly merged: readonly { readonly path: string; readonly from: "conflict" | "merge" | "markers" | "copy" }[];
  /** Copies that were merged, and derived files with markers. The bytes of derived files are in the archive. */
  readonly removed: readonly string[];
  /** Conflicts and copies that a person has to merge. */
  readonly left: readonly string[];
}

const lockWait = 60_000;

/**
 * Merges what git or a synced folder left unmerged: the conflicts of a stopped merge, the newest merge if it was made
 * without the driver, conflict markers, repeated entries, and conflict copies. Adds to the index only what was in
 * conflict. Errors: `busy`, `io`, `changed_by_other`.
 */
export async function resolveMerges(opened: TreeMemory): Promise<ResolveResult> {
  const git = await openGit(opened);
  const tree = await opened.locks.acquire("tree", { holder: "git resolve", waitMs: lockWait });
  try {
    const append = await opened.locks.acquire("append", { holder: "git resolve", waitMs: lockWait });
    try {
      const resolving = new Resolving(opened);
      const unmerged = git === undefined ? undefined : await resolving.unmerged(git);
      if (git !== undefined) await resolving.earlier(git, unmerged ?? new Map());
      await resolving.copies();
      await resolving.inFiles();
      if (git !== undefined && unmerged !== undefined) await resolving.addTo(git, [...unmerged.keys()]);
      return resolving.result();
    } finally {
      await append.release();
    }
  } finally {
    await tree.release();
  }
}

class Resolving {
  readonly #files: Files;
  readonly #opened: TreeMemory;
  readonly #merged = new Map<string, ResolveResult["merged"][number]["from"]>();
  readonly #removed: string[] = [];
  readonly #left: string[] = [];
  /** Files that the stopped merge has in the index as git merged them. */
  readonly #staged: string[] = [];

  constructor(opened: TreeMemory) {
    this.#files = realFilesOf(opened.files);
    this.#opened = opened;
  }

  result(): ResolveResult {
    const merged = [...this.#merged].map(([path, from]) => ({ path, from }));
    return { merged, removed: this.#removed, left: this.#left };
  }

  /** Merges the conflicts of a merge, rebase or cherry-pick that stopped. */
  async unmerged(git: Git): Promise<Unmerged> {
    const files = await unmergedIn(git);
    const read = async (path: string, blob: string | undefined): Promise<Uint8Array | undefined> =>
      blob === undefined ? undefined : git.run(["cat-file", "--filters", `--path=${git.prefix}${path}`, blob]);
    const again = new Map<string, FileVersions>();
    // The records first: they say what is forgotten.
    for (const [path, blobs] of [...files].toSorted(([a], [b]) => orderOf(a) - orderOf(b))) {
      const kind = mergeKindOf(path);
      const [base, ours, theirs] = await Promise.all(blobs.map((blob) => read(path, blob)));
      const versions = { base, ours, theirs };
      const merged = kind && mergeFiles(kind, versions, await readForgotten(this.#files));
      if (kind === undefined) this.#left.push(path);
      else if (merged === "conflict") again.set(path, versions);
      else await this.#keep(path, merged, versions);
    }
    if (again.size > 0) await this.#mergeAgain(git, again);
    return files;
  }

  /** Writes the merge of one file, with what was written to it since. */
  async #keep(path: string, merged: Uint8Array | undefined, versions: FileVersions): Promise<void> {
    const [kind, now] = [mergeKindOf(path), (await this.#files.read(path))?.bytes];
    const { ours, theirs } = versions;
    const isNew = now !== undefined && ![ours, theirs].some((side) => side !== undefined && isSame(side, now));
    const forgotten = await readForgotten(this.#files);
    if (kind === "log" && isNew && hasMarkers(now))
      await this.#write(path, withAdded(merged, { sides: sidesIn(versions), now }, forgotten), "conflict");
    else if (kind === "log" && isNew)
      await this.#write(path, mergeLogs({ base: ours, ours: merged, theirs: now }, forgotten), "conflict");
    else if (kind === "records" && isNew)
      await this.#write(path, recordsOf([merged ?? nothing, now], recordsOf(sidesIn(versions))), "conflict");
    else await this.#write(path, merged, "conflict");
  }

  /** Merges whole each log that one side shortened and the other changed or shortened too; the next audit may shorten it. */
  async #mergeAgain(git: Git, again: ReadonlyMap<string, FileVersions>): Promise<void> {
    const sides = await sidesOf(git);
    const joined = sides && (await openJoined(this.#opened, sides));
    const forgotten = await readForgotten(this.#files);
    const record = (await readMovedRecord(this.#files)).logs;
    const shortened = joined?.moved.unequal ?? record;
    const logs = new Set(again.has(movedPath) ? joined?.moved.differing : []);
    for (const [path, versions] of again)
      if (mergeKindOf(path) === "log" && !shortened.has(path))
        await this.#keep(path, mergeLog(versions, forgotten), versions);
      else if (joined === undefined) this.#left.push(path);
      else if (mergeKindOf(path) === "log") logs.add(path);
    if (joined === undefined) return;
    for (const log of logs) {
      const made = again.has(log) ? undefined : await git.ask(["cat-file", "--filters", `:./${log}`]);
      const versions = again.get(log) ?? { base: undefined, ours: made, theirs: made };
      await this.#keep(log, mergeLog(await joined.read(log), forgotten), versions);
    }
    if (logs.size === 0) return;
    const steps = new Map([...logs].map((log) => [log, joined.moved.unequal.get(log) ?? []]));
    pushAll(this.#staged, await this.#dropSteps(steps, again.has(movedPath) ? joined.moved.logs : record, "conflict"));
  }

  /** Removes the steps of logs that are whole again, what audits noted of them, and the old bytes: they may have what is forgotten later. */
  async #dropSteps(steps: MovedLogs, record: MovedLogs, from: "conflict" | "merge"): Promise<readonly string[]> {
    const left = new Map([...record].filter(([log]) => !steps.has(log)));
    await this.#write(movedPath, Buffer.from(printMoved(left)), from);
    const kept = new Set([...left.values()].flatMap((own) => own.map(({ part }) => part)));
    const gone = [...steps.values()].flat();
    const parts = new Set(gone.map(({ part }) => part).filter((part) => !kept.has(part)));
    const removed = new Set([...parts, ...gone.map(({ before }) => artifactPath(before.sha256, "json"))]);
    // An addendum that was made while the merge was stopped is of the part.
    const days = new Set<string>([...steps.keys()].map((log) => dayOfNote(log) ?? ""));
    const daily = `${memoryFolder}/daily`;
    const late = (await this.#files.names(daily)).filter((name) => /\.late-\d+\.md$/u.test(name));
    for (const name of late.filter((one) => days.has(one.slice(0, 10))))
      await this.#files.commit([{ path: `${daily}/${name}`, bytes: undefined, expect: "anything" }]);
    for (const path of removed) await this.#write(path, undefined, from);
    const history = (await this.#files.names(historyFolder)).map((name) => `${historyFolder}/${name}`);
    for (const path of history) {
      const entry = parseObject(decodeText((await this.#files.read(path))?.bytes ?? nothing) ?? "");
      const files = entry?.["files"];
      if (!Array.isArray(files)) continue;
      const others = files.filter((file) => !isObject(file) || !steps.has(String(file["path"])));
      const bytes = others.length === 0 ? undefined : Buffer.from(`${JSON.stringify({ ...entry, files: others })}\n`);
      if (others.length < files.length) await this.#write(path, bytes, from);
    }
    return [movedPath, ...steps.keys(), ...removed, ...history];
  }

  /** Merges again what the stopped or the newest merge merged without the driver, and keeps what was written since. */
  async earlier(git: Git, unmerged: Unmerged): Promise<void> {
    const stopped = await sidesOf(git);
    const newest = await revisionOf(git, ["rev-list", "--merges", "-n", "1", "HEAD"]);
    if (stopped === undefined && (newest ?? "") === "") return;
    const [one, other] =
      stopped === undefined ? [`${newest ?? ""}^1`, `${newest ?? ""}^2`] : [stopped.ours, stopped.theirs];
    const base = stopped === undefined ? await revisionOf(git, ["merge-base", one, other]) : stopped.base;
    // Of a merge that is not committed yet, the result is in the index.
    const merge = stopped === undefined ? newest : "";
    const changed = async (side: string): Promise<readonly string[]> =>
      partsOf(await git.ask(["diff", "--name-only", "--relative", "-z", base ?? emptyTree, side, "--", memoryFolder]));
    const byOther = new Set(await changed(other));
    let joined: JoinedLogs | undefined;
    const { logs: record } = await readMovedRecord(this.#files);
    const steps = new Map<string, readonly ShorteningStep[]>();
    for (const path of (await changed(one)).filter((one) => byOther.has(one))) {
      const kind = mergeKindOf(path);
      if ((kind !== "log" && kind !== "records") || unmerged.has(path)) continue;
      const at = (revision: string | undefined): Promise<Uint8Array | undefined> =>
        revision === undefined
          ? Promise.resolve(undefined)
          : git.ask(["cat-file", "--filters", `${revision}:./${path}`]);
      const [was, ours, theirs, made] = await Promise.all([at(base), at(one), at(other), at(merge)]);
      const now = (await this.#files.read(path))?.bytes;
      if (made === undefined || now === undefined) continue;
      const [versions, forgotten] = [{ base: was, ours, theirs }, await readForgotten(this.#files)];
      let wanted = mergeFiles(kind, versions, forgotten);
      if (wanted === "conflict") {
        joined ??= await openJoined(this.#opened, { base, ours: one, theirs: other });
        const own = joined?.moved.unequal.get(path);
        if (joined === undefined || (own !== undefined && !hasSome(record.get(path), own))) continue;
        wanted = mergeLog(own === undefined ? versions : await joined.read(path), forgotten);
        if (own !== undefined && wanted !== undefined) steps.set(path, own);
      }
      if (wanted === undefined || isSame(wanted, made)) continue;
      // A line of neither side was written before the merge was committed, so someone looked at it.
      const isOwn = kind === "log" && hasOtherLines(made, sidesIn(versions));
      if (isOwn && !steps.has(path)) continue;
      const whole = isOwn ? withAdded(wanted, { sides: sidesIn(versions), now: made }, forgotten) : wanted;
      const fixed =
        kind === "log" ? mergeLogs({ base: made, ours: whole, theirs: now }) : recordsOf([wanted, now], made);
      await this.#write(path, fixed, "merge");
      if (stopped !== undefined) this.#staged.push(path);
    }
    const dropped = steps.size === 0 ? [] : await this.#dropSteps(steps, record, "merge");
    if (stopped !== undefined) pushAll(this.#staged, dropped);
  }

  /** Merges the copies that a synced folder made of a file into the file, and removes them. */
  async copies(): Promise<void> {
    const folders = [memoryFolder, "memory/records", "memory/archive", ...nodeLevels.map((level) => `memory/${level}`)];
    for (const folder of folders) {
      const names = new Set(await this.#files.names(folder));
      for (const name of names) {
        const path = `${folder}/${name}`;
        const original = originalOf(path, names);
        const kind = original === undefined ? undefined : mergeKindOf(original);
        const copy = kind === undefined ? undefined : await this.#files.read(path);
        if (original === undefined || kind === undefined || copy === undefined) continue;
        const ours = (await this.#files.read(original))?.bytes;
        const theirs = copy.bytes;
        if (kind === "derived") await archiveBytes(this.#files, original, theirs);
        else if (kind === "log" || kind === "records" || kind === "journal") {
          const merged = mergeFiles(
            kind,
            { base: undefined, ours: ours ?? theirs, theirs },
            await readForgotten(this.#files),
          );
          if (merged !== "conflict") await this.#write(original, merged, "copy");
        } else if (kind !== "local" && (ours === undefined || !isSame(ours, theirs))) {
          this.#left.push(path);
          continue;
        }
        await this.#files.commit([{ path, bytes: undefined, expect: { stamp: copy.stamp } }]);
        this.#removed.push(path);
      }
    }
  }

  /** Removes conflict markers, repeated and forgotten entries from logs and records, and derived files with markers. */
  async inFiles(): Promise<void> {
    for (const { name } of await this.#files.list(recordsFolder)) {
      const path = `${recordsFolder}/${name}`;
      if (mergeKindOf(path) !== "records") continue;
      const bytes = (await this.#files.read(path))?.bytes ?? new Uint8Array(0);
      if (!isSame(recordsOf([bytes]), bytes)) await this.#write(path, recordsOf([bytes]), "markers");
    }
    const forgotten = await readForgotten(this.#files);
    for (const { name, kind } of await this.#files.list(memoryFolder)) {
      const log = parseLogFile(name);
      if (kind !== "file" || log.state !== "log") continue;
      const path = `${memoryFolder}/${name}`;
      const bytes = (await this.#files.read(path))?.bytes ?? new Uint8Array(0);
      if (hasMarkers(bytes)) await this.#remake(log.day);
      await this.#write(path, mergeConflicts(bytes, forgotten), "markers");
    }
    for (const folder of [memoryFolder, ...nodeLevels.map((level) => `${memoryFolder}/${level}`)])
      for (const { name, kind } of await this.#files.list(folder)) {
        const path = `${folder}/${name}`;
        if (kind !== "file" || mergeKindOf(path) !== "derived") continue;
        const bytes = (await this.#files.read(path))?.bytes ?? new Uint8Array(0);
        if (!hasMarkers(bytes)) continue;
        await archiveBytes(this.#files, path, bytes);
        await this.#files.commit([{ path, bytes: undefined, expect: "anything" }]);
        this.#removed.push(path);
      }
  }

  /** A node that was fixed while its log had markers is made again from the log without them. */
  async #remake(day: Day): Promise<void> {
    const node = nodePath({ level: "daily", period: day, late: 0 });
    const fixed = winningRecords(await readFixedRecords(this.#files)).get(node);
    const bytes = (await this.#files.read(node))?.bytes;
    if (fixed?.listed === undefined) return;
    await addFixedRecords(this.#files, [{ kind: "fixed", node, version: fixed.version + 1 }]);
    if (bytes === undefined) return;
    await archiveBytes(this.#files, node, bytes);
    await removeNodes({ files: this.#files }, [node]);
    this.#removed.push(node);
  }

  /** Tells git that the conflicts are resolved. */
  async addTo(git: Git, unmerged: readonly string[]): Promise<void> {
    const left = new Set(this.#left);
    const resolved = unmerged.filter((path) => !left.has(path));
    for (let from = 0; from < resolved.length; from += 500)
      await git.run(["add", "-A", "-f", "--", ...resolved.slice(from, from + 500)]);
    // Git may not have what was removed.
    for (const path of this.#staged) await git.ask(["add", "-A", "-f", "--", path]);
  }

  async #write(
    path: string,
    bytes: Uint8Array | undefined,
    from: "conflict" | "merge" | "markers" | "copy",
  ): Promise<void> {
    const now = await this.#files.read(path);
    if (from === "conflict") this.#merged.set(path, from);
    if (now === undefined ? bytes === undefined : bytes !== undefined && isSame(now.bytes, bytes)) return;
    const expect = now === undefined ? "absent" : { stamp: now.stamp };
    const [done] = await this.#files.commit([{ path, bytes, expect }]);
    if (done?.outcome !== "changed") return void this.#merged.set(path, from);
    const message = `${path} is being changed by another program; run the command again.`;
    throw new MemoryError("changed_by_other", message, { path });
  }
}

const historyFolder = `${stateFolder}/audit`;

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function orderOf(path: string): number {
  return mergeKindOf(path) === "records" ? 0 : 1;
}

const nothing = new Uint8Array(0);

function sidesIn({ base, ours, theirs }: FileVersions): readonly Uint8Array[] {
  return [base, ours, theirs].filter((bytes) => bytes !== undefined);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b);
}
