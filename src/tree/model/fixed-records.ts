import { sha256, shortDigest } from "../../base/digest.ts";
import { isText, listOf, parseObject } from "../../base/json.ts";
import { compareTexts, isCount } from "../../base/lists.ts";
import type { SectionHead } from "./log-sections.ts";
import { daysCovered, parseNodePath, recordsFolder } from "./period.ts";

/** What a node was made from when it became fixed, so that every clone makes the same node. One JSON object per line. */
export interface FixedRecord {
  readonly kind: "fixed";
  /** The path of the node, `memory/daily/2026-03-15.md`. */
  readonly node: string;
  /** Grows when the node is opened again. */
  readonly version: number;
  /**
   * For each log its path and the sections (`listedToken`), separated by spaces; for each child node its path. Absent: the
   * node was opened again.
   */
  readonly of?: readonly string[];
}

/** The file with the records of nodes whose period begins in the same month. */
export function fixedRecordsPath(node: string): string {
  const name = parseNodePath(node);
  const month = name === undefined ? "" : daysCovered(name.level, name.period).first.slice(0, 7);
  return `${recordsFolder}/fixed-${month}.jsonl`;
}

export function isFixedRecordsFile(name: string): boolean {
  return /^fixed-\d{4}-\d\d\.jsonl$/u.test(name);
}

/** Lines that are not records of fixed nodes are left out. */
export function parseFixedRecords(text: string): readonly FixedRecord[] {
  return text.split("\n").flatMap((line): readonly FixedRecord[] => {
    const value = parseObject(line);
    if (value?.["kind"] !== "fixed") return [];
    const { node, version, of } = value;
    const isOurs = typeof node === "string" && parseNodePath(node)?.late === 0 && isCount(version);
    if (!isOurs || !(of === undefined || isList(of))) return [];
    return [{ kind: "fixed", node, version, ...(of === undefined ? {} : { of: of as readonly string[] }) }];
  });
}

const isList = listOf(isText);

/** One line, without its end. The same node made from the same sources has the same line in every clone. */
export function printFixedRecord({ kind, node, version, of }: FixedRecord): string {
  return JSON.stringify({ kind, node, version, ...(of === undefined ? {} : { of }) });
}

/** What a node has, by path of the log or child node: its sections, separated by spaces; empty for a child node. */
export type Listed = ReadonlyMap<string, string>;

export interface FixedNode {
  readonly version: number;
  /** `undefined`: the node was opened again and has everything that is not late. */
  readonly listed: Listed | undefined;
}

export type FixedNodes = ReadonlyMap<string, FixedNode>;

/** The record that counts for each node. */
export function winningRecords(records: readonly FixedRecord[]): FixedNodes {
  const byNode = Map.groupBy(records, ({ node }) => node);
  return new Map(
    Array.from(byNode, ([node, own]) => {
      const { version = 0, of } = winnerOf(own) ?? {};
      return [node, { version, listed: listedIn(of) }] as const;
    }),
  );
}

/** Of the records of one node the one of the highest version; of several, one that lists something, with the smallest digest. */
export function winnerOf(records: readonly FixedRecord[]): FixedRecord | undefined {
  if (records.length <= 1) return records[0];
  const digested = records.map((record) => ({ record, digest: sha256(printFixedRecord(record)) }));
  return digested.toSorted(compareRecords)[0]?.record;
}

interface Digested {
  readonly record: FixedRecord;
  readonly digest: string;
}

function compareRecords(a: Digested, b: Digested): number {
  if (a.record.version !== b.record.version) return b.record.version - a.record.version;
  const isOpen = ({ record }: Digested): number => (record.of === undefined ? 1 : 0);
  return isOpen(a) - isOpen(b) || compareTexts(a.digest, b.digest);
}

function listedIn(of: FixedRecord["of"]): Listed | undefined {
  if (of === undefined) return undefined;
  return new Map(
    of.map((text) => {
      const [path = "", ...keys] = text.split(" ");
      return [path, keys.join(" ")] as const;
    }),
  );
}

/** A section of a log, or its beginning. */
export interface Listable extends Pick<SectionHead, "id" | "body" | "digests" | "lines"> {
  /** Default: `lines`. */
  readonly filled?: number;
}

/**
 * A section in a record: the key of its entry, or of its text below the heading; the beginning of its digest; and how many
 * lines it has.
 */
export function listedToken(section: Listable): string {
  const { digests, lines, filled = lines } = section;
  return `${listedKey(section)}.${(digests[0] ?? "").slice(0, contentDigits)}+${filled}`;
}

/** What stays the same if the heading changes. */
export function listedKey({ id, body }: Pick<Listable, "id" | "body">): string {
  return id === undefined ? body.slice(0, keyDigits) : entryKey(id);
}

/**
 * A list of the sections of a log. `tail`: how many lines of the last one the node has, if it has some of the blank lines
 * below it.
 */
export function listing(sections: readonly Listable[], tail: number | undefined): string {
  const { lines = 0, filled = lines } = sections.at(-1) ?? {};
  const more = tail === undefined || tail <= filled ? "" : `/${tail}`;
  return `${sections.map(listedToken).join(" ")}${more}`;
}

/** The digest of the list of all sections of a log. */
export function keysOf(sections: readonly Listable[]): string {
  return shortDigest(sha256(listing(sections, sections.at(-1)?.lines)));
}

/** The numbers of lines in a list of sections. */
export function listedCounts(listed: string): ReadonlySet<number> {
  return new Set(Array.from(listed.matchAll(/[+/](\d+)/gu), ([, count]) => Number(count)));
}

/** The key of the entry with this id. */
export function entryKey(id: string): string {
  return shortDigest(sha256(id)).slice(0, keyDigits);
}

const keyDigits = 12;
const contentDigits = 6;
