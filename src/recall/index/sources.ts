import { ifMemoryError, type Warning } from "../../base/errors.ts";
import type { FileEntry } from "../../platform/files.ts";
import type { SourceContent, IndexedSource } from "./search-index.ts";
import {
  daysCovered,
  memoryFolder,
  nodeLevels,
  parseLogFile,
  parseNodePath,
  rootPath,
} from "../../tree/model/period.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import { isRacy } from "../../tree/run/idle.ts";
import type { RecallMemory, ThreadSize } from "../memory.ts";
import { once } from "../../base/lines.ts";
import { compareTexts, pushAll } from "../../base/lists.ts";

/** Something to index, before it is read: a file or a part of a thread. */
export interface Source extends Pick<SourceContent, "kind" | "level" | "from" | "to" | "stamp"> {
  readonly key: string;
  /** Estimated work: bytes of a file, or 1000 per frame of a thread. */
  readonly size: number;
  /** Milliseconds since the epoch; 0 if it cannot change without its stamp changing. */
  readonly changedAt: number;
  /** The part of a thread; absent for a file, whose key is its path. */
  readonly part?: { readonly thread: ThreadSize; readonly seqs: readonly [number, number] };
}

/** Change this whenever sources are cut differently into sections, chunks, statements, words or parts. */
const cutting = "cut-7";

/** The rules an index is built with. An index built with other rules is rebuilt. The embedder is not one of them: vectors are added later. */
export const indexRules = `${cutting} ${ruleSetId}`;

export type Sources = Awaited<ReturnType<typeof listSources>>;

/** Files in the project folder in which agents keep facts about the user. */
const profileFiles: readonly string[] = ["MEMORY.md", "USER.md"];
/** Frames per part of a thread. After a message is appended, only the last part of a long thread is read again. */
const framesOfPart = 512;

/** How many of the newest logs a glance checks for changes. */
const newestLogs = 14;
const beginsLikeLog = /^\d/u;

/** A file that may be a source. */
type ListedFile = Pick<Source, "key" | "stamp" | "size" | "changedAt">;

/**
 * Lists the sources without reading them: those without a day first, then newest first. `listed`: the files that may be sources; they are looked at more closely only if something changed. `files` shows shortened logs in full; `unlisted`: key prefixes of what
 * could not be listed, each with a warning. A `glance` takes a few milliseconds even after ten years: it leaves out nodes, and older logs are in `unseen` instead:
 * they exist, and may have changed.
 */
export async function listSources(memory: RecallMemory, how: "whole" | "glance" = "whole") {
  const { files } = await withLogicalLogs(memory);
  const listed: ListedFile[] = [];
  const parts: Source[] = [];
  const unlisted: string[] = [];
  const unseen: string[] = [];
  const warnings: Warning[] = [];
  /** `beginnings`: key prefixes of the sources in the folder. */
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
  const add = (path: string, { kind, stamp, size, changedAt }: FileEntry): void => {
    if (kind === "file" && size > 0) listed.push({ key: path, stamp, size, changedAt });
  };

  const isWhole = how === "whole";
  const glanceAtLogs = async (): Promise<readonly FileEntry[]> => {
    const names = (await files.names(memoryFolder)).filter((name) => beginsLikeLog.test(name));
    for (const name of names.slice(0, -newestLogs)) unseen.push(`${memoryFolder}/${name}`);
    const newest = names.slice(-newestLogs).map(async (name): Promise<readonly FileEntry[]> => {
      const read = files.read(`${memoryFolder}/${name}`, { from: 0, to: 0 });
      const found = await read.catch(ifMemoryError(() => undefined));
      return found === undefined ? [] : [{ ...found, name, kind: "file", changedAt: 0 }];
    });
    return (await Promise.all(newest)).flat();
  };
  const logs = isWhole ? list(memoryFolder) : orNone(memoryFolder, [`${memoryFolder}/`], glanceAtLogs());
  for (const entry of await logs) add(`${memoryFolder}/${entry.name}`, entry);
  for (const level of isWhole ? nodeLevels : [])
    for (const entry of await list(`${memoryFolder}/${level}`)) add(`${memoryFolder}/${level}/${entry.name}`, entry);
  for (const entry of await list("", profileFiles)) if (profileFiles.includes(entry.name)) add(entry.name, entry);
  const addKnowledge = async (folder: string): Promise<void> => {
    for (const entry of await list(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.kind === "folder") await addKnowledge(path);
      else add(path, entry);
    }
  };
  await addKnowledge("knowledge");
  const mayHaveThreads =
    memory.threadReader.place === "server" ||
    (await list(".heartwood/threads", ["thread:"])).some(({ name }) => name === "threads.sqlite");
  if (mayHaveThreads) {
    const heads = await orNone("threads", ["thread:"], memory.threadReader.list());
    for (const head of heads) pushAll(parts, partsOf(head));
  }
  const sources = once(() =>
    [...listed.flatMap((file) => sourceOf(file) ?? []), ...parts].toSorted((a, b) =>
      a.to === b.to ? compareTexts(a.key, b.key) : compareTexts(rank(b), rank(a)),
    ),
  );
  return { listed, parts, sources, files, unlisted, unseen, warnings };
}

function sourceOf(file: ListedFile): Source | undefined {
  const { key } = file;
  const name = key.slice(key.lastIndexOf("/") + 1);
  if (key === name) return { ...file, kind: "memory", level: "none", from: "", to: "" };
  if (key === rootPath) return { ...file, kind: "node", level: "root", from: "", to: "" };
  if (!key.startsWith(`${memoryFolder}/`))
    return name.endsWith(".md") ? { ...file, kind: "knowledge", level: "none", from: "", to: "" } : undefined;
  const node = parseNodePath(key);
  if (node !== undefined) {
    const { first, last } = daysCovered(node.level, node.period);
    return { ...file, kind: "node", level: node.level, from: first, to: last };
  }
  const log = key === `${memoryFolder}/${name}` ? parseLogFile(name) : undefined;
  return log?.state === "log" ? { ...file, kind: "raw", level: "raw", from: log.day, to: log.day } : undefined;
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
      // The days of its messages are unknown until it is read.
      from: "",
      to: "",
      // A thread restored from a copy may continue differently and reach the same length.
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
  /** Digest of the indexed version. */
  readonly digest: string | undefined;
  /** `unsure`: its stamp matches the indexed one, but that stamp was taken too soon after a change to prove anything. */
  readonly is: "changed" | "unsure";
}

/**
 * Compares sources with the index. `stale`: new sources and those with a different stamp, in order; `gone`: keys that no longer exist. Sources that could not
 * be listed are not reported as gone. `clean`: keys of unchanged sources in which no secret was found.
 */
export function differenceOf(
  { sources, unlisted, unseen }: Pick<Sources, "sources" | "unlisted" | "unseen">,
  indexed: readonly IndexedSource[],
) {
  const known = new Map(indexed.map((source) => [source.key, source]));
  for (const key of unseen) known.delete(key);
  const clean = new Set<string>();
  const stale = sources().flatMap((source): readonly Stale[] => {
    const before = known.get(source.key);
    known.delete(source.key);
    if (before?.stamp === source.stamp && before.secrets === "none") clean.add(source.key);
    if (before?.stamp === source.stamp) return [];
    return [{ source, digest: before?.digest, is: before?.stamp === source.stamp + racyMark ? "unsure" : "changed" }];
  });
  const gone = [...known.keys()].filter((key) => !unlisted.some((beginning) => key.startsWith(beginning)));
  return { stale, gone, clean };
}

/** Whether the index has exactly these sources, as they are: what `differenceOf` finds out, in a fraction of the time. */
export function isUnchanged(
  { listed, parts, unlisted, unseen }: Omit<Sources, "sources">,
  indexed: readonly IndexedSource[],
): boolean {
  const known = new Map(indexed.map(({ key, stamp }) => [key, stamp]));
  for (const key of unseen) known.delete(key);
  const isKnown = ({ key, stamp }: ListedFile): boolean => known.get(key) === stamp && known.delete(key);
  const isSame = parts.every(isKnown) && listed.every((file) => isKnown(file) || sourceOf(file) === undefined);
  return isSame && [...known.keys()].every((key) => unlisted.some((beginning) => key.startsWith(beginning)));
}

/** Number of sources that are certainly out of date in the index, including those that no longer exist. */
export function countChanged({ stale, gone }: Difference): number {
  return stale.filter(({ is }) => is === "changed").length + gone.length;
}

const racyMark = " racy";

/**
 * The stamp to store for a source read at `readAt`. A file that changed just before, or since it was listed, could change again without its stamp changing (the
 * "racy git" problem), so it gets a stamp that no file has. It is then read once more and, if unchanged, only gets its real stamp.
 */
export function rememberedStamp(source: Pick<Source, "stamp" | "changedAt">, stamp: string, readAt: number): string {
  return stamp !== source.stamp || isRacy(source.changedAt, readAt) ? stamp + racyMark : stamp;
}
