import { daysBetween, isDay, type Day } from "./calendar.ts";
import { compareTexts } from "./lists.ts";

/**
 * The source of a line: lines `from` to `to` (1-based, inclusive) of a raw log, named by its file without `.md`:
 * `2026-03-15`, or `2026-03-15-standup` for another log of the same day. `from` is 0 if only the log is known.
 */
export interface Ref {
  readonly log: string;
  readonly from: number;
  readonly to: number;
  /** A model wrote the text without naming its sources, and the program matched it to these lines. Printed with a leading `~`. */
  readonly found?: "by_match";
}

export function dayOfRef(ref: Ref): Day {
  return ref.log.slice(0, 10);
}

/** The newest day of the refs; empty if there are none. */
export function lastDayOf(refs: readonly Ref[]): Day {
  return refs.reduce((last, ref) => (dayOfRef(ref) > last ? dayOfRef(ref) : last), "");
}

/** `03-15:12-18`, `03-15:12`, `03-15-standup:4`, `03-15`, `~03-15:12`. The year is implied by the node. */
export function printRef(ref: Ref): string {
  const log = `${ref.found === undefined ? "" : "~"}${ref.log.slice(5)}`;
  if (ref.from === 0) return log;
  return ref.from === ref.to ? `${log}:${ref.from}` : `${log}:${ref.from}-${ref.to}`;
}

/** The end of a summary line: ` (03-15:12-18, 03-16:4)`; empty without refs. */
export function printRefSuffix(refs: readonly Ref[]): string {
  return refs.length === 0 ? "" : ` (${refs.map(printRef).join(", ")})`;
}

const suffix = / \((~?\d\d-\d\d[^ (),]*(?:, ~?\d\d-\d\d[^ (),]*)*)\)$/u;
const one = /^(~?)(\d\d-\d\d)(-[^ :(),]+)?(?::(\d{1,15})(?:-(\d{1,15}))?)?$/u;

/** Splits a summary line into its text and the refs at its end. `near` is any day of the node's period, for the year. */
export function parseRefSuffix(line: string, near: Day): { readonly text: string; readonly refs: readonly Ref[] } {
  const match = line.endsWith(")") ? suffix.exec(line) : null;
  if (match === null) return { text: line, refs: [] };
  const refs: Ref[] = [];
  for (const part of (match[1] ?? "").split(", ")) {
    const ref = parseRef(part, near);
    if (ref === undefined) return { text: line, refs: [] };
    refs.push(ref);
  }
  return { text: line.slice(0, match.index), refs };
}

function parseRef(text: string, near: Day): Ref | undefined {
  const [, mark, monthDay = "", name = "", first = "0", last = first] = one.exec(text) ?? [];
  const day = nearestYear(monthDay, near);
  const [from, to] = [Number(first), Number(last)];
  if (day === undefined || to < from) return undefined;
  const ref: Ref = { log: `${day}${name}`, from, to };
  return mark === "~" ? { ...ref, found: "by_match" } : ref;
}

/** The day with this month and day of the month that is closest to `near`. */
function nearestYear(monthDay: string, near: Day): Day | undefined {
  const year = Number(near.slice(0, 4));
  const days = [year, year - 1, year + 1].map((one) => `${String(one).padStart(4, "0")}-${monthDay}`).filter(isDay);
  const distance = (day: Day): number => Math.abs(daysBetween(near, day));
  return days.toSorted((a, b) => distance(a) - distance(b))[0];
}

export function compareRefs(a: Ref, b: Ref): number {
  return compareTexts(a.log, b.log) || a.from - b.from || a.to - b.to || rankOf(a) - rankOf(b);
}

function rankOf(ref: Ref): number {
  return ref.found === undefined ? 0 : 1;
}

/**
 * Merges refs into as few as possible, in order. Named and found refs are never merged with each other; a found ref contained in a named one is
 * dropped.
 */
export function mergeRefs(refs: readonly Ref[]): readonly Ref[] {
  if (refs.every((ref) => ref.found === undefined)) return mergeAlike(refs);
  const named = mergeAlike(exactOf(refs));
  const found = mergeAlike(refs.filter((ref) => ref.found !== undefined));
  const left = found.filter((ref) => !named.some((other) => holds(other, ref)));
  return [...named, ...left.map((ref): Ref => ({ ...ref, found: "by_match" }))].toSorted(compareRefs);
}

/** The named refs, without found ones. */
export function exactOf(refs: readonly Ref[]): readonly Ref[] {
  return refs.filter((ref) => ref.found === undefined);
}

/** The ref without its `found` mark. */
export function exactForm({ log, from, to }: Ref): Ref {
  return { log, from, to };
}

/** Whether `ref` contains all lines of `other`. */
export function holds(ref: Ref, other: Ref): boolean {
  return (
    ref.log === other.log && (ref.from === 0) === (other.from === 0) && ref.from <= other.from && other.to <= ref.to
  );
}

function mergeAlike(refs: readonly Ref[]): readonly Ref[] {
  const merged: Ref[] = [];
  for (const ref of refs.toSorted(compareRefs)) {
    const last = merged.at(-1);
    if (last !== undefined && last.log === ref.log && (last.from === 0) === (ref.from === 0) && ref.from <= last.to + 1)
      merged[merged.length - 1] = { log: last.log, from: last.from, to: Math.max(last.to, ref.to) };
    else merged.push(ref);
  }
  return merged;
}

/** Maximum refs in a summary line: one for each day of a month. */
export const mostRefs = 31;

/**
 * Keeps at most `most` refs, in order. First choice: the newest ref of each day, from the newest day back; then the other refs, newest first. On the
 * same day, and among the others, named refs win over found ones.
 */
export function limitRefs(refs: readonly Ref[], most: number): readonly Ref[] {
  const merged = mergeRefs(refs);
  if (merged.length <= most) return merged;
  const newestFirst = merged.toReversed().toSorted((a, b) => rankOf(a) - rankOf(b));
  const days = new Set<Day>();
  const firsts: Ref[] = [];
  const others: Ref[] = [];
  for (const ref of newestFirst) {
    if (days.has(dayOfRef(ref))) others.push(ref);
    else firsts.push(ref);
    days.add(dayOfRef(ref));
  }
  const newestDays = firsts.toSorted((a, b) => compareTexts(dayOfRef(b), dayOfRef(a)));
  return mergeRefs([...newestDays, ...others].slice(0, most));
}

export function refsOverlap(a: readonly Ref[], b: readonly Ref[]): boolean {
  return a.some((x) =>
    b.some((y) => x.log === y.log && (x.from === 0 || y.from === 0 || (x.from <= y.to && y.from <= x.to))),
  );
}
