import type { Item } from "./items.ts";
import { contentWords, sameWord } from "../../text/extract/words.ts";
import { pushAll } from "../../base/lists.ts";

/** Words a part of a note must have to be a topic. */
const leastWords = 8;
/** A paragraph of fewer words goes with its neighbour. */
const fewWords = 3;
/** Parts on each side of a gap that are compared. */
const window = 2;
/** Parts of one section at most. */
const mostTiles = 400;
/** Tiles that are so much alike are about the same thing. */
const same = 0.35;

interface Part {
  readonly items: readonly Item[];
  readonly words: ReadonlyMap<string, number>;
  readonly begins: Item["begins"];
}

/**
 * Divides the items of a note into runs that are about one thing each (TextTiling, Hearst 1997): the words on both sides of each gap are compared, and
 * a gap is a border where they are less alike than at the neighbouring gaps. A heading is always a border, and what stands below it is one tile when it is short; behind a blank line the two sides
 * must share words to stay together; within a list they part only where nothing is shared.
 */
export function tilesOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const parts = joinSmall(partsOf(items));
  const below = shortTitles(items);
  const likeness = parts.slice(1).map((_, gap) => likenessAt(parts, gap));
  const depths = likeness.map((_, gap) => depthAt(likeness, gap));
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / Math.max(1, depths.length);
  const spread = Math.sqrt(depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / Math.max(1, depths.length));
  const borders = parts
    .slice(1)
    .map((part, gap) => {
      const valley = (depths[gap] ?? 0) > mean - spread / 2 ? "deep" : "shallow";
      const whole = below.has(part.items[0]?.title ?? "") && part.begins !== "title";
      return { gap, strength: whole ? 0 : strengthOf(part.begins, likeness[gap] ?? 0, valley) };
    })
    .filter(({ strength }) => strength > 0)
    .toSorted((a, b) => b.strength - a.strength || a.gap - b.gap)
    .slice(0, mostTiles - 1);
  const cuts = new Set(borders.map(({ gap }) => gap));
  const tiles: Item[][] = [];
  parts.forEach((part, index) => {
    if (index === 0 || cuts.has(index - 1)) tiles.push([...part.items]);
    else pushAll(tiles.at(-1) ?? [], part.items);
  });
  return joinSame(tiles);
}

/** A thing that a note comes back to is one topic: each tile goes to the first that it is like, unless a heading names it. */
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

/** Items up to which what stands below a heading is one topic. */
const shortBelow = 12;

/** The headings below which stands so little that it is about what they name. */
function shortTitles(items: readonly Item[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { title } of items) if (title !== "") counts.set(title, (counts.get(title) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count <= shortBelow).map(([title]) => title));
}

/** 0 for no border. */
function strengthOf(begins: Item["begins"], likeness: number, valley: "deep" | "shallow"): number {
  if (begins === "title") return 3;
  if (begins === "block") return likeness < 0.08 || (valley === "deep" && likeness < 0.25) ? 2 - likeness : 0;
  return begins === "item" && valley === "deep" && likeness < 0.02 ? 1 : 0;
}

function partsOf(items: readonly Item[]): readonly Part[] {
  const parts: { items: Item[]; begins: Item["begins"] }[] = [];
  for (const item of items) {
    if (item.begins === "nested" && parts.length > 0) parts.at(-1)?.items.push(item);
    else parts.push({ items: [item], begins: item.begins });
  }
  return parts.map((part) => ({ ...part, words: bagOf(part.items) }));
}

function bagOf(items: readonly Item[]): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (const item of items)
    for (const word of contentWords(item.text)) {
      const key = sameWord(word.key);
      bag.set(key, (bag.get(key) ?? 0) + 1);
    }
  return bag;
}

/** A part of few words goes with the one before, in the same block; or takes in the one behind it. */
function joinSmall(parts: readonly Part[]): readonly Part[] {
  const joined: { items: Item[]; words: Map<string, number>; begins: Item["begins"] }[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const small = last !== undefined && (part.words.size < leastWords || last.words.size < leastWords);
    const tiny = last !== undefined && Math.min(part.words.size, last.words.size) < fewWords;
    const near = part.begins === "item" || (part.begins === "block" && tiny);
    if (last !== undefined && small && near) {
      for (const item of part.items) last.items.push(item);
      addWords(last.words, part.words);
    } else joined.push({ ...part, items: [...part.items], words: new Map(part.words) });
  }
  return joined;
}

function likenessAt(parts: readonly Part[], gap: number): number {
  const before = parts.slice(Math.max(0, gap + 1 - window), gap + 1);
  const after = parts.slice(gap + 1, gap + 1 + window);
  const [last, next] = [before.at(-1), after[0]];
  if (last === undefined || next === undefined) return 0;
  const near = cosine(last.words, next.words);
  const apart = next.begins !== "item" || (last.words.size >= leastWords && next.words.size >= leastWords);
  return apart ? near : Math.max(near, cosine(merged(before), merged(after)));
}

function merged(parts: readonly Part[]): ReadonlyMap<string, number> {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0].words;
  const words = new Map<string, number>();
  for (const part of parts) addWords(words, part.words);
  return words;
}

function addWords(bag: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [key, count] of more) bag.set(key, (bag.get(key) ?? 0) + count);
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [key, count] of a) shared += count * (b.get(key) ?? 0);
  return shared === 0 ? 0 : shared / Math.sqrt(norm(a) * norm(b));
}

function norm(bag: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of bag.values()) sum += count * count;
  return sum;
}

/** Gaps on each side up to which a peak is looked for. */
const farthest = 40;

/** How far the likeness at a gap lies below the peaks on both sides of it. */
function depthAt(likeness: readonly number[], gap: number): number {
  const own = likeness[gap] ?? 0;
  let [left, right] = [own, own];
  const [first, last] = [Math.max(0, gap - farthest), Math.min(likeness.length - 1, gap + farthest)];
  for (let at = gap - 1; at >= first && (likeness[at] ?? 0) >= left; at--) left = likeness[at] ?? 0;
  for (let at = gap + 1; at <= last && (likeness[at] ?? 0) >= right; at++) right = likeness[at] ?? 0;
  return left - own + (right - own);
}
