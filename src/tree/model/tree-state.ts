import { MemoryError } from "../../base/errors.ts";
import { compareTexts } from "../../base/lists.ts";
import {
  ancestorsOf,
  memoryFolder,
  type NodeLevel,
  type NodeName,
  nodePath,
  oldestFirst,
  parseLogFile,
  parseNodePath,
  type Period,
  periodKey,
  type Place,
} from "./period.ts";
import type { Day } from "../../base/calendar.ts";
import type { ListedRecord } from "../answers/record.ts";
import type { Correcting } from "../../text/corrected.ts";
import type { LateRecords } from "./late-records.ts";
import type { LogSection } from "./log-sections.ts";
import type { Node } from "./node-format.ts";
import type { RawSource } from "./node-sections.ts";

/** The tree on disk without the text: the input for planning. */
export interface TreeState {
  readonly today: Day;
  /** `back`: today is before a day on which the tree was written, so nothing becomes fixed. */
  readonly clock: "forward" | "back";
  readonly days: ReadonlyMap<Day, RawDay>;
  readonly nodes: NodeTable;
  /** What is recorded as late. Default: nothing. */
  readonly late?: LateRecords;
  /** Recorded model answers. Default: none, and no model configured. */
  readonly answers?: AnswersState;
  /** Keys (`periodKey`) of periods with something unreadable below them. They do not become fixed. Default: none. */
  readonly open?: ReadonlySet<string>;
  /** Keys (`periodKey`) of periods whose nodes are fixed and of which nothing is due, late or changed. Default: none. */
  readonly settled?: ReadonlySet<string>;
}

/** The readable raw logs of a day: the plain one first, then the others by name. */
export interface RawDay {
  readonly day: Day;
  readonly logs: readonly RawLog[];
}

export interface RawLog {
  readonly path: string;
  readonly bytes: number;
  /** The scan result; `undefined` if not read, because nothing depends on it yet. */
  readonly source: RawSource | undefined;
  /** Its digests at the lengths recorded in nodes. */
  readonly marks: readonly PrefixMark[];
  /** Its sections, if a record or a node tells some of its lines from the others. Default: not read. */
  readonly sections?: readonly LogSection[] | undefined;
  /** `none`: the current rules find no secret in it. Default: unknown. */
  readonly secrets?: "none" | undefined;
  /** What its entries correct. Default: nothing, or not read. */
  readonly corrects?: readonly Correcting[] | undefined;
}

/** The digest of a log's first `bytes` bytes, and the line containing the next byte. */
export interface PrefixMark {
  readonly bytes: number;
  readonly sha256: string;
  readonly line: number;
  /** `open`: the preceding byte is not a newline. */
  readonly ending: "open" | "closed";
}

/** What tells the lines of a log from each other that different nodes have. */
export interface DividedLog {
  /** What was asked for. */
  readonly by: string;
  readonly marks: readonly PrefixMark[];
  readonly sections: readonly LogSection[];
}

export interface NodeFacts extends Pick<
  Node,
  "name" | "status" | "topics" | "madeBy" | "redactedBy" | "answer" | "since" | "sources"
> {
  /** `unknown`: not written by heartwood. `broken`: its front matter is invalid. */
  readonly reading: "ours" | "unknown" | "broken";
  /** The digest of its actual content; `recorded` is the one in its front matter. */
  readonly content: string;
  readonly recorded: string;
  readonly lines: number;
  readonly bytes: number;
  /** Set for a broken node. */
  readonly problem: { readonly line: number; readonly message: string } | undefined;
}

export function rawSourcesOf(node: NodeFacts): readonly RawSource[] {
  return node.sources.filter((source) => source.kind === "raw");
}

/** Recorded answers and waiting nodes: an input for planning, like the date. */
export interface AnswersState {
  /** By node path. */
  readonly known: ReadonlyMap<string, readonly ListedRecord[]>;
  /** `configured`: nodes wait for answers. */
  readonly summarizer: "none" | "configured";
  /** By node path: how many runs found the node waiting, and the day of the first. */
  readonly waited: ReadonlyMap<string, { readonly runs: number; readonly since: Day }>;
}

/** All nodes by path and by period. Immutable: `with` and `without` return a new table. */
export class NodeTable {
  readonly #byPath: Map<string, NodeFacts>;
  readonly #byPeriod: ReadonlyMap<string, NodeFacts[]>;

  constructor(nodes: Iterable<NodeFacts>) {
    this.#byPath = new Map([...nodes].map((node) => [nodePath(node.name), node]));
    this.#byPeriod = Map.groupBy(this.#byPath.values(), ({ name }) => periodKey(name));
    for (const list of this.#byPeriod.values()) list.sort((a, b) => a.name.late - b.name.late);
  }

  get(path: string): NodeFacts | undefined {
    return this.#byPath.get(path);
  }

  of(level: NodeLevel, period: Period): readonly NodeFacts[] {
    return this.#byPeriod.get(periodKey({ level, period })) ?? [];
  }

  periods(level: NodeLevel): readonly Period[] {
    const names = Array.from(this.#byPath.values(), ({ name }) => name).filter((name) => name.level === level);
    return [...new Set(names.map(({ period }) => period))].toSorted();
  }

  all(): readonly NodeFacts[] {
    const byLevel = (a: NodeName, b: NodeName): number => compareTexts(a.level, b.level) || oldestFirst(a, b);
    return [...this.#byPath.values()].toSorted((a, b) => byLevel(a.name, b.name));
  }

  with(nodes: readonly NodeFacts[]): NodeTable {
    return new NodeTable([...this.#byPath.values(), ...nodes]);
  }

  without(paths: readonly string[]): NodeTable {
    const gone = new Set(paths);
    return new NodeTable([...this.#byPath.values()].filter(({ name }) => !gone.has(nodePath(name))));
  }
}

export interface SkippedSource {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Whether a file was skipped for a transient reason, which may be gone next time even if the stamp is the same. */
export function isPassing(skipped: SkippedSource): boolean {
  return ["io", "disk_full", "changed_by_other", "archive_damaged"].includes(skipped.code);
}

/**
 * Keys (`periodKey`) of periods to leave unchanged because a log or node could not be read this time. An unreadable
 * node also blocks its ancestors, because they would lose its content.
 */
export function unreadPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  const places = placesOf(skipped.filter(isPassing)).flatMap((place) =>
    place.kind === "node" ? [place, ...ancestorsOf(place.level, place.period)] : [place],
  );
  return new Set(places.map(periodKey));
}

/**
 * The ancestors of every unread log or node, including those that are a folder or link. They are composed, but do not
 * become fixed while content is missing.
 */
export function openPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  return new Set(placesOf(skipped).flatMap(({ level, period }) => ancestorsOf(level, period).map(periodKey)));
}

/**
 * Refuses to reopen while a log or node cannot be read, or is a folder or link: nothing is removed based on incomplete
 * information.
 */
export function refuseUnread(skipped: readonly SkippedSource[]): void {
  const unread = skipped.find(isPassing) ?? skipped.find((one) => placesOf([one]).length > 0);
  if (unread === undefined) return;
  const code = refusals.find((known) => known === unread.code) ?? "io";
  throw new MemoryError(code, `Nothing was reopened: ${unread.message}`, { path: unread.path });
}

const refusals = ["disk_full", "changed_by_other", "archive_damaged", "link_outside", "not_a_file"] as const;

interface UnreadPlace extends Place {
  readonly kind: "log" | "node";
}

/** Ignores files that are not named like a log or node. */
function placesOf(skipped: readonly SkippedSource[]): readonly UnreadPlace[] {
  return skipped.flatMap(({ path }): readonly UnreadPlace[] => {
    const log = parseLogFile(path.slice(memoryFolder.length + 1));
    if (log.state === "log") return [{ kind: "log", level: "daily", period: log.day }];
    const node = parseNodePath(path);
    return node === undefined ? [] : [{ kind: "node", level: node.level, period: node.period }];
  });
}
