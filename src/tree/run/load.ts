import { localDay, type Day } from "../../base/calendar.ts";
import { isInTheWay, MemoryError, type Warning } from "../../base/errors.ts";
import type { FileEntry, FileStamp } from "../../platform/files.ts";
import {
  type NodeFacts,
  rawSourcesOf,
  type RawDay,
  type RawLog,
  type TreeState,
  NodeTable,
  openPeriods,
  type SkippedSource,
  type AnswersState,
  type DividedLog,
} from "../model/tree-state.ts";
import { isTemporaryName } from "../../base/known-paths.ts";
import { cacheFolder, listAnswerFolders, listIfFolder } from "./idle.ts";
import { basisOf, cacheFor, Listing } from "./settled.ts";
import {
  answersFolder,
  isBadNodeFile,
  memoryFolder,
  nodeLevels,
  nodePath,
  parseLogFile,
  parseNodeFile,
  periodKey,
  recordsFolder,
  rootPath,
} from "../model/period.ts";
import type { TreeMemory } from "../memory.ts";
import { adapterOf, readConfiguration, type Configuration } from "../setup/configuration.ts";
import { readNodeFile, readStateFile, type StateFile, readRootFile, type RootFile } from "./tree-files.ts";
import { isBlankFile, scanLog, readMarks, readSections } from "../logs/raw-logs.ts";
import { readFixedRecords, readRecords } from "../logs/records.ts";
import { keysOf, listedCounts, winningRecords } from "../model/fixed-records.ts";
import { LateRecords, noLateRecords, type LateSource } from "../model/late-records.ts";
import type { RawSource } from "../model/node-sections.ts";
import { type ChangeRecord } from "../model/records-format.ts";
import { current, rawLogOf, type CachedLog, type CacheEntries, type TreeCache } from "./tree-cache.ts";
import { sha256, shortDigest } from "../../base/digest.ts";
import { pushAll } from "../../base/lists.ts";

/** The loaded tree: the state for planning, plus file details needed for writing. */
export interface LoadedTree {
  readonly state: TreeState;
  readonly root: RootFile | undefined;
  readonly stateFile: StateFile;
  /** Every entry the tree depends on, with its stamp at the time of listing. */
  readonly listing: ReadonlyMap<string, FileStamp>;
  readonly cacheable: CacheEntries;
  /** What its months are settled for; `undefined` if all were opened. */
  readonly basis: string | undefined;
  /** The files with records, as they were read. */
  readonly records: readonly FileEntry[];
  readonly skipped: readonly SkippedSource[];
  readonly warnings: readonly Warning[];
  /** The records that the nodes do not follow yet. */
  readonly unapplied: readonly ChangeRecord[];
  /** Whether the tree's folders or the cache contain temporary files of interrupted runs. */
  readonly hasLeftovers: boolean;
  /** Whether logs or nodes were read that the cache does not have. */
  readonly uncached: boolean;
}

/**
 * Reads the folders, and the files that the cache does not cover. `cache`: with `ignored`, reads every file; with a
 * loaded tree, only what changed since.
 */
export async function loadTree(
  memory: TreeMemory,
  options: {
    readonly cache: "used" | "ignored" | LoadedTree;
    /** `opened`: with the records of all months. Default: without those of settled ones. */
    readonly months?: "opened";
    readonly configuration?: Configuration;
  },
): Promise<LoadedTree> {
  const today = memory.clock.today();
  const listing = new Listing(await listIfFolder(memory.files, recordsFolder));
  const basis = options.months === "opened" ? undefined : basisOf(memory.program, listing.records);
  const cache = await cacheFor(memory.files, options.cache, basis);
  await listing.read(memory, cache.writtenAt);
  const load = new Load(memory, listing, { ...listing.settle(cache), readsAll: options.cache === "ignored" });
  const records = await readRecords(memory.files);
  const fixed = winningRecords(await readFixedRecords(memory.files, listing.recordsToRead()));
  const unapplied = records.length === 0 ? [] : await (await import("./reopen.ts")).unappliedOf(memory.files, records);
  const late = records.length === 0 && fixed.size === 0 ? noLateRecords : new LateRecords(records, fixed);
  await load.nodes();
  await load.logs(late);
  const cached = await listIfFolder(memory.files, cacheFolder);
  // List stamps before reading the records.
  const folders = await listAnswerFolders(memory.files);
  const { warnings: unread, ...answers } = await loadAnswers(memory, folders, options.configuration);
  const stateFile = await readStateFile(memory);
  const root = await readRootFile(memory, load.rootEntry);
  const { lastRun } = stateFile;
  const lastRunDay = lastRun === undefined ? today : localDay(lastRun, memory.clock.zone);
  const lastDay = [today, lastRunDay, root?.document?.lastUpdated ?? today].toSorted().at(-1) ?? today;
  const clock = today < lastDay ? "back" : "forward";
  const warnings = [...unread, ...(clock === "forward" ? [] : [clockWarning(today, lastDay)])];
  if (stateFile.inTheWay !== undefined) warnings.push(stateFile.inTheWay);
  const loaded: TreeState = {
    today,
    clock,
    days: load.days(),
    nodes: new NodeTable(load.nodeFacts),
    late,
    ...answers,
    open: openPeriods(load.skipped),
    settled: load.settled,
  };
  const hasAnswers = loaded.answers !== undefined && loaded.answers.known.size > 0;
  const { state, warnings: damaged } = hasAnswers
    ? await (await import("./answer-store.ts")).withoutDamaged(memory, loaded, loaded.answers)
    : { state: loaded, warnings: [] };
  pushAll(warnings, damaged);
  for (const { name, stamp } of folders) listing.stamps.set(`${answersFolder}/${name}`, stamp);
  return {
    state,
    root,
    stateFile,
    listing: listing.stamps,
    cacheable: load.cacheable,
    basis,
    records: listing.records,
    skipped: load.skipped,
    warnings,
    unapplied,
    uncached: load.uncached,
    hasLeftovers: listing.hasLeftovers || cached.some(({ name }) => isTemporaryName(name)),
  };
}

/**
 * The state of recorded answers; empty if unreadable, in which case no node waits and nodes made from answers stay as
 * they are. The module that reads records is loaded only if a record exists or a model is configured.
 */
async function loadAnswers(
  memory: TreeMemory,
  folders: readonly FileEntry[],
  known: Configuration | undefined,
): Promise<{ readonly answers?: AnswersState; readonly warnings: readonly Warning[] }> {
  try {
    const configuration = known ?? (await readConfiguration(memory)).configuration;
    if (folders.length === 0 && adapterOf(memory, configuration) === "off")
      return { answers: { known: new Map(), summarizer: "none", waited: new Map() }, warnings: [] };
    return { answers: await (await import("./answer-store.ts")).readAnswers(memory, configuration), warnings: [] };
  } catch (error) {
    const isTolerated = isInTheWay(error) || (error instanceof MemoryError && error.code === "invalid_config");
    if (!isTolerated) throw error;
    const message = `model answers are not used, because their records cannot be read: ${error.message}`;
    return { warnings: [{ code: error.code, message }] };
  }
}

function clockWarning(today: Day, last: Day): Warning {
  const message = `today is ${today}, but the tree was last written on ${last}: nothing becomes fixed until the clock has caught up; if ${last} was a mistake, run heartwood doctor --fix, then heartwood compact, and heartwood compact --reopen FROM..TO for the days that heartwood verify calls fixed too early`;
  return { code: "clock_back", message };
}

interface DayOfLog {
  readonly day: Day;
  readonly slug: string;
  /** The nodes of the day. */
  readonly own: readonly NodeFacts[];
  /** What is recorded as late of the log. */
  readonly late: LateSource | undefined;
  /** The keys that the record of the fixed node lists; `undefined` without such a record. */
  readonly listed: string | undefined;
}

class Load {
  readonly skipped: SkippedSource[] = [];
  readonly nodeFacts: NodeFacts[] = [];
  rootEntry: FileEntry | undefined;
  readonly cacheable: CacheEntries & {
    readonly logs: Map<string, { stamp: FileStamp; log: CachedLog }>;
    readonly nodes: Map<string, { stamp: FileStamp; facts: NodeFacts }>;
  };
  /** See `TreeState`. */
  readonly settled = new Set<string>();
  readonly #memory: TreeMemory;
  readonly #listing: Listing;
  readonly #cache: TreeCache;
  /** Whether to read even logs that no node was made from yet. */
  readonly #readsAll: boolean;
  readonly #logs: { readonly day: Day; readonly slug: string; readonly raw: RawLog }[] = [];
  /** Bytes of logs and nodes read because the cache did not cover them. */
  #read = 0;
  uncached = false;

  constructor(memory: TreeMemory, listing: Listing, cache: TreeCache & { readonly readsAll: boolean }) {
    this.#memory = memory;
    this.#listing = listing;
    this.#cache = cache;
    this.#readsAll = cache.readsAll;
    const notable = Array.from(listing.settled.values(), (month) => [...month.notable.logs]).flat();
    this.cacheable = { logs: new Map(notable), nodes: new Map(), months: listing.settled };
  }

  async nodes(): Promise<void> {
    for (const level of nodeLevels)
      for (const entry of this.#listing.entries(level)) {
        const path = `${memoryFolder}/${level}/${entry.name}`;
        const settled = this.#listing.settledOf(path);
        if (settled !== undefined) {
          const name = { level, period: entry.name.slice(0, -".md".length), late: 0 };
          this.nodeFacts.push(settled.node(name));
          this.settled.add(periodKey(name));
          continue;
        }
        const name = parseNodeFile(level, entry.name);
        if (name !== undefined) await this.#attempt(path, () => this.#node(path, entry, name));
        else if (isBadNodeFile(level, entry.name))
          this.skipped.push({ path, code: "bad_name", message: `${path} is not named like a node and is not read` });
      }
  }

  async #node(path: string, entry: FileEntry, name: NodeFacts["name"]): Promise<void> {
    const cached = entry.kind === "file" ? current(this.#cache.nodes.get(path), entry, this.#cache) : undefined;
    if (cached === undefined) this.#countRead(entry, this.#cache.nodes.get(path)?.stamp);
    const facts = cached?.facts ?? (await readNodeFile(this.#memory.files, name))?.facts;
    if (facts === undefined) return;
    this.nodeFacts.push(facts);
    if (facts.reading !== "broken") this.cacheable.nodes.set(path, { stamp: entry.stamp, facts });
  }

  async logs(late: LateRecords): Promise<void> {
    const nodes = new NodeTable(this.nodeFacts);
    const entries = this.#listing.entries("memory");
    const taken = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const path = `${memoryFolder}/${entry.name}`;
      if (path === rootPath) {
        this.rootEntry = entry;
        const code = entry.kind === "link" ? "link_outside" : "not_a_file";
        const message = `${path} is not a regular file: move it aside; until then, it is neither read nor written`;
        if (entry.kind !== "file") this.skipped.push({ path, code, message });
      }
      const settled = this.#listing.settledOf(path);
      if (settled !== undefined) {
        const [day, slug] = [entry.name.slice(0, 10), entry.name.slice(11, -".md".length)];
        this.#logs.push({ day, slug, raw: settled.log(path, entry.size) });
        this.settled.add(periodKey({ level: "daily", period: day }));
        continue;
      }
      const name = parseLogFile(entry.name, taken);
      if (name.state === "bad") {
        const message = `${path} is not a raw log: ${name.message}${name.advice ?? ""}`;
        this.skipped.push({ path, code: "bad_name", message });
        for (const file of name.names) taken.add(file);
      } else if (name.state === "log")
        await this.#attempt(path, () => {
          const node = nodePath({ level: "daily", period: name.day, late: 0 });
          const all = late.fixed(node)?.listed;
          const listed = all === undefined ? undefined : (all.get(path) ?? "");
          return this.#log(path, entry, {
            ...name,
            own: nodes.of("daily", name.day),
            late: late.of(node).get(path),
            listed,
          });
        });
    }
  }

  async #log(path: string, entry: FileEntry, { day, slug, own, late, listed }: DayOfLog): Promise<void> {
    if (entry.kind === "link")
      throw new MemoryError("link_outside", `${path} is a link and is not read: replace it with the log itself.`, {
        path,
      });
    if (entry.kind !== "file")
      throw new MemoryError("not_a_file", `${path} is not a regular file (${entry.kind}) and is not read.`, { path });
    if (entry.size === 0) return;
    const cached = current(this.#cache.logs.get(path), entry, this.#cache)?.log;
    const isWanted =
      cached === undefined && (own.length > 0 || late !== undefined || listed !== undefined || this.#readsAll);
    if (isWanted) this.#countRead(entry, this.#cache.logs.get(path)?.stamp);
    const read = isWanted ? await scanLog(this.#memory.files, path) : undefined;
    const known: CachedLog | undefined = cached ?? read;
    const isUnread = cached === undefined && read === undefined;
    if (isUnread ? await isBlankFile(this.#memory.files, path, entry.size) : read?.content === "blank") return;
    const recorded = own.flatMap(rawSourcesOf).filter((source) => source.path === path);
    const keys = known === undefined || listed === undefined ? known?.keys : (known.keys ?? (await this.#keys(path)));
    const isDivided =
      late !== undefined ||
      (listed !== undefined && keys !== shortDigest(sha256(listed))) ||
      (known !== undefined && recorded.some(({ sha256, part }) => sha256 !== known.source.sha256 || part.length > 0));
    const divided = isDivided ? await this.#divided(path, known?.divided, { late, recorded, listed }) : undefined;
    const log =
      known === undefined || (divided === undefined && keys === known.keys) ? known : { ...known, divided, keys };
    if (log !== undefined) this.cacheable.logs.set(path, { stamp: entry.stamp, log });
    const raw = rawLogOf(path, entry.size, log);
    this.#logs.push({ day, slug, raw });
  }

  async #keys(path: string): Promise<string> {
    const sections = await readSections(this.#memory.files, path, { counts: new Set(), lines: new Set() });
    return keysOf(sections);
  }

  /** The sections of a log that is not in one node as a whole, and its digests at the lengths recorded in nodes. */
  async #divided(
    path: string,
    cached: DividedLog | undefined,
    { late, recorded, listed = "" }: Pick<DayOfLog, "late" | "listed"> & { readonly recorded: readonly RawSource[] },
  ): Promise<DividedLog> {
    const lengths = recorded.map(({ bytes }) => bytes);
    const cuts = recorded.flatMap(({ part }) => part.map(({ from }) => from));
    const counts = new Set([...(late?.counts ?? []), ...listedCounts(listed)]);
    const by = [lengths, cuts, [...counts]].map((numbers) => numbers.toSorted((a, b) => a - b).join(",")).join(" ");
    if (cached?.by === by) return cached;
    const marks = await readMarks(this.#memory.files, path, lengths);
    const lines = new Set([...cuts, ...marks.flatMap(({ line }) => [line, line + 1])]);
    return { by, marks, sections: await readSections(this.#memory.files, path, { counts, lines }) };
  }

  /** `known`: the stamp in the cache. */
  #countRead({ size, stamp }: FileEntry, known: FileStamp | undefined): void {
    this.#read += size;
    if (this.#read > muchToRead) this.#memory.onWork?.();
    if (known !== stamp) this.uncached = true;
  }

  days(): ReadonlyMap<Day, RawDay> {
    const ordered = this.#logs.toSorted((a, b) => (`${a.day} ${a.slug}` < `${b.day} ${b.slug}` ? -1 : 1));
    const byDay = Map.groupBy(ordered, ({ day }) => day);
    return new Map(Array.from(byDay, ([day, logs]) => [day, { day, logs: logs.map(({ raw }) => raw) }]));
  }

  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.skipped.push({ path, code: error.code, message: error.message });
    }
  }
}

/** Bytes. Smaller reads use too little memory to call `onWork`. */
export const muchToRead = 8 * 1024 * 1024;
