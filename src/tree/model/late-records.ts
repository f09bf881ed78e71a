import type { Day } from "../../base/calendar.ts";
import { entryKey, type FixedNode, type FixedNodes } from "./fixed-records.ts";
import { inForce, type ChangeRecord, type LateRecord } from "./records-format.ts";
import type { LogSection, SectionHead } from "./log-sections.ts";

/** A record of late data before it has an id and a time. */
export type NewLate = Omit<LateRecord, "id" | "at">;

/** What is recorded as late of one log or child node. */
export interface LateSource {
  /** The number of the addendum of everything without a record of its own. */
  readonly whole: number | undefined;
  /** By `key nth from` of the section. */
  readonly sections: ReadonlyMap<string, number>;
  /** All `from` values. */
  readonly counts: ReadonlySet<number>;
}

/** What is recorded as late, by node. */
export class LateRecords {
  readonly all: readonly ChangeRecord[];
  readonly #nodes: ReadonlyMap<string, ReadonlyMap<string, LateSource>>;
  readonly #since = new Map<string, Day>();
  readonly #last = new Map<string, number>();
  readonly #recorded = new Map<string, LateRecord[]>();
  readonly #fixed: FixedNodes;
  /** The entry that an entry replaces. */
  readonly #replaced = new Map<string, string>();
  readonly #renamed = new Set<string>();
  /** Logs of which something was removed or forgotten. */
  readonly #shortened = new Set<string>();

  constructor(all: readonly ChangeRecord[], fixed: FixedNodes = new Map()) {
    this.all = all;
    this.#fixed = fixed;
    for (const record of all) {
      if (record.kind === "renamed") for (const log of record.logs) this.#renamed.add(log);
      if (record.kind === "forgotten" && record.renamed === true) this.#renamed.add(record.place);
    }
    for (const record of inForce(all)) {
      if (record.kind === "removed" || record.kind === "forgotten")
        this.#shortened.add(record.kind === "removed" ? record.log : record.place);
      if (record.kind === "removed" && record.by !== undefined && !this.#replaced.has(record.by))
        this.#replaced.set(record.by, record.section);
    }
    const byThing = Map.groupBy(
      inForce(all).filter((record) => record.kind === "late"),
      thingOf,
    );
    const nodes = new Map<string, Map<string, Growing>>();
    for (const same of byThing.values()) {
      const record = winnerOf(same);
      if (record === undefined) continue;
      this.#note(record);
      const sources = nodes.get(record.node) ?? new Map<string, Growing>();
      nodes.set(record.node, sources);
      const known = sources.get(record.source) ?? { whole: undefined, sections: new Map(), counts: new Set() };
      sources.set(record.source, known);
      const { section, nth = 1, from = 0, late } = record;
      if (section === undefined) known.whole = late;
      else known.sections.set(`${section} ${nth} ${from}`, late);
      if (from > 0) known.counts.add(from);
    }
    this.#nodes = nodes;
  }

  #note(record: LateRecord): void {
    const { node, late, since } = record;
    const own = this.#recorded.get(node);
    if (own === undefined) this.#recorded.set(node, [record]);
    else own.push(record);
    const key = `${node} ${late}`;
    const first = this.#since.get(key);
    if (first === undefined || since < first) this.#since.set(key, since);
    this.#last.set(node, Math.max(late, this.#last.get(node) ?? 0));
  }

  /** Without what is late of these nodes. */
  without(nodes: readonly string[]): LateRecords {
    const gone = new Set(nodes);
    const all = this.all.filter((record) => record.kind !== "late" || !gone.has(record.node));
    return new LateRecords(all, new Map([...this.#fixed].filter(([node]) => !gone.has(node))));
  }

  with(added: readonly ChangeRecord[]): LateRecords {
    return added.length === 0 ? this : new LateRecords([...this.all, ...added], this.#fixed);
  }

  /** By path of the log or child node. */
  of(node: string): ReadonlyMap<string, LateSource> {
    return this.#nodes.get(node) ?? none;
  }

  /** What a node was made from when it became fixed. */
  fixed(node: string): FixedNode | undefined {
    return this.#fixed.get(node);
  }

  /** Whether an entry replaces one whose key `has` accepts, by an edit or by several. */
  replaces(id: string | undefined, has: (key: string) => boolean): boolean {
    for (let old = this.#replaced.get(id ?? ""); old !== undefined; old = this.#replaced.get(old))
      if (has(entryKey(old))) return true;
    return false;
  }

  /** Whether a topic has another name in a log than it was written with, or had one. */
  renames(log: string): boolean {
    return this.#renamed.has(log);
  }

  /** Whether records say why something is not in a log any more. */
  explains(log: string): boolean {
    return this.#shortened.has(log);
  }

  /** The records that say that nothing of a node is late any more. */
  folded(node: string): readonly NewLate[] {
    return (this.#recorded.get(node) ?? []).map(({ kind, since, source, section, nth, from }): NewLate => {
      const place = { ...(section === undefined ? {} : { section }), ...(nth === undefined ? {} : { nth }) };
      return { kind, node, late: 0, since, source, ...place, ...(from === undefined ? {} : { from }) };
    });
  }

  /** The first day of an addendum. */
  since(node: string, late: number): Day | undefined {
    return this.#since.get(`${node} ${late}`);
  }

  /** The highest number of an addendum; 0 without one. */
  last(node: string): number {
    return this.#last.get(node) ?? 0;
  }
}

const none: ReadonlyMap<string, LateSource> = new Map();
export const noLateRecords = new LateRecords([]);

/** What a record is about: several records may be about the same. */
function thingOf({ node, source, section = "", nth = 1, from = 0 }: LateRecord): string {
  return `${node}\n${source}\n${section} ${nth} ${from}`;
}

/**
 * `late: 0` ends all earlier records about the same thing. Of those after it, which clones wrote independently of each
 * other, the smallest number counts, then the earliest day.
 */
function winnerOf(same: readonly LateRecord[]): LateRecord | undefined {
  const after = same.slice(same.findLastIndex(({ late }) => late === 0) + 1);
  return after.toSorted((a, b) => a.late - b.late || (a.since < b.since ? -1 : 1))[0];
}

interface Growing {
  whole: number | undefined;
  readonly sections: Map<string, number>;
  readonly counts: Set<number>;
}

/** Lines of a log that belong together. */
export interface LogPiece {
  readonly section: LogSection;
  /** Set if the lines follow this beginning of the section. */
  readonly after: SectionHead | undefined;
  readonly from: number;
  readonly to: number;
  /** In the log: where the lines end. */
  readonly end: number;
  /** The number of the addendum that a record names; `undefined` without one. */
  readonly late: number | undefined;
}

/** Divides a log by what is recorded as late, and before these lines. Lines from `grown` on were added since. */
export function piecesOf(
  sections: readonly LogSection[],
  late: LateSource | undefined,
  { grown, cuts = [] }: { readonly grown?: number; readonly cuts?: readonly number[] } = {},
): readonly LogPiece[] {
  const lines = new Set(grown === undefined ? cuts : [...cuts, grown]);
  return sections.flatMap((section): readonly LogPiece[] => {
    const recorded = (key: SectionHead, from: number): number | undefined =>
      late?.sections.get(`${key.key} ${key.nth} ${from}`);
    const first = [section, ...section.heads].map((head) => recorded(head, 0)).find((found) => found !== undefined);
    const cuts = section.heads.filter(
      (head) => recorded(head, head.lines) !== undefined || lines.has(section.line + head.lines),
    );
    const starts: readonly (SectionHead | undefined)[] = [undefined, ...cuts];
    let current = first ?? late?.whole;
    return starts.map((after, index): LogPiece => {
      const next = starts[index + 1] ?? section;
      if (after !== undefined) current = recorded(after, after.lines) ?? current;
      const isGrowth = grown !== undefined && section.line + (after?.lines ?? 0) >= grown;
      const own = after === undefined ? first : recorded(after, after.lines);
      return {
        section,
        after,
        from: section.line + (after?.lines ?? 0),
        to: section.line + next.lines - 1,
        end: next.bytes,
        late: isGrowth ? own : current,
      };
    });
  });
}

/** The record of a piece. */
export function lateOf({ section, after }: LogPiece, of: Pick<NewLate, "node" | "source" | "late" | "since">): NewLate {
  const { key, nth } = after ?? section;
  return {
    kind: "late",
    ...of,
    section: key,
    ...(nth === 1 ? {} : { nth }),
    ...(after === undefined ? {} : { from: after.lines }),
  };
}
