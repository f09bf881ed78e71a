import { bytesOfLine, type Space, type Passage, type VerbatimLine } from "../../base/passage.ts";
import { monthOfWeek } from "../../base/calendar.ts";
import { childrenOf, type NodeLevel, type NodeName } from "../model/period.ts";
import type { Node } from "../model/node-format.ts";
import { isPreserved } from "../../base/memory-type.ts";
import { lessen, newestSaid, saidWithin, shareOfSaid } from "../extract/rank.ts";
import { isLean, sizeOfPassage } from "../model/summary-format.ts";

/** Sources up to this size are copied or concatenated; larger ones are summarized within `summary`. */
interface Threshold {
  readonly lines: number;
  readonly bytes: number;
  readonly summary: Space;
  readonly topics: number;
}

const kib = 1024;

export const thresholds: Readonly<Record<NodeLevel, Threshold>> = {
  daily: { lines: 200, bytes: 64 * kib, summary: { lines: 80, bytes: 16 * kib }, topics: 40 },
  weekly: { lines: 300, bytes: 96 * kib, summary: { lines: 300, bytes: 24 * kib }, topics: 60 },
  monthly: { lines: 500, bytes: 160 * kib, summary: { lines: 500, bytes: 40 * kib }, topics: 80 },
};

export function fitsVerbatim(level: NodeLevel, size: Space): boolean {
  return size.lines <= thresholds[level].lines && size.bytes <= thresholds[level].bytes;
}

/** Whether the children's bodies are summarized instead of concatenated. */
export function isOverThreshold(name: NodeName, children: readonly Node[]): boolean {
  const bytes = children.reduce((sum, child) => sum + bytesOf(child.body), 0);
  const lines = children.reduce((sum, child) => sum + child.body.length, 0);
  return !fitsVerbatim(name.level, { lines, bytes });
}

function bytesOf(body: readonly string[]): number {
  return body.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/**
 * The limits of a summary. In a daily node, `user` and `feedback` entries and the user's quoted words do not count
 * toward the lines. The user's words, up to a quarter of the byte limit, do not count toward the bytes either. A week
 * gets its share of the lines that a month may concatenate, so nothing is lost on the way to ROOT.md; it may exceed
 * that for `user` and `feedback` entries.
 */
export function summarySpace(name: NodeName, passages: readonly Passage[]): Space {
  const most = thresholds[name.level].summary;
  const quoted = saidWithin(newestSaid(passages), most.bytes * shareOfSaid);
  const said = quoted.reduce((sum, passage) => sum + bytesOfLine(passage), 0);
  const preserved = passages.reduce((sum, passage) => sum + passage.lines.length, 0);
  const bytes = most.bytes + said;
  if (name.level === "daily") return { lines: most.lines + preserved + quoted.length, bytes, said, others: most.lines };
  if (name.level === "monthly") return { lines: most.lines + quoted.length, bytes, said };
  const weeks = childrenOf("monthly", monthOfWeek(name.period)).length;
  const share = Math.floor(thresholds.monthly.lines / weeks) - linesOfChildHeading;
  return { lines: Math.min(most.lines, share + preserved), bytes, said };
}

/** Each child in a concatenation is preceded by a blank line, its heading and another blank line. */
const linesOfChildHeading = 3;

/** The part of the limits used by the title and section headings. */
function overhead(ranked: readonly Passage[]): Space {
  const sections = new Set(ranked.map((passage) => passage.role)).size;
  return { lines: 2 + sections * 2, bytes: 80 + sections * 40 };
}

/** Share of the space that `user` and `feedback` entries leave to the rest if they do not all fit. */
const shareOfOthers = 0.1;

/**
 * Selects the first ranked passages that fit. `user` and `feedback` entries come first, whole if all fit; otherwise
 * each gets an equal share of their space, and space that short ones leave goes to long ones (max-min fairness), which
 * are cut at the end. Their topic lines come before their texts, so shortened entries can still be found. The user's
 * words follow, within their share.
 */
export function chooseWithin(
  ranked: readonly Passage[],
  limit: Space,
): { readonly chosen: readonly Passage[]; readonly shortened: readonly string[] } {
  const frame = overhead(ranked);
  const room = { lines: limit.lines - frame.lines, bytes: limit.bytes - frame.bytes };
  const preserved = ranked.filter((passage) => passage.role === "preserved");
  const named = ranked.filter(namesPreserved);
  const said = saidWithin(
    ranked.filter((passage) => passage.role === "said"),
    limit.said ?? limit.bytes * shareOfSaid,
  );
  const rest = ranked.filter(({ role }) => role !== "preserved" && role !== "said");
  const others = [...said, ...rest.filter((passage) => !namesPreserved(passage))];
  const forTexts = subtract(room, named);
  const left = subtract(forTexts, preserved);
  const all = left.lines >= 0 && left.bytes >= 0;
  const kept = all ? preserved : shareOut(preserved, lessen(forTexts, others.length === 0 ? 1 : 1 - shareOfOthers));
  const chosen = kept.filter((passage) => passage !== undefined);
  let { lines, bytes } = subtract(room, chosen);
  // Lines saved by shortening or merging entries do not go to the others.
  let forOthers = limit.others === undefined ? lines : limit.others - frame.lines;
  // Topics that share a line are added to the last line started.
  let isBegun = false;
  for (const passage of [...named, ...others]) {
    if (passage.place === "same_line" && !isBegun && isLean(passage)) continue;
    const size = sizeOfPassage(passage);
    const counts = passage.role === "said" ? 0 : size.lines;
    const isFitting = size.lines <= lines && counts <= forOthers && size.bytes <= bytes;
    if (passage.place !== "same_line" && isLean(passage)) isBegun ||= isFitting;
    if (!isFitting) continue;
    lines -= size.lines;
    forOthers -= counts;
    bytes -= size.bytes;
    chosen.push(passage);
    if (bytes <= 0) break;
  }
  const shortened = preserved.filter((passage, index) => kept[index] !== passage).map((passage) => passage.topic);
  return { chosen, shortened };
}

function namesPreserved(passage: Passage): boolean {
  return passage.role === "topic" && isPreserved(passage.type);
}

function subtract(room: Space, taken: readonly Passage[]): { lines: number; bytes: number } {
  const sizes = taken.map(sizeOfPassage);
  return {
    lines: room.lines - sizes.reduce((sum, size) => sum + size.lines, 0),
    bytes: room.bytes - sizes.reduce((sum, size) => sum + size.bytes, 0),
  };
}

/** Each entry whole, shortened or left out (`undefined`), in the given order. */
function shareOut(entries: readonly Passage[], room: Space): readonly (Passage | undefined)[] {
  const left = { ...room };
  const kept: (Passage | undefined)[] = entries.map(() => undefined);
  const smallFirst = entries
    .map((entry, index) => ({ entry, index, size: sizeOfPassage(entry) }))
    .toSorted((a, b) => a.size.bytes - b.size.bytes || a.index - b.index);
  smallFirst.forEach(({ entry, index, size }, done) => {
    const waiting = smallFirst.length - done;
    const part = { lines: Math.floor(left.lines / waiting), bytes: Math.floor(left.bytes / waiting) };
    const form = size.lines <= part.lines && size.bytes <= part.bytes ? entry : beginningOf(entry, part);
    kept[index] = form;
    if (form === undefined) return;
    const taken = sizeOfPassage(form);
    left.lines -= taken.lines;
    left.bytes -= taken.bytes;
  });
  return kept;
}

/** The heading and as many lines as fit; the first line that does not fit is cut at a word if enough of it remains. */
function beginningOf(entry: Passage, part: Space): Passage | undefined {
  const lines: VerbatimLine[] = [];
  let bytes = 8;
  for (const line of entry.lines) {
    const free = part.bytes - bytes - 1;
    const size = Buffer.byteLength(line.text);
    if (lines.length >= part.lines || (size > free && free < leastCut)) break;
    lines.push(size <= free ? line : { ...line, text: cut(line.text, free) });
    bytes += Buffer.byteLength(lines.at(-1)?.text ?? "") + 1;
    if (size > free) break;
  }
  return lines.length < 2 ? undefined : { ...entry, lines };
}

/** In bytes. A shorter fragment of a line is useless. */
const leastCut = 80;

function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text)
    .subarray(0, bytes - 3)
    .toString("utf8")
    .replace(/\uFFFD+$/u, "");
  const space = whole.lastIndexOf(" ");
  return `${space > whole.length / 2 ? whole.slice(0, space) : whole}…`;
}
