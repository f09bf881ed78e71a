import { englishStem } from "../../text/words/index-terms.ts";
import { folded, isAscii } from "../../text/words/scripts.ts";
import { pushAll } from "../../base/lists.ts";
import { once, remembering } from "../../base/lines.ts";
import type { QueryTerm } from "../query/parse-query.ts";
import { partsOfName } from "../../text/words/names-and-numbers.ts";
import { termsOfBeginning, termsOfPhrase, termsOfQuery, type QueryWord, type Term } from "../../text/words/query.ts";

/** A range of a text that matches words in the query, in UTF-16 units. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** Indexes of these words in the query. */
  readonly words: readonly number[];
}

const unspacedRun =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆〇\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{M}]";
const runOrWord = once(
  () =>
    new RegExp(
      `(${unspacedRun}+)|[[\\p{L}\\p{N}\\p{M}]--${unspacedRun}][[\\p{L}\\p{N}\\p{M}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]]*`,
      "gv",
    ),
);

/** Finds the words in a text. Marks are in order and do not overlap. */
export function marksIn(text: string, wanted: QueryWords): readonly Mark[] {
  const { rows, beginnings, stems: known } = wanted;
  const marks: Mark[] = [];
  const spaced: Spaced[] = [];
  for (const { 0: word, 1: run, index: start } of text.matchAll(runOrWord())) {
    if (run !== undefined) pushAll(marks, inRun(run, start, wanted));
    const stems = run === undefined ? stemsOf(word) : [folded(run)];
    const end = start + word.length;
    if (rows.length > 0) spaced.push({ start, end, stems });
    const begun = beginnings.filter((one) => stems.some((stem) => stem.startsWith(one.text)));
    const words = [...stems.flatMap((stem) => known.get(stem) ?? []), ...begun.map((one) => one.word)];
    if (words.length > 0) marks.push({ start, end, words });
  }
  return merged([...marks, ...inRows(spaced, wanted)]);
}

interface Spaced {
  readonly start: number;
  readonly end: number;
  readonly stems: readonly string[];
}

/** Finds phrases, and names of several pieces. */
function inRows(spaced: readonly Spaced[], { rows }: QueryWords): readonly Mark[] {
  return rows.flatMap(({ stems, word }) =>
    spaced.flatMap(({ start, stems: first }, index): readonly Mark[] => {
      if (!first.includes(stems[0] ?? "")) return [];
      const last = spaced[index + stems.length - 1];
      const isThere = stems.every((stem, step) => spaced[index + step]?.stems.includes(stem) === true);
      return isThere && last !== undefined ? [{ start, end: last.end, words: [word] }] : [];
    }),
  );
}

/** Finds words in text without spaces, where a word may start anywhere. A letter and its combining marks stay together. */
function inRun(run: string, offset: number, { letters }: QueryWords): readonly Mark[] {
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

/** How close together the words are, 0 to 1. 1: all of them side by side. */
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

/** The forms to find in a text, each with the indexes of its words in the query. */
export interface QueryWords {
  /** Number of words in the query. */
  readonly count: number;
  readonly stems: ReadonlyMap<string, readonly number[]>;
  readonly beginnings: readonly { readonly text: string; readonly word: number }[];
  readonly rows: readonly { readonly stems: readonly string[]; readonly word: number }[];
  /** For text without spaces. */
  readonly letters: readonly { readonly text: string; readonly word: number }[];
}

const unspaced = once(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u,
);

/** The forms of a query's words. Words of little meaning count only if there are no others. */
export function queryWords(terms: readonly QueryTerm[]): QueryWords {
  const all = terms.filter(({ use }) => use !== "not").flatMap(formsOf);
  const telling = all.filter(({ carries }) => carries === "much");
  const words = telling.length === 0 ? all : telling;
  const stems = new Map<string, number[]>();
  const beginnings: QueryWords["letters"][number][] = [];
  const letters: QueryWords["letters"][number][] = [];
  const rows: QueryWords["rows"][number][] = [];
  words.forEach(({ any }, word) => {
    for (const { kind, text } of any) {
      const pieces = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      if (kind === "part" && unspaced().test(text)) letters.push({ text: lettersOf(text), word });
      else if (kind === "prefix" && unspaced().test(text)) letters.push({ text: plainLetters(text), word });
      else if (kind === "prefix" && pieces.length === 1) beginnings.push({ text: folded(text), word });
      else if (pieces.length > 1) rows.push({ stems: pieces.map(stemOf), word });
      else if (pieces[0] !== undefined) stems.set(stemOf(pieces[0]), [...(stems.get(stemOf(pieces[0])) ?? []), word]);
    }
  });
  return { count: words.length, stems, beginnings, rows, letters };
}

function formsOf({
  kind,
  text,
}: QueryTerm): readonly (Pick<QueryWord, "carries"> & { readonly any: readonly Term[] })[] {
  if (kind === "word") return termsOfQuery(text);
  return [{ carries: "much", any: kind === "phrase" ? termsOfPhrase(text) : termsOfBeginning(text) }];
}

/** The stems that find a word of a text: its own, and those of its camelCase parts. */
export const stemsOf = remembering((word): readonly string[] => {
  const humps = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(word) ? partsOfName(word) : [];
  return [stemOf(word), ...humps.map(stemOf)];
}, 20_000);

function stemOf(word: string): string {
  return englishStem(isAscii(word) ? word.toLowerCase() : folded(word));
}

/** Normalizes text without spaces as the index does. */
const plainLetters = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();

/** Joins overlapping pairs of letters: `東京 京タ` becomes `東京タ`. */
function lettersOf(pairs: string): string {
  return pairs
    .split(" ")
    .map((pair, index) => (index === 0 ? pair : Array.from(pair).slice(1).join("")))
    .join("");
}
