import type { Passage, SourceSection } from "../../base/passage.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import { type Item, progressOf } from "./items.ts";
import { countTerms, type TermCounts } from "../../text/extract/keywords.ts";
import { detailsOf, isIdLike, keyedTopic, nameOf, namesNothing, saidIn } from "./passages.ts";
import { contentWords, sameWord } from "../../text/extract/words.ts";
import { pushAll } from "../../base/lists.ts";

/** A note of up to this many lines is split only if it has no heading and several paragraphs. */
const shortNote = 6;
/** A note below one heading is split if it has at least this many lines. */
const longNote = 40;

/**
 * Whether a note may cover several subjects: it has no topic and more than a few lines or paragraphs, or it is very
 * long. A typed heading always means one topic.
 */
export function isLongNote(section: SourceSection): boolean {
  if (section.type === "reference" || section.tagged === "tagged") return false;
  let said = 0;
  for (const { kind, text } of section.lines)
    if (kind !== "heading" && kind !== "code" && text.trim() !== "") said += 1;
  if (said <= shortNote) return section.topic === "" && paragraphsOf(section) > 1;
  return isUnnamed(section) || (section.tagged === "untagged" && said >= longNote);
}

function isUnnamed({ topic }: SourceSection): boolean {
  return topic === "" || isIdLike(topic) || namesNothing(topic);
}

/** The number of paragraphs, by their first lines. */
function paragraphsOf({ lines }: SourceSection): number {
  const begins = (at: number): boolean =>
    (lines[at - 1]?.text ?? "").trim() === "" && /^[^\s#]/u.test(lines[at]?.text ?? "");
  return lines.filter(({ kind }, at) => kind === "text" && begins(at)).length;
}

/**
 * Splits a note into topics where its vocabulary changes, each with keywords and details. The topic of the heading, if
 * any, comes first. `[]` if the heading names a topic and the note has one subject or many keyed items.
 */
export function notes(section: SourceSection, items: readonly Item[]): readonly Passage[] {
  const unnamed = isUnnamed(section);
  const free = items.filter(({ keyed }) => keyed === "free").length;
  if (!unnamed && free < items.length * 0.7) return [];
  const tiles = tilesOf(items).map((tile) => ({ tile, counts: countTerms(tile.map(saidIn)) }));
  if (!unnamed && tiles.length < 2) return [];
  const rarity = rarityAmong(tiles.map(({ counts }) => counts));
  const places = placesOf(section);
  const found = tiles.flatMap(({ tile, counts }) => topicOfTile(section, tile, counts, { rarity, places }));
  return unnamed ? found : [keyedTopic(section, section.topic, countTerms(items.map(saidIn))), ...found];
}

function topicOfTile(
  section: SourceSection,
  tile: readonly Item[],
  counts: TermCounts,
  { rarity, places }: { rarity: (key: string) => number; places: ReadonlyMap<number, number> },
): readonly Passage[] {
  const title = tile[0]?.title ?? "";
  const named =
    title !== "" && tile[0]?.begins === "title" && !namesNothing(title) && !isIdLike(title) && title !== section.topic;
  const topic = named ? cleanTitle(title) : (labelOf(tile[0]) ?? nameOf(counts, rarity));
  const details = detailsOf(section, tile).filter((passage) => passage.text !== "");
  if (topic === "") return details.filter(({ role }) => role !== "note");
  const lines = tile.flatMap((item) => item.parts.map((part) => part.text));
  const progress = progressOf(named ? title : "", lines);
  const refs = rangesOf(section, tile, places);
  const weight = 1 + Math.log2(1 + lines.length) / 4;
  return [
    { ...keyedTopic(section, topic, counts, rarity), refs, weight, progress, naming: "found" },
    ...details.map((detail): Passage => ({ ...detail, topic, progress })),
  ];
}

/** The lines of the items, including blank lines between them. */
function rangesOf(section: SourceSection, tile: readonly Item[], places: ReadonlyMap<number, number>): readonly Ref[] {
  const ranges: { log: string; from: number; to: number }[] = [];
  for (const { number, to } of tile) {
    const last = ranges.at(-1);
    if (last !== undefined && (places.get(number) ?? 0) === (places.get(last.to) ?? 0) + 1) last.to = to;
    else ranges.push({ log: section.log, from: number, to });
  }
  return mergeRefs(ranges);
}

/** Maps line numbers to positions among the nonblank lines. */
function placesOf(section: SourceSection): ReadonlyMap<number, number> {
  const said = section.lines.filter(({ text }) => text.trim() !== "");
  return new Map(said.map(({ number }, place) => [number, place + 1]));
}

/** A heading as a topic's name: without markup or a leading time. */
function cleanTitle(title: string): string {
  const said = title.replaceAll(/\*\*|__|`/gu, "").replace(/^\d{1,2}:\d{2}\s*[–—:-]?\s*/u, "");
  return Array.from(said.trim()).slice(0, 80).join("").trim();
}

/** A label at the start of a paragraph: `Kitchen renovation: the carpenter …`. */
function labelOf(item: Item | undefined): string | undefined {
  const label = /^(?:\*\*)?([\p{L}][\p{L}\p{N}' .-]{1,38}?)(?:\*\*)?[:：](?:\*\*)?\s/u
    .exec(item?.text ?? "")?.[1]
    ?.trim();
  const words = label === undefined ? 0 : countTerms([{ text: label, weight: 1 }]).keys().length;
  return label !== undefined && words > 0 && label.split(" ").length <= 4 ? label : undefined;
}

/** Inverse document frequency over the parts (Spärck Jones 1972). */
function rarityAmong(tiles: readonly TermCounts[]): (key: string) => number {
  const spread = new Map<string, number>();
  for (const counts of tiles) for (const key of counts.keys()) spread.set(key, (spread.get(key) ?? 0) + 1);
  return (key) => 0.5 + Math.log2(1 + tiles.length / (spread.get(key) ?? 1)) / Math.log2(2 + tiles.length);
}

/** A paragraph with fewer words joins the one before. */
const fewWords = 3;
/** The most parts of one section. */
const mostTiles = 400;
/** Parts at least this similar count as the same subject. */
const same = 0.35;

/**
 * Starts a part at each heading and paragraph, including the list below it, but keeps short text under a heading
 * together; merges parts about the same subject.
 */
function tilesOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const below = shortTitles(items);
  const tiles: Item[][] = [];
  for (const item of items) {
    const last = tiles.at(-1) ?? [];
    const goesOn =
      item.begins === "item" ||
      item.begins === "nested" ||
      (item.begins === "block" && (below.has(item.title) || Math.min(bagOf([item]).size, bagOf(last).size) < fewWords));
    if (last.length > 0 && (goesOn || tiles.length >= mostTiles)) last.push(item);
    else tiles.push([item]);
  }
  return joinSame(tiles);
}

/** Merges parts about the same subject if they are under the same heading. */
function joinSame(tiles: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  const joined: { items: Item[]; readonly words: ReadonlyMap<string, number>; readonly title: string }[] = [];
  for (const tile of tiles) {
    const words = bagOf(tile);
    const title = tile[0]?.title ?? "";
    const like = joined
      .filter((other) => other.title === title)
      .map((other) => ({ other, likeness: cosine(other.words, words) }))
      .filter(({ likeness }) => likeness >= same)
      .toSorted((a, b) => b.likeness - a.likeness)[0];
    if (like === undefined) joined.push({ items: [...tile], words, title });
    else pushAll(like.other.items, tile);
  }
  return joined.map(({ items }) => items);
}

/** Text below a heading with at most this many items is one topic. */
const shortBelow = 12;

/** Headings with little text below them. */
function shortTitles(items: readonly Item[]): ReadonlySet<string> {
  const below = Map.groupBy(items, ({ title }) => title);
  return new Set([...below].filter(([title, own]) => title !== "" && own.length <= shortBelow).map(([title]) => title));
}

function bagOf(items: readonly Item[]): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (const { key } of items.flatMap(({ text }) => contentWords(text)))
    bag.set(sameWord(key), (bag.get(sameWord(key)) ?? 0) + 1);
  return bag;
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [key, count] of a) shared += count * (b.get(key) ?? 0);
  return shared === 0 ? 0 : shared / Math.sqrt(norm(a) * norm(b));
}

function norm(bag: ReadonlyMap<string, number>): number {
  return [...bag.values()].reduce((sum, count) => sum + count * count, 0);
}
