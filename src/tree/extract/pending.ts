import { type Day, daysBetween } from "../../base/calendar.ts";
import type { Passage } from "../../base/passage.ts";
import { dayOfRef, lastDayOf } from "../../base/refs.ts";
import { isPolar } from "../../text/extract/sentences.ts";
import { isUnfinished } from "../../text/extract/verdict.ts";
import { saysTheSame, sharedKeys, wordKeys } from "../../text/word-keys.ts";

/** A text with its words and its newest day. */
export interface Told {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly day: Day;
  readonly passage: Passage;
}

/** Whether two statements say nearly the same: same words, same numbers, same polarity. */
export function isRepeat(a: Told, b: Told): boolean {
  if (a.text === b.text) return true;
  return a.keys.size > 1 && b.keys.size > 1 && saysTheSame(a.keys, b.keys) && isPolar(a.text) === isPolar(b.text);
}

export interface OpenItem<S extends Told> {
  /** The day it was first mentioned. */
  readonly since: Day;
  /** The newest mention. */
  readonly last: S;
  /** All mentions, newest first. */
  readonly from: readonly S[];
}

/** What was done, of any topic: its words and the newest day. */
export type DoneDays = ReadonlyMap<string, Day>;

/** A single word is too common to be the same thing below another heading. */
const leastWords = 2;

export function doneDays(passages: readonly Passage[]): DoneDays {
  const days = new Map<string, Day>();
  for (const { role, text, refs } of passages) {
    const key = role === "done" ? wordsOf(wordKeys(text)) : "";
    const day = lastDayOf(refs);
    if (key !== "" && day > (days.get(key) ?? "")) days.set(key, day);
  }
  return days;
}

function wordsOf(keys: ReadonlySet<string>): string {
  return keys.size < leastWords ? "" : [...keys].toSorted().join(" ");
}

/**
 * The open items of a topic that nothing newer closes, newest first. `said`: everything about the topic, newest first.
 * A later list of open items replaces earlier ones, and the same words done below any heading close an item.
 */
export function openItems<S extends Told>(said: readonly S[], done: DoneDays = new Map()): readonly OpenItem<S>[] {
  const items: { readonly last: S; readonly from: S[] }[] = [];
  const newest = said.find(({ passage }) => passage.role === "open")?.day ?? "";
  said.forEach((one, index) => {
    if (one.passage.role !== "open" || (done.get(wordsOf(one.keys)) ?? "") > one.day) return;
    const known = items.find(({ last }) => isRepeat(last, one));
    if (known !== undefined) known.from.push(one);
    else if (one.day === newest && !said.slice(0, index).some((newer) => closes(newer, one)))
      items.push({ last: one, from: [one] });
  });
  return items.map(({ last, from }) => ({ last, from, since: sinceOf(from) }));
}

/**
 * Whether an item may no longer be called open: a later day mentions it, everything is done or abandoned, or its own
 * day says it is done. In doubt it is not open, and the later text speaks for itself.
 */
function closes(newer: Told, item: Told): boolean {
  const { role, progress, topic } = newer.passage;
  const isLater = newer.day > item.day;
  if (role === "open" || (!isLater && role !== "done")) return false;
  if (isLater && (role === "abandoned" || (role === "done" && progress === "done"))) return true;
  const name = wordKeys(topic);
  const own = new Set([...item.keys].filter((key) => !name.has(key)));
  const shared = sharedKeys(newer.keys, own);
  return shared > 0 && (isLater || (shared * 2 >= own.size && !isUnfinished(newer.text)));
}

/** An open item not mentioned for this many days is dropped. */
export const longestCarried = 90;

/** The first day with the same words and no longer silence since. Merely similar words do not count. */
function sinceOf(from: readonly Told[]): Day {
  const [last] = from;
  const same = from.filter(({ keys }) => [...keys].join(" ") === [...(last?.keys ?? [])].join(" "));
  const days = same.flatMap(({ passage }) => passage.refs.map(dayOfRef)).toSorted();
  const newest = days.at(-1) ?? "";
  return days.toReversed().reduce((since, day) => (daysBetween(day, since) <= longestCarried ? day : since), newest);
}

/** Whether work went on after it was blocked. */
export function isUnblocked({ passage, day }: Told, all: readonly Told[]): boolean {
  if (passage.role !== "blocked") return false;
  return all.some((later) => later.day > day && !["blocked", "open"].includes(later.passage.role));
}
