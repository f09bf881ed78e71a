import { sameWord, stem } from "../../text/extract/words.ts";
import { stopWords } from "../../text/words/stop-words.ts";
import { wordPattern } from "./items.ts";

/** Letters kept of a word. Cuts off inflections even in languages that have no rules here. */
const longestStem = 6;
/** Maximum consecutive words or identifiers that may also be written as one. */
const longestRun = 4;
const shortestHash = 7;
/** Minimum letters for a name to match the beginning of a longer one. */
const shortestBeginning = 4;
export const longestBeginning = 16;

const katakanaPattern = /[\p{Script=Katakana}ー]{2,}/gu;
const hanPattern = /\p{Script=Han}+/gu;
const hangulPattern = /\p{Script=Hangul}+/gu;

/** The words a line is about, stemmed and without function words; scripts without spaces yield pairs of characters. */
export function contextOf(text: string): ReadonlySet<string> {
  const words = Array.from(text.matchAll(wordPattern), ([word]) => [word, ...word.split("-")]).flat();
  const telling = words.filter((word) => word.length > 1 && !stopWords.has(word.toLowerCase()));
  return new Set([
    ...telling.map((word) => wordKey(word).slice(0, longestStem)),
    ...(text.match(katakanaPattern) ?? []),
    ...(text.match(hanPattern) ?? []).flatMap(pairsOf),
    ...(text.match(hangulPattern) ?? []).filter((run) => run.length > 1).map((run) => run.slice(0, 2)),
  ]);
}

/** The keys of a line's words. */
export function* keysOfWords(line: string): Generator<string> {
  const runs = runsOf(line);
  for (const [at, run] of runs.entries()) {
    let letters = "";
    for (const next of runs.slice(at, at + longestRun)) yield `l${(letters += next.toLowerCase())}`;
    if (at > 0) yield pairKey(runs[at - 1] ?? "", run);
    if (/^(?=[a-f]*\d)[\da-f]{7,64}$/iu.test(run)) yield* beginnings("l", run, shortestHash);
    if (/[a-z\d][A-Z]/u.test(run))
      for (const [part] of run.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/gu))
        yield* [`l${part.toLowerCase()}`, `w${wordKey(part)}`];
  }
  let initials = "";
  let end = -1;
  for (const { 0: word, index } of line.matchAll(wordPattern)) {
    for (const part of [word, ...word.split(/['’-]/u)]) yield `w${wordKey(part)}`;
    if (/^\p{Lu}/u.test(word)) yield* beginnings("b", word.slice(0, longestBeginning), shortestBeginning);
    // Consecutive words without a function word in between can form an abbreviation: `CI` for continuous integration.
    const isFunction = stopWords.has(word.toLowerCase());
    if (isFunction || end < 0 || !/^[ -]+$/u.test(line.slice(end, index))) initials = "";
    end = index + word.length;
    if (isFunction) continue;
    for (const part of word.split("-")) initials = `${initials}${part.slice(0, 1).toLowerCase()}`.slice(-5);
    for (let length = 2; length <= initials.length; length++) yield `i${initials.slice(-length)}`;
  }
  for (const [run] of line.matchAll(katakanaPattern)) yield `k${withoutLength(run)}`;
  for (const pattern of [hanPattern, hangulPattern])
    for (const [run] of line.matchAll(pattern))
      for (let at = 0; at < run.length; at++) yield* [`h${run.slice(at, at + 2)}`, `h${run[at] ?? ""}`];
}

function* beginnings(kind: string, word: string, least: number): Generator<string> {
  for (let length = least; length < word.length; length++) yield `${kind}${word.slice(0, length).toLowerCase()}`;
}

export function runsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** A key shared by the inflections of a word, without possessives and accents. */
export function wordKey(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$/u, "");
  const plain = /^[a-z'’-]+$/u.test(lower) ? lower : lower.normalize("NFD").replaceAll(/\p{M}+/gu, "");
  return sameWord(stem(plain));
}

export function pairKey(first: string, second: string): string {
  return `p${wordKey(first)} ${wordKey(second)}`;
}

/** All pairs of adjacent UTF-16 units. */
export function pairsOf(run: string): readonly string[] {
  return Array.from({ length: Math.max(0, run.length - 1) }, (_, at) => run.slice(at, at + 2));
}

export function withoutLength(run: string): string {
  return run.replace(/ー+$/u, "");
}
