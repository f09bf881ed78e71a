import { folded } from "../words/scripts.ts";
import { plainLetters, stemsOf, type WantedWords } from "./wanted-words.ts";

/** A stretch of a text that holds words of the query. UTF-16 units. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** Their numbers. */
  readonly words: readonly number[];
}

const unspacedRun =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆〇\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{M}]";
const words = new RegExp(
  `(${unspacedRun}+)|[[\\p{L}\\p{N}\\p{M}]--${unspacedRun}][[\\p{L}\\p{N}\\p{M}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]]*`,
  "gv",
);

/** Where the words stand in a text, in order, none over another. */
export function marksIn(text: string, wanted: WantedWords): readonly Mark[] {
  const marks: Mark[] = [];
  const spaced: Spaced[] = [];
  for (const { 0: found, 1: run, index } of text.matchAll(words)) {
    if (run !== undefined) marks.push(...inRun(run, index, wanted));
    const word = {
      start: index,
      end: index + found.length,
      stems: run === undefined ? stemsOf(found) : [folded(found)],
    };
    spaced.push(word);
    const standsFor = wordsOf(word.stems, wanted);
    if (standsFor.length > 0) marks.push({ start: word.start, end: word.end, words: standsFor });
  }
  return merged([...marks, ...inRows(spaced, wanted)]);
}

interface Spaced {
  readonly start: number;
  readonly end: number;
  readonly stems: readonly string[];
}

const noWords: readonly number[] = [];

function wordsOf(stems: readonly string[], { stems: known, beginnings }: WantedWords): readonly number[] {
  const [only = ""] = stems;
  if (beginnings.length === 0 && stems.length === 1) return known.get(only) ?? noWords;
  const exact = stems.flatMap((stem) => known.get(stem) ?? []);
  if (beginnings.length === 0) return exact;
  return [
    ...exact,
    ...beginnings.filter(({ text }) => stems.some((stem) => stem.startsWith(text))).map(({ word }) => word),
  ];
}

/** Names of several pieces and phrases. */
function inRows(spaced: readonly Spaced[], { rows }: WantedWords): readonly Mark[] {
  return rows.flatMap(({ stems, word }) =>
    spaced.flatMap(({ start, stems: first }, index): readonly Mark[] => {
      if (!first.includes(stems[0] ?? "")) return [];
      const last = spaced[index + stems.length - 1];
      const isThere = stems.every((stem, step) => spaced[index + step]?.stems.includes(stem) === true);
      return isThere && last !== undefined ? [{ start, end: last.end, words: [word] }] : [];
    }),
  );
}

/** In text without spaces a word stands anywhere. Letters are compared with their marks as one. */
function inRun(run: string, offset: number, { letters }: WantedWords): readonly Mark[] {
  if (letters.length === 0) return [];
  let plain = "";
  const places: number[] = [];
  for (const { 0: letter, index } of run.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const one = plainLetters(letter);
    for (let unit = 0; unit < one.length; unit++) places.push(index);
    plain += one;
  }
  places.push(run.length);
  const marks: Mark[] = [];
  for (const { text, word } of letters)
    for (let at = plain.indexOf(text); at >= 0; at = plain.indexOf(text, at + 1))
      marks.push({ start: offset + (places[at] ?? 0), end: offset + (places[at + text.length] ?? 0), words: [word] });
  return marks;
}

function merged(marks: readonly Mark[]): readonly Mark[] {
  const result: Mark[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || mark.start >= last.end) {
      result.push({ ...mark, words: [...new Set(mark.words)] });
      continue;
    }
    const both = [...new Set([...last.words, ...mark.words])];
    result[result.length - 1] = { start: last.start, end: Math.max(last.end, mark.end), words: both };
  }
  return result;
}

/** How near the words stand, from 0 to 1: all of them side by side are 1. */
export function nearness(marks: readonly Mark[], count: number): number {
  if (count < 2) return 0;
  let best = 0;
  for (let first = 0; first < marks.length; first++) {
    const seen = new Set<number>();
    let letters = 0;
    for (let last = first; last < marks.length && last < first + mostInWindow; last++) {
      const mark = marks[last] as Mark;
      const before = seen.size;
      for (const word of mark.words) seen.add(word);
      if (seen.size > before) letters += mark.end - mark.start;
      const length = mark.end - (marks[first] as Mark).start;
      if (seen.size > 1)
        best = Math.max(best, ((seen.size - 1) / (count - 1)) * Math.min(1, (letters + seen.size) / length));
    }
  }
  return best;
}

const mostInWindow = 24;
