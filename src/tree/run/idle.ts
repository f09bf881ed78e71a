import { sha256 } from "../../base/digest.ts";
import { ifInTheWay, ifMemoryError, MemoryError, type Warning } from "../../base/errors.ts";
import type { FileEntry, FileStamp, Files } from "../../platform/files.ts";
import type { CompactInput } from "../inputs.ts";
import { isTemporaryName } from "../../base/known-paths.ts";
import { answersFolder, isLikeLog, movedPath, recordsFolder } from "../model/period.ts";
import type { SkippedSource } from "../model/tree-state.ts";
import type { TreeMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { AskedRequest } from "../answers/record.ts";

export interface RootSummary {
  readonly tokens: number;
  readonly cap: number;
  readonly topics: number;
  readonly dropped: number;
}

export type Level = "daily" | "weekly" | "monthly" | "root";

export interface DueNode {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  /** `new`, `changed`, `status`, `rule`, `ages`, `late`, `foreign`, `damaged`, `adopt`, `answer`. */
  readonly reason: string;
  readonly detail: string;
}

export interface WrittenNode {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  readonly status: "tentative" | "fixed";
  readonly action: "created" | "updated" | "status" | "adopted";
  /** The rule that made the body, such as `copy-1`, `concat-1`, `built-in-4`, `foreign` or `root-4`. */
  readonly summarizer: string;
  readonly sources: readonly string[];
  /** 0 for a node, k for its k-th addendum. */
  readonly late: number;
}

export interface CompactResult {
  readonly today: string;
  readonly cycles: number;
  /** Present with `dry_run`: nothing was written. */
  readonly dry_run?: true;
  /** Present if it first finished a forgetting that was interrupted, or that another clone began. */
  readonly finished_forgetting?: true;
  /** Why `if_due` prevented a run although nodes are due; otherwise absent. */
  readonly waits?: string;
  readonly written: readonly WrittenNode[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedSource[];
  readonly warnings: readonly Warning[];
  readonly due: readonly DueNode[];
  /** Figures of the current ROOT.md; `null` unless heartwood wrote it. */
  readonly root: RootSummary | null;
  /** Requests to the configured model, or with `dry_run` those that would be sent. Absent without a model. */
  readonly requests?: readonly AskedRequest[];
  readonly duration_ms: number;
}

/** One result for a run and another one after it. */
export function joinRuns(first: CompactResult, second: CompactResult): CompactResult {
  const again = new Set(second.written.map(({ path }) => path));
  const warnings = new Map([...first.warnings, ...second.warnings].map((one) => [JSON.stringify(one), one]));
  return {
    ...second,
    cycles: first.cycles + second.cycles,
    written: [...first.written.filter(({ path }) => !again.has(path)), ...second.written],
    unchanged: Math.min(first.unchanged, second.unchanged),
    warnings: [...warnings.values()],
    duration_ms: first.duration_ms + second.duration_ms,
  };
}

export interface ComposeInput extends CompactInput {
  /** This run continues another one, which already counted the waiting nodes. Default: they are counted. */
  readonly waits?: "not_counted";
}

/**
 * `compact` with a fast path for when there is nothing to do: every file has the same stamp as after a run that left
 * nothing due, on the same day and with the same program and configuration. The fast path does not load the engine.
 * Without a matching record, the engine runs.
 */
export async function compactUnlessIdle(memory: TreeMemory, input: ComposeInput, call: Call): Promise<CompactResult> {
  const started = performance.now();
  const isPlain = input.reopen === undefined && input.accept === undefined;
  const result = isPlain ? await readIdleRecord(memory) : undefined;
  if (result === undefined) return (await import("./compact.ts")).runCompact(memory, input, call);
  const dry = input.dry_run === true ? { dry_run: true as const } : {};
  return { ...dry, ...result, duration_ms: Math.round(performance.now() - started) };
}

export const cacheFolder = ".heartwood/cache";
const recordName = "idle.json";

interface IdleRecord {
  readonly key: string;
  readonly listing: string;
  readonly result: Omit<CompactResult, "duration_ms">;
}

async function readIdleRecord(memory: TreeMemory): Promise<IdleRecord["result"] | undefined> {
  try {
    const entries = await memory.files.list(cacheFolder);
    const entry = entries.find((candidate) => candidate.name === recordName);
    if (entries.some((candidate) => isTemporaryName(candidate.name))) return undefined;
    const read = entry === undefined ? undefined : await memory.files.read(`${cacheFolder}/${recordName}`);
    if (entry === undefined || read === undefined) return undefined;
    const record = JSON.parse(new TextDecoder().decode(read.bytes)) as Partial<IdleRecord>;
    if (record.key !== (await keyOf(memory)) || record.result === undefined) return undefined;
    const listing = await listWatched(memory.files, entry.changedAt);
    return listing !== undefined && printListing(listing) === record.listing ? record.result : undefined;
  } catch (error) {
    if (error instanceof MemoryError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Records that nothing is due as long as no stamp changes. `listing`: the stamps of the files read and written. */
export async function writeIdleRecord(
  memory: TreeMemory,
  listing: ReadonlyMap<string, FileStamp>,
  result: IdleRecord["result"],
): Promise<void> {
  const record: IdleRecord = { key: await keyOf(memory), listing: printListing(listing), result };
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  await writeCacheFile(memory.files, `${cacheFolder}/${recordName}`, bytes);
}

/** Inputs other than the tree's files: day, program version, configuration, configured summarizer, and the records of shortened logs and of changes. */
async function keyOf(memory: TreeMemory): Promise<string> {
  const configurations = (await memory.files.list("")).filter((entry) => entry.name.endsWith(".config.json"));
  const stamps: string[] = [];
  const read = memory.files.read(movedPath, { from: 0, to: 0 });
  const moved = await read.catch(ifMemoryError(({ code }) => ({ stamp: code })));
  if (moved !== undefined) stamps.push(`${movedPath} ${moved.stamp}`);
  for (const { name, stamp } of await listIfFolder(memory.files, recordsFolder)) stamps.push(`${name} ${stamp}`);
  return [
    memory.clock.today(),
    memory.program.version,
    `${memory.user.summaries?.adapter ?? "off"} ${memory.summarizer?.id ?? ""}`,
    ...configurations.map((entry) => `${entry.name} ${entry.stamp}`),
    ...stamps,
  ].join("\n");
}

/** The entries the tree depends on; `undefined` if one changed so shortly before the record that its stamp is unreliable. */
async function listWatched(files: Files, recordedAt: number): Promise<ReadonlyMap<string, FileStamp> | undefined> {
  const listing = new Map<string, FileStamp>();
  for (const folder of ["memory", "daily", "weekly", "monthly"] as const) {
    const path = folder === "memory" ? folder : `memory/${folder}`;
    for (const entry of await files.list(path)) {
      if (!isWatched(folder, entry.name)) continue;
      if (isRacy(entry.changedAt, recordedAt)) return undefined;
      listing.set(`${path}/${entry.name}`, entry.stamp);
    }
  }
  for (const entry of await listAnswerFolders(files)) {
    if (isRacy(entry.changedAt, recordedAt)) return undefined;
    listing.set(`${answersFolder}/${entry.name}`, entry.stamp);
  }
  return listing;
}

/** The folders of recorded answers. A folder's stamp changes when an answer in it is recorded or dropped. Costs one listing. */
export async function listAnswerFolders(files: Files): Promise<readonly FileEntry[]> {
  return (await listIfFolder(files, answersFolder)).filter(({ kind }) => kind === "folder");
}

/** The entries of a folder; empty if something other than a folder is at the path. */
export async function listIfFolder(files: Files, path: string): Promise<readonly FileEntry[]> {
  return files.list(path).catch(ifInTheWay(() => []));
}

/** Changes within this many milliseconds may share a timestamp. File systems with one-second resolution need more. */
const coarseness = 20;

export function isRacy(changedAt: number, recordedAt: number): boolean {
  return changedAt + (changedAt % 1000 === 0 ? 2000 : coarseness) >= recordedAt;
}

function printListing(listing: ReadonlyMap<string, FileStamp>): string {
  const rows = Array.from(listing, ([path, stamp]) => `${path} ${stamp}`);
  return rows.toSorted().join("\n");
}

/** Whether the tree depends on an entry of memory/ or a level's folder: a log, a node, ROOT.md, or a temporary file for the next run to remove. */
export function isWatched(folder: "memory" | "daily" | "weekly" | "monthly", name: string): boolean {
  if (isTemporaryName(name)) return true;
  if (folder === "memory") return name === "ROOT.md" || isLikeLog(name);
  return /\.md$/iu.test(name);
}

/** Writes a disposable file without waiting for the disk. Does nothing if something other than a file is at the path. */
export async function writeCacheFile(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await files.commit([{ path, bytes, expect: "anything", durability: "cache" }]).catch(ifInTheWay(() => undefined));
}

/** Writes a disposable value for `key`, which names all that it depends on. */
export async function keepValue(files: Files, path: string, { key, value }: KeptValue): Promise<void> {
  const text = JSON.stringify(value);
  await writeCacheFile(files, path, new TextEncoder().encode(`${digestOf(key, text)}\n${text}`));
}

/** The value that was written for this key; `missing` without a file, `unusable` if it is damaged or for another key. */
export async function keptValue(files: Files, path: string, key: string): Promise<KeptValue | "missing" | "unusable"> {
  const read = await files.read(path).catch(ifMemoryError(() => undefined));
  if (read === undefined) return "missing";
  const text = new TextDecoder().decode(read.bytes);
  const at = text.indexOf("\n");
  const body = text.slice(at + 1);
  return text.slice(0, Math.max(0, at)) === digestOf(key, body) ? { key, value: JSON.parse(body) } : "unusable";
}

interface KeptValue {
  readonly key: string;
  readonly value: unknown;
}

function digestOf(key: string, text: string): string {
  return sha256(JSON.stringify(key), text);
}
