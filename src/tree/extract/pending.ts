import { type Day, daysBetween } from "../../base/calendar.ts";
import type { Passage } from "../../base/passage.ts";
import { dayOfRef, type Ref, refsOverlap } from "../../base/refs.ts";
import { isPolar } from "../../text/extract/sentences.ts";
import { isOpenEnded, isUnfinished } from "../../text/extract/verdict.ts";
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

/** Words that a text may have beside those of an open item to say that it is done: `printer cartridges bought`. */
const mostMore = 2;
/** Words of a heading that takes an item over. */
const leastOfName = 2;

interface Place {
  readonly keys: ReadonlySet<string>;
  readonly ref: Ref;
}

/** What may end an open item of another topic: short texts that leave nothing open, and headings. */
export class Elsewhere {
  readonly #texts = new Map<string, Place[]>();
  readonly #names = new Map<string, Place[]>();

  constructor(passages: readonly Passage[]) {
    for (const { role, naming, topic, text, refs } of passages) {
      const ref = refs.at(-1);
      if (ref === undefined) continue;
      const isDone = role === "done" || ((role === "note" || role === "outcome") && !isOpenEnded(text));
      if (isDone && text.length <= longestDone) addTo(this.#texts, { keys: wordKeys(text), ref });
      if (role === "topic" && naming === "given") addTo(this.#names, { keys: wordKeys(topic), ref });
    }
  }

  /**
   * Whether a later text has all words of an item, and hardly others, or a later day has an entry whose heading the item
   * names: then the story goes on there.
   */
  ends({ keys, passage: { refs, topic } }: Told): boolean {
    const [first] = keys;
    const ref = refs.at(-1);
    if (first === undefined || ref === undefined) return false;
    const isSaid = (this.#texts.get(first) ?? []).some((one) => {
      const isSame = one.keys.size - keys.size <= mostMore && sharedKeys(keys, one.keys) === keys.size;
      return isSame && (dayOfRef(one.ref) > dayOfRef(ref) || isBelow(one.ref, ref));
    });
    if (isSaid) return true;
    const name = wordKeys(topic);
    const all = new Set([...keys, ...name]);
    return [...keys].some((key) =>
      (this.#names.get(key) ?? []).some(
        (one) =>
          one.keys.size >= leastOfName &&
          dayOfRef(one.ref) > dayOfRef(ref) &&
          sharedKeys(one.keys, all) === one.keys.size &&
          sharedKeys(one.keys, name) < one.keys.size,
      ),
    );
  }
}

function addTo(places: Map<string, Place[]>, place: Place): void {
  for (const key of place.keys) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
}

/** In characters. */
const longestDone = 80;

function isBelow(one: Ref, other: Ref): boolean {
  return one.log === other.log && one.from > other.to;
}

/** What is known beside the statements of a topic: what was said anywhere, and where its entries are. */
export interface Surroundings {
  readonly elsewhere: Elsewhere;
  readonly entries: readonly Ref[];
}

/**
 * The open items of a topic that nothing newer closes, newest first. `said`: everything about the topic, newest first.
 * A later list of open items replaces earlier ones, and the same words done below any heading close an item.
 */
export function openItems<S extends Told>(said: readonly S[], around?: Surroundings): readonly OpenItem<S>[] {
  const items: { readonly last: S; readonly from: S[] }[] = [];
  const newest = said.find(({ passage }) => passage.role === "open")?.day ?? "";
  said.forEach((one) => {
    if (one.passage.role !== "open" || around?.elsewhere.ends(one) === true) return;
    const known = items.find(({ last }) => isRepeat(last, one));
    if (known !== undefined) known.from.push(one);
    else if (one.day === newest && !said.some((other) => closes(other, one, around?.entries ?? [])))
      items.push({ last: one, from: [one] });
  });
  return items.map(({ last, from }) => ({ last, from, since: sinceOf(from) }));
}

/**
 * Whether an item may no longer be called open: a later day or entry mentions it, a later day says that everything is
 * done or abandoned, or its own day says it is done. In doubt it is not open, and the later text speaks for itself.
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
