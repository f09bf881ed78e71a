import { type Day, daysBetween } from "../../base/calendar.ts";
import type { Passage } from "../../base/passage.ts";
import { dayOfRef, type Ref, refsOverlap } from "../../base/refs.ts";
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

/** Whether two statements say nearly the same thing: same words, same numbers, same polarity. */
export function isRepeat(a: Told, b: Told): boolean {
  if (a.text === b.text) return true;
  return a.keys.size > 1 && b.keys.size > 1 && saysTheSame(a.keys, b.keys) && isPolar(a.text) === isPolar(b.text);
}

export interface OpenItem<S extends Told> {
  /** The first day it was mentioned in these words, with no gap longer than `longestCarried` since. */
  readonly since: Day;
  /** The newest mention. */
  readonly last: S;
  /** All mentions, newest first. */
  readonly from: readonly S[];
}

interface Place {
  readonly keys: ReadonlySet<string>;
  readonly is: "heading" | "text";
  readonly topic: string;
  readonly ref: Ref;
}

/** Words in more texts than this are too common to match by. */
const mostPlaces = 30;
/** How many words a heading must share with an item to close it. */
const leastOfName = 2;

/** Text under other headings. When in doubt, it closes an open item. */
export class Elsewhere {
  readonly #places = new Map<string, Place[]>();

  constructor(passages: readonly Passage[]) {
    for (const { role, naming, topic, text, refs } of passages) {
      const ref = refs.at(-1);
      if (ref === undefined || role === "open" || isUnfinished(text)) continue;
      if (role !== "topic") addTo(this.#places, { keys: wordKeys(`${topic} ${text}`), is: "text", topic, ref });
      else if (naming === "given") addTo(this.#places, { keys: wordKeys(topic), is: "heading", topic, ref });
    }
  }

  /**
   * Whether later text under another heading has at least half of the item's words, including a rare one, or the item
   * names a later heading, which then continues its story.
   */
  mentions({ text, keys, passage: { refs, topic } }: Told): boolean {
    const ref = refs.at(-1);
    if (ref === undefined) return false;
    const own = wordKeys(text.split(/[,;:(（、，；]/u)[0] ?? text);
    const name = wordKeys(topic);
    const all = new Set([...keys, ...name]);
    const isSame = (one: Place): boolean => {
      if (one.topic === topic || (dayOfRef(one.ref) <= dayOfRef(ref) && !isBelow(one.ref, ref))) return false;
      const same = sharedKeys(own, one.keys);
      if (same * 2 >= own.size && same >= (one.is === "text" ? 1 : leastOfName)) return true;
      const shared = sharedKeys(one.keys, all);
      const isNamed = shared >= leastOfName && shared === one.keys.size && sharedKeys(one.keys, name) < shared;
      return one.is === "heading" && isNamed;
    };
    return [...keys].some((key) => {
      const places = this.#places.get(key) ?? [];
      return places.length <= mostPlaces && places.some(isSame);
    });
  }
}

function addTo(places: Map<string, Place[]>, place: Place): void {
  for (const key of place.keys) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
}

function isBelow(one: Ref, other: Ref): boolean {
  return one.log === other.log && one.from > other.to;
}

/** Context beyond the statements about a topic: everything said elsewhere, and the places of the topic's entries. */
export interface Surroundings {
  readonly elsewhere: Elsewhere;
  readonly entries: readonly Ref[];
}

/**
 * The open items of a topic that nothing newer closes, newest first. `said`: everything about the topic, newest first.
 * A later list of open items replaces earlier ones, and later text below another heading may close an item.
 */
export function openItems<S extends Told>(said: readonly S[], around?: Surroundings): readonly OpenItem<S>[] {
  const items: { readonly last: S; readonly from: S[] }[] = [];
  const newest = said.find(({ passage }) => passage.role === "open")?.day ?? "";
  said.forEach((one) => {
    if (one.passage.role !== "open" || around?.elsewhere.mentions(one) === true) return;
    const known = items.find(({ last }) => isRepeat(last, one));
    if (known !== undefined) known.from.push(one);
    else if (one.day === newest && !said.some((other) => closes(other, one, around?.entries ?? [])))
      items.push({ last: one, from: [one] });
  });
  return items.map(({ last, from }) => ({ last, from, since: sinceOf(from) }));
}

/**
 * Whether an item is no longer considered open: a later day or entry mentions it, a later day says that everything is
 * done or abandoned, or its own day says it is done. When in doubt, it counts as closed and the later text is shown
 * instead.
 */
function closes(newer: Told, item: Told, entries: readonly Ref[]): boolean {
  const { role, progress, topic } = newer.passage;
  if (role === "open" || newer.day < item.day) return false;
  const isLater = newer.day > item.day || isOfLaterEntry(newer, item, entries);
  if (!isLater && role !== "done") return false;
  if (newer.day > item.day && (role === "abandoned" || (role === "done" && progress === "done"))) return true;
  const name = wordKeys(topic);
  const own = new Set([...item.keys].filter((key) => !name.has(key)));
  const shared = sharedKeys(newer.keys, own);
  return shared > 0 && (isLater || (shared * 2 >= own.size && !isUnfinished(newer.text)));
}

function isOfLaterEntry(newer: Told, item: Told, entries: readonly Ref[]): boolean {
  const [one, other] = [newer.passage.refs.at(-1), item.passage.refs.at(-1)];
  if (one === undefined || other === undefined || !isBelow(one, other)) return false;
  const placeOf = (ref: Ref): number => entries.findIndex((entry) => refsOverlap([entry], [ref]));
  return placeOf(one) >= 0 && placeOf(other) >= 0 && placeOf(one) !== placeOf(other);
}

/** An open item not mentioned for this many days is dropped. */
export const longestCarried = 90;

/** The first day with exactly the same words and no gap longer than `longestCarried` since. */
function sinceOf(from: readonly Told[]): Day {
  const [last] = from;
  const same = from.filter(({ keys }) => [...keys].join(" ") === [...(last?.keys ?? [])].join(" "));
  const days = same.flatMap(({ passage }) => passage.refs.map(dayOfRef)).toSorted();
  const newest = days.at(-1) ?? "";
  return days.toReversed().reduce((since, day) => (daysBetween(day, since) <= longestCarried ? day : since), newest);
}

/** Whether work on the topic continued after it was blocked. */
export function isUnblocked({ passage, day }: Told, all: readonly Told[]): boolean {
  if (passage.role !== "blocked") return false;
  return all.some((later) => later.day > day && !["blocked", "open"].includes(later.passage.role));
}
