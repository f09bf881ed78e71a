import type { Passage, SourceSection } from "../../base/passage.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import type { Item } from "./items.ts";
import { countTerms, type TermCounts } from "../../text/extract/keywords.ts";
import { progressOf } from "./progress.ts";
import { detailsOf, saidIn } from "./telling.ts";
import { tilesOf } from "./tiles.ts";
import { isIdLike, keyedTopic, nameOf, namesNothing } from "./topic-passage.ts";

/** Lines of text up to which a note without a topic is one topic. */
const shortNote = 6;
/** Lines of text from which a note below one heading is divided. */
const longNote = 40;

/** Whether a section is a note that may be about several things: long, and without a topic of its own or very long. A heading with a type was given on purpose. */
export function isLongNote(section: SourceSection): boolean {
  if (section.type === "reference" || section.tagged === "tagged") return false;
  let said = 0;
  for (const { kind, text } of section.lines)
    if (kind !== "heading" && kind !== "code" && text.trim() !== "") said += 1;
  if (said <= shortNote) return false;
  const unnamed = section.topic === "" || isIdLike(section.topic) || namesNothing(section.topic);
  return unnamed || (section.tagged === "untagged" && said >= longNote);
}

/**
 * The topics of a note that names none, found where its words change, each with its keywords and what is told of it; below a heading that names a topic,
 * that one comes first. `[]` when the note is about one thing, or is an entry in items with keys.
 */
export function notes(section: SourceSection, items: readonly Item[]): readonly Passage[] {
  const unnamed = section.topic === "" || isIdLike(section.topic) || namesNothing(section.topic);
  const free = items.filter(({ keyed }) => keyed === "free").length;
  if (!unnamed && free < items.length * 0.7) return [];
  const tiles = tilesOf(items).map((tile) => ({ tile, counts: countTerms(tile.map(saidIn)) }));
  if (!unnamed && tiles.length < 2) return [];
  const rarity = rarityAmong(tiles.map(({ counts }) => counts));
  const places = placesOf(section);
  const found = tiles.flatMap(({ tile, counts }) => topicOfTile(section, { tile, counts, rarity, places }));
  return unnamed ? found : [keyedTopic(section, section.topic, countTerms(items.map(saidIn))), ...found];
}

interface Tile {
  readonly tile: readonly Item[];
  readonly counts: TermCounts;
  readonly rarity: (key: string) => number;
  readonly places: ReadonlyMap<number, number>;
}

function topicOfTile(section: SourceSection, { tile, counts, rarity, places }: Tile): readonly Passage[] {
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
    ...details.map((detail): Passage => ({ ...detail, text: withoutLabel(detail.text, topic), topic, progress })),
  ];
}

/** The lines of the items, blank ones between them included. */
function rangesOf(section: SourceSection, tile: readonly Item[], places: ReadonlyMap<number, number>): readonly Ref[] {
  const ranges: { log: string; from: number; to: number }[] = [];
  for (const { number, to } of tile) {
    const last = ranges.at(-1);
    if (last !== undefined && (places.get(number) ?? 0) === (places.get(last.to) ?? 0) + 1) last.to = to;
    else ranges.push({ log: section.log, from: number, to });
  }
  return mergeRefs(ranges);
}

/** The places of the lines among those that are not blank. */
function placesOf(section: SourceSection): ReadonlyMap<number, number> {
  const said = section.lines.filter(({ text }) => text.trim() !== "");
  return new Map(said.map(({ number }, place) => [number, place + 1]));
}

/** The topic's name stands before the text already. */
function withoutLabel(text: string, topic: string): string {
  const rest = text.startsWith(topic) ? /^\s*[:：]\s*(\S.*)$/su.exec(text.slice(topic.length))?.[1] : undefined;
  return rest ?? text;
}

/** A heading of a part as a topic's name: without markup and a time in front. */
function cleanTitle(title: string): string {
  const said = title.replaceAll(/\*\*|__|`/gu, "").replace(/^\d{1,2}:\d{2}\s*[–—:-]?\s*/u, "");
  return Array.from(said.trim()).slice(0, 80).join("").trim();
}

/** What a paragraph puts in front of itself: `Kitchen renovation: the carpenter …`. */
function labelOf(item: Item | undefined): string | undefined {
  const label = /^(?:\*\*)?([\p{L}][\p{L}\p{N}' .-]{1,38}?)(?:\*\*)?[:：](?:\*\*)?\s/u
    .exec(item?.text ?? "")?.[1]
    ?.trim();
  const words = label === undefined ? 0 : countTerms([{ text: label, weight: 1 }]).keys().length;
  return label !== undefined && words > 0 && label.split(" ").length <= 4 ? label : undefined;
}

/** Words of many parts tell them less apart (inverse document frequency, Spärck Jones 1972). */
function rarityAmong(tiles: readonly TermCounts[]): (key: string) => number {
  const spread = new Map<string, number>();
  for (const counts of tiles) for (const key of counts.keys()) spread.set(key, (spread.get(key) ?? 0) + 1);
  return (key) => 0.5 + Math.log2(1 + tiles.length / (spread.get(key) ?? 1)) / Math.log2(2 + tiles.length);
}
