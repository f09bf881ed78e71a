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
import type { Node } from "./node-format.ts";
import type { RawSource } from "./node-sections.ts";

/** The tree as it is on disk, without the texts: what decisions are made from. */
export interface TreeState {
  readonly today: Day;
  /** `back`: today is earlier than a day on which the tree was written; nothing becomes fixed then. */
  readonly clock: "forward" | "back";
  readonly days: ReadonlyMap<Day, RawDay>;
  readonly nodes: NodeTable;
  /** Answers of a model that are on record. Default: none, and no model to ask. */
  readonly answers?: AnswersState;
  /** Periods below which something could not be read, as `periodKey` writes them: they do not become fixed. Default none. */
  readonly open?: ReadonlySet<string>;
}

/** The raw logs of a day that can be read, in order: the plain one first, then the others by name. */
export interface RawDay {
  readonly day: Day;
  readonly logs: readonly RawLog[];
}

export interface RawLog {
  readonly path: string;
  readonly bytes: number;
  /** What reading it gave; `undefined` when it was not read because nothing depends on it yet. */
  readonly source: RawSource | undefined;
  /** What it was at the lengths that nodes have recorded. */
  readonly marks: readonly PrefixMark[];
  /** `none`: the rules in force find no secret in it. Default: that is not known. */
  readonly secrets?: "none" | undefined;
}

/** What a log was when it had this many bytes: its digest then, and the line that has the next byte. */
export interface PrefixMark {
  readonly bytes: number;
  readonly sha256: string;
  readonly line: number;
  /** `open`: the byte before is not a line end. */
  readonly ending: "open" | "closed";
}

export interface NodeFacts extends Pick<
  Node,
  "name" | "status" | "topics" | "madeBy" | "redactedBy" | "answer" | "since" | "sources"
> {
  /** `unknown`: not written by heartwood. `broken`: its front matter is invalid. */
  readonly reading: "ours" | "unknown" | "broken";
  /** The digest of its content as it is, and as it is in its front matter. */
  readonly content: string;
  readonly recorded: string;
  readonly lines: number;
  readonly bytes: number;
  /** Of a broken one: where and why. */
  readonly problem: { readonly line: number; readonly message: string } | undefined;
}

export function rawSourcesOf(node: NodeFacts): readonly RawSource[] {
  return node.sources.filter((source) => source.kind === "raw");
}

/** What is known of answers and of waiting for them: an input of planning, like the day. */
export interface AnswersState {
  /** By the path of the node that they are for. */
  readonly known: ReadonlyMap<string, readonly ListedRecord[]>;
  /** Whether a summarizer is configured, so that nodes wait for it. */
  readonly summarizer: "none" | "configured";
  /** By the path of a node: how many runs found it waiting, and the day of the first. */
  readonly waited: ReadonlyMap<string, { readonly runs: number; readonly since: Day }>;
}

/** All nodes by path, with the two questions that are asked of them. Immutable: `with` and `without` give another table. */
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

/** Whether a file was skipped for a reason that may have passed the next time, without its stamp being another. */
export function isPassing(skipped: SkippedSource): boolean {
  return ["io", "disk_full", "changed_by_other", "archive_damaged"].includes(skipped.code);
}

/**
 * The periods that are left as they are because a log or a node of theirs is there but could not be read this time; of a node also all that is
 * above it, which would lose it. As `periodKey` writes them.
 */
export function unreadPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  const places = placesOf(skipped.filter(isPassing)).flatMap((place) =>
    place.kind === "node" ? [place, ...ancestorsOf(place.level, place.period)] : [place],
  );
  return new Set(places.map(periodKey));
}

/**
 * The periods above whatever has the name of a log or node and was not read, be it a folder or a link: they are composed, but not fixed without
 * what belongs there.
 */
export function openPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  return new Set(placesOf(skipped).flatMap(({ level, period }) => ancestorsOf(level, period).map(periodKey)));
}

/**
 * Reopening is decided by what is there: nothing is taken away while a part of it cannot be read, or a folder or link is in the place of a
 * log or node.
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

/** What is neither a log nor a node by its name has no place. */
function placesOf(skipped: readonly SkippedSource[]): readonly UnreadPlace[] {
  return skipped.flatMap(({ path }): readonly UnreadPlace[] => {
    const log = parseLogFile(path.slice(memoryFolder.length + 1));
    if (log.state === "log") return [{ kind: "log", level: "daily", period: log.day }];
    const node = parseNodePath(path);
    return node === undefined ? [] : [{ kind: "node", level: node.level, period: node.period }];
  });
}
