import { Buffer } from "node:buffer";
import { localDay, type Day } from "../../base/calendar.ts";
import { greatest } from "../../base/lists.ts";
import { parseEntryComment, type EntryComment } from "../../base/memory-type.ts";
import { timeOfId } from "../model/entry-format.ts";
import { isDayTitle } from "../model/period.ts";
import type { SectionDigest } from "../model/node-sections.ts";

/** What is known of the arrival of a log's lines, other than from its entries. */
export interface Arrivals {
  /** Lines that arrived later. */
  readonly lines: readonly (readonly [number, number])[];
  /** By the id of an entry or the digest of a section that grew or arrived later: how many of its lines were there before. */
  readonly sections: ReadonlyMap<string, number>;
  /** The lengths at which nodes recorded the log. */
  readonly recorded: readonly number[];
}

/** Whether a log may have an entry that was written after a day. */
export function mayHaveLater(bytes: Uint8Array, day: Day): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let from = buffer.indexOf(mark); from >= 0; from = buffer.indexOf(mark, from + 1)) {
    const end = buffer.indexOf(10, from);
    const comment = parseEntryComment(buffer.toString("utf8", from, end < 0 ? undefined : end).replace(/\r$/u, ""));
    if (comment !== undefined && dayWritten(comment) > day) return true;
  }
  return false;
}

const mark = "<!-- hw id=";

/** The day on which an entry was written, by its time or, for an entry of an earlier day, by an id that begins with the time. In the time zone of the entry, so the same everywhere. */
function dayWritten({ id, at }: EntryComment): Day {
  const named = at.slice(0, 10);
  const time = timeOfId(id);
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/u.exec(at) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -60_000 : 60_000);
  const written = time === undefined ? named : localDay(time + offset, "UTC");
  return written > named ? written : named;
}

/**
 * The bytes of a log at the end of a day: without the entries written later, and without the sections known to have arrived later. At the end of the log
 * they are cut, so that it is again the log that a node recorded; elsewhere their lines are blank, so that all others keep their numbers. `undefined` if
 * nothing is left. `sections`: all of them, not grouped.
 */
export function logAsOf(
  bytes: Uint8Array,
  sections: readonly SectionDigest[],
  { day, lines, sections: grown, recorded }: Arrivals & { readonly day: Day },
): Uint8Array | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts = [0];
  for (let at = buffer.indexOf(10); at >= 0 && at + 1 < buffer.length; at = buffer.indexOf(10, at + 1))
    starts.push(at + 1);
  const line = (number: number): string =>
    buffer
      .toString("utf8", starts[number - 1] ?? buffer.length, starts[number] ?? buffer.length)
      .replace(/\r?\n$/u, "");
  const isGone = starts.map(() => false);
  for (const [from, to] of lines) isGone.fill(true, from - 1, to);
  for (const [index, { line: first, digest }] of sections.entries()) {
    const next = sections[index + 1]?.line ?? starts.length + 1;
    const comment = parseEntryComment(line(first + 1));
    const isLater = comment !== undefined && dayWritten(comment) > day;
    const known = isLater ? 0 : (grown.get(comment?.id ?? "") ?? grown.get(digest));
    if (known !== undefined) isGone.fill(true, first - 1 + known, next - 1);
  }
  const texts = starts.map((_, index) => line(index + 1));
  if (texts.every((text, at) => isGone[at] === true || text.trim() === "" || isDayTitle(text))) return undefined;
  const last = isGone.lastIndexOf(false) + 1;
  const pieces = starts.slice(0, last).map((start, at) => {
    const own = buffer.subarray(start, starts[at + 1]);
    return isGone[at] === true ? own.subarray(own.at(-2) === 13 ? -2 : -1) : own;
  });
  const kept = Buffer.concat(pieces);
  return last === starts.length ? kept : kept.subarray(0, endOf(kept, recorded));
}

/** Where the log ended: where a node recorded it if only white space follows, else before the blank line that separates entries. */
function endOf(kept: Buffer, recorded: readonly number[]): number {
  const text = kept.toString("latin1").trimEnd();
  const ends = recorded.filter((length) => length >= text.length && length <= kept.length);
  if (ends.length > 0) return greatest(ends);
  const blank = /\n\r?\n$/u.exec(kept.toString("latin1"));
  return blank === null ? kept.length : kept.length - (blank[0].length - 1);
}
