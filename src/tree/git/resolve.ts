import { Buffer } from "node:buffer";
import type { Day } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { scanLines } from "../../base/markdown.ts";
import { sha256, shortDigest } from "../../base/digest.ts";
import { openGit, partsOf, type Git } from "../../platform/git.ts";
import type { Files } from "../../platform/files.ts";
import { archivePath } from "../logs/archive.ts";
import { presentLogs } from "../logs/logical-files.ts";
import { readForgotten } from "../logs/forgotten.ts";
import { addFixedRecords, readFixedRecords } from "../logs/records.ts";
import { removeNodes } from "../run/reopen.ts";
import { realFilesOf, type TreeMemory } from "../memory.ts";
import { mergeFiles, mergeKindOf, mergeRecords, movedIn, originalOf, type MergeKind } from "../merge/files.ts";
import { mergeConflicts, mergeLogs, type FileVersions } from "../merge/logs.ts";
import { winningRecords } from "../model/fixed-records.ts";
import { printMoved } from "../model/moved-format.ts";
import { overlayFiles } from "../versions/as-of.ts";
import { GitReader } from "../versions/revision-files.ts";
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

/** The versions of conflicted files in the index: by path, the blobs of base, ours and theirs. */
type Unmerged = ReadonlyMap<string, readonly (string | undefined)[]>;

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
    const again: string[] = [];
    // The records first: they say what is forgotten.
    for (const [path, blobs] of [...files].toSorted(([a], [b]) => orderOf(a) - orderOf(b))) {
      const kind = mergeKindOf(path);
      const [base, ours, theirs] = await Promise.all(blobs.map((blob) => read(path, blob)));
      if (kind === undefined) this.#left.push(path);
      else if (!(await this.#merge(path, kind, { base, ours, theirs }))) again.push(path);
    }
    if (again.length > 0) await this.#undoShortening(git, { again, files, read });
    return files;
  }

  /** The merge of one file, with what was written to it since; `false`: the sides shortened a note differently. */
  async #merge(path: string, kind: MergeKind, versions: FileVersions): Promise<boolean> {
    const forgotten = await readForgotten(this.#files);
    const merged = mergeFiles(kind, versions, forgotten);
    if (merged === "conflict") return false;
    const now = (await this.#files.read(path))?.bytes;
    const { ours, theirs } = versions;
    const isNew = now !== undefined && ![ours, theirs].some((side) => side !== undefined && isSame(side, now));
    if (kind === "log" && isNew)
      await this.#write(
        path,
        mergeLogs({ base: ours, ours: merged, theirs: mergeConflicts(now) }, forgotten),
        "conflict",
      );
    else if (kind === "records" && isNew)
      await this.#write(path, records([merged ?? nothing, now], records(sidesIn(versions))), "conflict");
    else await this.#write(path, merged, "conflict");
    return true;
  }

  /**
   * Both sides shortened a note after adding different entries to it: the note is the merge of the whole logs again, and
   * the next audit may shorten it.
   */
  async #undoShortening(
    git: Git,
    stopped: {
      readonly again: readonly string[];
      readonly files: Unmerged;
      readonly read: (path: string, blob: string | undefined) => Promise<Uint8Array | undefined>;
    },
  ): Promise<void> {
    const sides = await sidesOf(git);
    const blobs = stopped.files.get(movedPath) ?? [];
    const versions = await Promise.all([0, 1, 2].map((side) => stopped.read(movedPath, blobs[side])));
    const [base, ours, theirs] = versions;
    const moved = movedIn({ base, ours, theirs });
    if (sides === undefined || moved === undefined) return pushAll(this.#left, stopped.again);
    const reader = await GitReader.open(this.#opened.commands);
    const whole = await Promise.all(
      [sides.base, sides.ours, sides.theirs].map(async (name) =>
        name === undefined
          ? undefined
          : presentLogs(this.#opened, overlayFiles((await reader.revision(name)).files, { isHidden: () => false })),
      ),
    );
    for (const log of moved.differing) {
      const [was, left, right] = await Promise.all(whole.map(async (files) => (await files?.files.read(log))?.bytes));
      await this.#write(
        log,
        mergeLogs({ base: was, ours: left, theirs: right }, await readForgotten(this.#files)),
        "conflict",
      );
    }
    await this.#write(movedPath, Buffer.from(printMoved(moved.logs)), "conflict");
    const kept = new Set([...moved.logs.values()].flatMap((steps) => steps.map(({ part }) => part)));
    for (const path of stopped.again)
      if (path !== movedPath && !kept.has(path)) await this.#write(path, undefined, "conflict");
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
    for (const path of (await changed(one)).filter((one) => byOther.has(one))) {
      const kind = mergeKindOf(path);
      if ((kind !== "log" && kind !== "records") || unmerged.has(path)) continue;
      const at = (revision: string | undefined): Promise<Uint8Array | undefined> =>
        revision === undefined
          ? Promise.resolve(undefined)
          : git.ask(["cat-file", "--filters", `${revision}:./${path}`]);
      const [was, ours, theirs, made] = await Promise.all([at(base), at(one), at(other), at(merge)]);
      const wanted = mergeFiles(kind, { base: was, ours, theirs }, await readForgotten(this.#files));
      const now = (await this.#files.read(path))?.bytes;
      if (wanted === "conflict" || wanted === undefined || made === undefined || now === undefined) continue;
      if (isSame(wanted, made)) continue;
      const fixed =
        kind === "log" ? mergeLogs({ base: made, ours: wanted, theirs: now }) : records([wanted, now], made);
      await this.#write(path, fixed, "merge");
      if (stopped !== undefined) this.#staged.push(path);
    }
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
        if (kind === "derived") await this.#archive(original, theirs);
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
      if (!isSame(records([bytes]), bytes)) await this.#write(path, records([bytes]), "markers");
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
        await this.#archive(path, bytes);
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
    await this.#archive(node, bytes);
    await removeNodes({ files: this.#files }, [node]);
    this.#removed.push(node);
  }

  /** Tells git that the conflicts are resolved. */
  async addTo(git: Git, unmerged: readonly string[]): Promise<void> {
    const left = new Set(this.#left);
    const resolved = [...unmerged.filter((path) => !left.has(path)), ...this.#staged];
    for (let from = 0; from < resolved.length; from += 500)
      await git.run(["add", "-A", "-f", "--", ...resolved.slice(from, from + 500)]);
  }

  async #archive(path: string, bytes: Uint8Array): Promise<void> {
    const place = archivePath(path, shortDigest(sha256(bytes)));
    await this.#files.commit([{ path: place, bytes, expect: "absent" }]);
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

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function orderOf(path: string): number {
  return mergeKindOf(path) === "records" ? 0 : 1;
}

async function unmergedIn(git: Git): Promise<Unmerged> {
  const files = new Map<string, (string | undefined)[]>();
  for (const row of partsOf(await git.run(["ls-files", "-u", "-z"]))) {
    const [, blob, stage, path = ""] = /^\d+ ([0-9a-f]+) ([123])\t([\s\S]+)$/u.exec(row) ?? [];
    const blobs = files.get(path) ?? [undefined, undefined, undefined];
    blobs[Number(stage) - 1] = blob;
    files.set(path, blobs);
  }
  return files;
}

/** The commits that a stopped merge, cherry-pick, rebase or revert joins. The base is `undefined` if they have none in common. */
async function sidesOf(git: Git) {
  const found = (...words: string[]): Promise<string | undefined> =>
    revisionOf(git, ["rev-parse", "-q", "--verify", ...words]);
  const merged = await found("MERGE_HEAD");
  if (merged !== undefined)
    return { base: await revisionOf(git, ["merge-base", "HEAD", merged]), ours: "HEAD", theirs: merged };
  const picked = (await found("CHERRY_PICK_HEAD")) ?? (await found("REBASE_HEAD"));
  if (picked !== undefined) return { base: await found(`${picked}^`), ours: "HEAD", theirs: picked };
  const reverted = await found("REVERT_HEAD");
  const before = reverted === undefined ? undefined : await found(`${reverted}^`);
  return before === undefined ? undefined : { base: reverted, ours: "HEAD", theirs: before };
}

async function revisionOf(git: Git, words: readonly string[]): Promise<string | undefined> {
  const found = await git.ask(words);
  return found === undefined ? undefined : decodeText(found)?.split("\n")[0];
}

const nothing = new Uint8Array(0);

function sidesIn({ base, ours, theirs }: FileVersions): readonly Uint8Array[] {
  return [base, ours, theirs].filter((bytes) => bytes !== undefined);
}

function records(sides: readonly Uint8Array[], base: Uint8Array = nothing): Uint8Array {
  const linesOf = (bytes: Uint8Array): readonly string[] => Buffer.from(bytes).toString("utf8").split(/\r?\n/u);
  const lines = mergeRecords(sides.map(linesOf), linesOf(base));
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

function hasMarkers(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  return text.includes("\n<<<<<<<") && scanLines(text.split(/\r?\n/u)).conflicts.length > 0;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b);
}
