import { ifMemoryError, type Warning } from "../../base/errors.ts";
import type { FileEntry } from "../../platform/files.ts";
import type { SourceContent, IndexedSource } from "./search-index.ts";
import {
  daysCovered,
  memoryFolder,
  nodeLevels,
  parseLogFile,
  parseNodeFile,
  rootPath,
} from "../../tree/model/period.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { isRacy } from "../../tree/run/idle.ts";
import type { RecallMemory, ThreadSize } from "../memory.ts";
import { compareTexts, pushAll } from "../../base/lists.ts";

/** Something that is indexed as one, before it is read. */
export interface Source extends Pick<SourceContent, "kind" | "level" | "from" | "to" | "stamp"> {
  readonly key: string;
  /** Bytes, or frames of a thread, by which the work is judged. */
  readonly size: number;
  /** Milliseconds since the epoch; 0 when it cannot change under one stamp. */
  readonly changedAt: number;
  /** Absent for a file, whose path is the key. */
  readonly part?: { readonly thread: ThreadSize; readonly seqs: readonly [number, number] };
}

export type Sources = Awaited<ReturnType<typeof listSources>>;

/** What agents keep of the user beside the logs, in the project folder. */
const profileFiles: readonly string[] = ["MEMORY.md", "USER.md"];
/** Frames of a thread that are indexed as one: a message that is appended makes only the last part of a long thread be read again. */
const framesOfPart = 512;

/**
 * Lists what is to be indexed, the newest first, what has no day before all, without reading any of it. `files` present shortened logs as whole ones; `unlisted`: beginnings of the
 * keys of what could not be listed, each with a warning.
 */
export async function listSources(memory: RecallMemory) {
  const { files } = await withLogicalLogs(memory);
  const sources: Source[] = [];
  const unlisted: string[] = [];
  const warnings: Warning[] = [];
  /** `beginnings`: of the keys of what is in it. */
  const orNone = <T>(path: string, beginnings: readonly string[], listing: Promise<readonly T[]>) =>
    listing.catch(
      ifMemoryError(({ message }): readonly T[] => {
        pushAll(unlisted, beginnings);
        warnings.push({ code: "not_listed", path, message });
        return [];
      }),
    );
  const list = (folder: string, beginnings: readonly string[] = [`${folder}/`]): Promise<readonly FileEntry[]> =>
    orNone(folder === "" ? "." : folder, beginnings, files.list(folder));
  const add = (path: string, entry: FileEntry, is: Pick<Source, "kind" | "level" | "from" | "to">): void => {
    if (entry.kind !== "file" || entry.size === 0) return;
    const { stamp, size, changedAt } = entry;
    sources.push({ key: path, ...is, stamp, size, changedAt });
  };

  for (const entry of await list(memoryFolder)) {
    const path = `${memoryFolder}/${entry.name}`;
    if (path === rootPath) add(path, entry, { kind: "node", level: "root", from: "", to: "" });
    const name = parseLogFile(entry.name);
    if (name.state === "log") add(path, entry, { kind: "raw", level: "raw", from: name.day, to: name.day });
  }
  for (const level of nodeLevels)
    for (const entry of await list(`${memoryFolder}/${level}`)) {
      const name = parseNodeFile(level, entry.name);
      if (name === undefined) continue;
      const { first, last } = daysCovered(level, name.period);
      add(`${memoryFolder}/${level}/${entry.name}`, entry, { kind: "node", level, from: first, to: last });
    }
  for (const entry of await list("", profileFiles))
    if (profileFiles.includes(entry.name)) add(entry.name, entry, { kind: "memory", level: "none", from: "", to: "" });
  const addKnowledge = async (folder: string): Promise<void> => {
    for (const entry of await list(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.kind === "folder") await addKnowledge(path);
      else if (entry.name.endsWith(".md")) add(path, entry, { kind: "knowledge", level: "none", from: "", to: "" });
    }
  };
  await addKnowledge("knowledge");
  if ((await list(".heartwood/threads", ["thread:"])).some(({ name }) => name === "threads.sqlite")) {
    const heads = await orNone("threads", ["thread:"], memory.threadReader.list());
    for (const head of heads) pushAll(sources, partsOf(head));
  }
  const inOrder = sources.toSorted((a, b) =>
    a.to === b.to ? compareTexts(a.key, b.key) : compareTexts(rank(b), rank(a)),
  );
  return { sources: inOrder, files, unlisted, warnings };
}

function rank({ to }: Source): string {
  return to === "" ? "~" : to;
}

function partsOf(thread: ThreadSize): readonly Source[] {
  const { thread_id, head_seq, created_at_ms, updated_at_ms, weight } = thread;
  return Array.from({ length: Math.ceil((head_seq + 1) / framesOfPart) }, (_, part): Source => {
    const first = part * framesOfPart;
    const last = Math.min(head_seq, first + framesOfPart - 1);
    return {
      key: `thread:${thread_id}#${part}`,
      kind: "thread",
      level: "none",
      // The days of its messages are known when it is read.
      from: "",
      to: "",
      // A thread that was restored from a copy may go on otherwise to the same length.
      stamp: [last, created_at_ms, ...(last < head_seq ? [] : [updated_at_ms, weight])].join(" "),
      size: (last - first + 1) * 1000,
      changedAt: 0,
      part: { thread, seqs: [first, last] },
    };
  });
}

export type Difference = ReturnType<typeof differenceOf>;

export interface Stale {
  readonly source: Source;
  /** Of what is indexed of it. */
  readonly digest: string | undefined;
  /** `unsure`: its stamp is the one indexed, but that was taken too early to prove anything. */
  readonly is: "changed" | "unsure";
}

/** What the index lacks. `stale`: new, or with another stamp than the one indexed, in the order of the sources; `gone`: keys of what is there no more. What could not be listed stays as it is. */
export function differenceOf(
  { sources, unlisted }: Pick<Sources, "sources" | "unlisted">,
  indexed: readonly IndexedSource[],
) {
  const known = new Map(indexed.map((source) => [source.key, source]));
  const stale = sources.flatMap((source): readonly Stale[] => {
    const before = known.get(source.key);
    known.delete(source.key);
    if (before?.stamp === source.stamp) return [];
    return [{ source, digest: before?.digest, is: before?.stamp === source.stamp + racyMark ? "unsure" : "changed" }];
  });
  return { stale, gone: [...known.keys()].filter((key) => !unlisted.some((beginning) => key.startsWith(beginning))) };
}

/** How many sources are surely not indexed as they are; those that are there no more among them. */
export function countChanged({ stale, gone }: Difference): number {
  return stale.filter(({ is }) => is === "changed").length + gone.length;
}

/** Follows the digest of a source whose vectors are still to be made. */
const laterMark = " later";

export function rememberedDigest(digest: string, vectors: "made" | "later"): string {
  return vectors === "made" ? digest : digest + laterMark;
}

/** What is indexed, with the sources that lack their vectors as if they had changed. */
export function lackingChanged(indexed: readonly IndexedSource[]): readonly IndexedSource[] {
  return indexed.map((source) => (source.digest.endsWith(laterMark) ? { ...source, stamp: "", digest: "" } : source));
}

const racyMark = " racy";

/**
 * The stamp to be remembered of what was read at `readAt`. What changed just before, or since it was listed, could change once more under the same stamp (the
 * racy-clean rule of git's index), so it gets one that no file has: it is looked at once more, and then only gets a new stamp.
 */
export function rememberedStamp(source: Pick<Source, "stamp" | "changedAt">, stamp: string, readAt: number): string {
  return stamp !== source.stamp || isRacy(source.changedAt, readAt) ? stamp + racyMark : stamp;
}
