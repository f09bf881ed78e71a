import { parseObject } from "../base/json.ts";
import { topicKey } from "../base/memory-type.ts";
import { decodeText } from "../base/lines.ts";
import type { Files } from "../platform/files.ts";
import { readFixedRecords } from "../tree/logs/records.ts";
import type { ForgottenRecord } from "../tree/model/records-format.ts";
import { sectionsOf } from "../tree/logs/raw-logs.ts";
import {
  listedCounts,
  listedToken,
  parseFixedRecords,
  printFixedRecord,
  type FixedRecord,
} from "../tree/model/fixed-records.ts";

/** By the name of a section in a list: the name of what is left of it; empty if nothing is. */
export type ListedAfter = Readonly<Record<string, string>>;

/** How the lists in records of fixed nodes name the sections of a log after lines were cut from it. */
export async function listedAfter(
  files: Files,
  path: string,
  { before, after, cut }: { readonly before: Uint8Array; readonly after: Uint8Array; readonly cut: readonly number[] },
): Promise<ListedAfter> {
  const lists = (await readFixedRecords(files)).flatMap(({ of = [] }) => of.filter((text) => isListOf(path, text)));
  const gone = new Set(cut);
  const leftOf = (line: number, count: number): number =>
    Array.from({ length: count }, (_, index) => line + index).filter((one) => !gone.has(one)).length;
  const counts = new Set(lists.flatMap((text) => [...listedCounts(text)]));
  const old = sectionsOf(path, before, { counts, lines: new Set() });
  const sizes = new Set(old.flatMap(({ line, heads }) => heads.map(({ lines }) => leftOf(line, lines))));
  const left = old.filter(({ line, filled }) => leftOf(line, filled) > 0);
  const now = sectionsOf(path, after, { counts: sizes, lines: new Set() });
  const named: [string, string][] = [];
  for (const section of old) {
    const same = left.length === now.length ? now[left.indexOf(section)] : undefined;
    named.push([listedToken(section), same === undefined ? "" : listedToken(same)]);
    for (const head of section.heads.filter(({ lines }) => lines < section.filled)) {
      const size = leftOf(section.line, head.lines);
      const found = same?.filled === size ? same : same?.heads.find(({ lines }) => lines === size);
      named.push([listedToken(head), found === undefined ? "" : listedToken(found)]);
    }
  }
  return Object.fromEntries(named.filter(([from, to]) => from !== to));
}

/**
 * A record of a change after entries were forgotten: without one that is gone as the replacement, so that what it replaced
 * stays out of use. `undefined`: what it is about is gone.
 */
export function changeAfter(line: Buffer, tombstones: readonly ForgottenRecord[]): Buffer | undefined {
  const gone = new Set(tombstones.map(({ entry = "" }) => entry));
  const { kind, section, by, ...rest } = parseObject(line.toString("utf8").trim()) ?? {};
  if ((kind !== "removed" && kind !== "pinned") || typeof section !== "string") return line;
  if (gone.has(section)) return undefined;
  return typeof by === "string" && gone.has(by) ? Buffer.from(`${JSON.stringify({ ...rest, kind, section })}\n`) : line;
}

/** Records without renamings that name what is forgotten: `A → forgotten → B` becomes `A → B`. */
export function renamesAfter(lines: readonly Buffer[], isGone: (name: string) => boolean): readonly Buffer[] {
  const renames = lines.map((line) => {
    const { kind, from, to } = parseObject(line.toString("utf8").trim()) ?? {};
    return kind === "renamed" && typeof from === "string" && typeof to === "string" ? { from, to } : undefined;
  });
  return lines.flatMap((line, index): readonly Buffer[] => {
    const own = renames[index];
    if (own === undefined || !(isGone(own.from) || isGone(own.to))) return [line];
    if (isGone(own.from)) return [];
    let { to } = own;
    for (const next of renames.slice(index + 1))
      if (next !== undefined && isGone(to) && topicKey(next.from) === topicKey(to)) to = next.to;
    return isGone(to) ? [] : [Buffer.from(`${JSON.stringify({ ...parseObject(line.toString("utf8").trim()), to })}\n`)];
  });
}

/** A file of such records, with the lists as they are after the cuts. `after`: by path of the log. */
export function withLists(bytes: Uint8Array, after: Readonly<Record<string, ListedAfter>>): Uint8Array {
  const text = decodeText(bytes) ?? "";
  if (!Object.keys(after).some((path) => text.includes(path))) return bytes;
  const records = parseFixedRecords(text).map((record) => printFixedRecord(withListsOf(record, after)));
  return Buffer.from(
    [...new Set(records)]
      .toSorted()
      .map((line) => `${line}\n`)
      .join(""),
  );
}

function withListsOf(record: FixedRecord, after: Readonly<Record<string, ListedAfter>>): FixedRecord {
  if (record.of === undefined) return record;
  const of = record.of.flatMap((text): readonly string[] => {
    const [path = ""] = text.split(" ", 1);
    const names = after[path];
    if (names === undefined || text === path) return [text];
    const [list = "", tail] = text.slice(path.length + 1).split("/");
    const tokens = list.split(" ");
    const now = tokens.map((token) => names[token] ?? token).filter((token) => token !== "");
    if (now.length === 0) return [];
    // The number of blank lines below the last section counts only for that one.
    const isSame = tail !== undefined && now.at(-1) === tokens.at(-1);
    return [`${path} ${now.join(" ")}${isSame ? `/${tail}` : ""}`];
  });
  return { ...record, of };
}

function isListOf(path: string, text: string): boolean {
  return text.startsWith(`${path} `);
}
