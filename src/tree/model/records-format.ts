import { isDay, type Day } from "../../base/calendar.ts";
import { parseObject } from "../../base/json.ts";
import { compareTexts, isCount } from "../../base/lists.ts";
import { isEntryId } from "./entry-format.ts";

interface Decided {
  /** A ULID; records apply in the order of their ids. */
  readonly id: string;
  /** Local time with offset. */
  readonly at: string;
}

/** Part of a log, or a node, that its period's node does not contain, because it arrived after that node was fixed. */
export interface LateRecord extends Decided {
  readonly kind: "late";
  /** The path of the period's node, `memory/daily/2026-03-15.md`. */
  readonly node: string;
  /** The number of the addendum; 0: it belongs to the node itself. */
  readonly late: number;
  /** The day on which the addendum was first written. */
  readonly since: Day;
  /** The path of the log or of the child node. */
  readonly source: string;
  /** Of a log: the id of the entry or the digest of the section, 16 digits. */
  readonly section?: string;
  /** Which of the sections with this id or digest, from 1. Default 1. */
  readonly nth?: number;
  /** How many lines of the section arrived earlier. Default 0. The digest is then that of these lines. */
  readonly from?: number;
}

/** An entry that is not used any more. Its lines stay in the log. */
export interface RemovedRecord extends Decided {
  readonly kind: "removed";
  readonly log: string;
  /** The id of the entry, or the digest of a section without one, 16 digits. */
  readonly section: string;
  /** The entry that replaces it. Default: none. */
  readonly by?: string;
}

/** A topic that has another name in these logs. */
export interface RenamedRecord extends Decided {
  readonly kind: "renamed";
  readonly from: string;
  readonly to: string;
  readonly logs: readonly string[];
}

/** A record that does not apply any more. */
export interface UndoneRecord extends Decided {
  readonly kind: "undone";
  readonly of: string;
}

/** An item of the inbox that a person dismissed. It has no text. */
export interface DismissedRecord extends Decided {
  readonly kind: "dismissed";
  /** The id of the item: 16 digits of a digest, of another one once its text changes. */
  readonly item: string;
}

/** Lines that recall gives first, or never. */
export interface PinnedRecord extends Decided {
  readonly kind: "pinned";
  readonly use: "first" | "never";
  /** `memory/2026-03-15.md`, `thread:ID`. */
  readonly source: string;
  /** First and last line, or seq, when it was pinned. */
  readonly lines: readonly [number, number];
  /** Of a log: the entry that contains the lines, by its id or the digest of a section without one, 16 digits. */
  readonly section?: string;
  /** The lines of that entry at that time. */
  readonly entry?: readonly [number, number];
}

/** A tombstone: something was forgotten here. It has no text and no digest of one. */
export interface ForgottenRecord extends Decided {
  readonly kind: "forgotten";
  /** The file it was removed from, or `thread:ID`. */
  readonly place: string;
  /** The id of the entry, if it had one, or of the message. */
  readonly entry?: string;
  /** The name of a topic went, and its renaming with it; the entries in the log stay. */
  readonly renamed?: true;
}

export type ChangeRecord =
  | LateRecord
  | RemovedRecord
  | RenamedRecord
  | UndoneRecord
  | DismissedRecord
  | PinnedRecord
  | ForgottenRecord;

/** The records that change what is built from the logs. */
export function ofTree(records: readonly ChangeRecord[]): readonly ChangeRecord[] {
  const others = new Set(records.flatMap(({ kind, id }) => (kind === "dismissed" || kind === "pinned" ? [id] : [])));
  return records.filter((one) => !others.has(one.kind === "undone" ? one.of : one.id));
}

/** The records in the order in which they apply, each id once. Lines that this program does not know are left out. */
export function parseRecords(text: string): readonly ChangeRecord[] {
  const records = text.split("\n").flatMap((line): readonly ChangeRecord[] => {
    const value = parseObject(line);
    return value !== undefined && isRecord(value) ? [value] : [];
  });
  const byId = new Map(records.map((record) => [record.id, record]));
  return [...byId.values()].toSorted((a, b) => compareTexts(a.id, b.id));
}

/** One line, without its end. */
export function printRecord(record: ChangeRecord): string {
  return JSON.stringify(record);
}

/** The records that apply: without those that were undone, and without the undoing itself. */
export function inForce(records: readonly ChangeRecord[]): readonly ChangeRecord[] {
  const undone = new Set<string>();
  // The newest first: an undo may be undone.
  for (const record of records.toReversed())
    if (record.kind === "undone" && !undone.has(record.id)) undone.add(record.of);
  return records.filter(({ id, kind }) => kind !== "undone" && !undone.has(id));
}

function isRecord(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & ChangeRecord {
  const { id, at, kind } = value;
  if (typeof id !== "string" || !isEntryId(id) || typeof at !== "string") return false;
  switch (kind) {
    case "late":
      return (
        isPath(value["node"]) &&
        isPath(value["source"]) &&
        isCount(value["late"]) &&
        typeof value["since"] === "string" &&
        isDay(value["since"]) &&
        (value["section"] === undefined || isSection(value["section"])) &&
        (value["nth"] === undefined || isCount(value["nth"])) &&
        (value["from"] === undefined || isCount(value["from"]))
      );
    case "removed":
      return (
        isPath(value["log"]) && isSection(value["section"]) && (value["by"] === undefined || isSection(value["by"]))
      );
    case "renamed": {
      const { from, to, logs } = value;
      return typeof from === "string" && typeof to === "string" && Array.isArray(logs) && logs.every(isPath);
    }
    case "undone":
      return isSection(value["of"]);
    case "pinned":
      return isPinned(value);
    case "dismissed":
      return typeof value["item"] === "string" && isItemId(value["item"]);
    case "forgotten":
      return (
        typeof value["place"] === "string" &&
        (value["entry"] === undefined || isSection(value["entry"])) &&
        (value["renamed"] === undefined || value["renamed"] === true)
      );
    default:
      return false;
  }
}

function isPinned({ use, source, lines, section, entry }: Readonly<Record<string, unknown>>): boolean {
  const isThread = typeof source === "string" && /^thread:[a-z0-9][a-z0-9._-]{0,95}$/u.test(source);
  const isOfEntry = section === undefined ? entry === undefined : isSection(section) && isRange(entry);
  return (use === "first" || use === "never") && (isThread || isPath(source)) && isRange(lines) && isOfEntry;
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as readonly unknown[];
  return isCount(from) && isCount(to) && from <= to;
}

/** Whether a text is the id of an item of the inbox. */
export function isItemId(text: string): boolean {
  return /^[0-9a-f]{16}$/u.test(text);
}

/** Records may come with a repository: a path outside the memory is not one. */
function isPath(value: unknown): value is string {
  return typeof value === "string" && /^memory\/(?:[^/\\\0]+\/)?[^/\\\0]+\.md$/u.test(value) && !value.includes("/../");
}

function isSection(value: unknown): boolean {
  return typeof value === "string" && isEntryId(value);
}

/** What must not come back. */
export interface Forgotten {
  /** Ids of entries. */
  readonly ids: ReadonlySet<string>;
  /** Whether a line of the text was forgotten here. */
  has(text: string): boolean;
}

export const forgottenNothing: Forgotten = { ids: new Set(), has: () => false };
