import { isFunctionWord } from "./function-words.ts";
import { hangulWord } from "./hangul.ts";
import { numbersIn } from "./numerals.ts";
import { lettersOf, pairsOf } from "./pairs.ts";
import { segmentsOf, type Segment } from "./scripts.ts";
import { spacedWord } from "./spaced-query.ts";
import { joined, type QueryWord, type Term, type Weighted } from "./terms.ts";
import { unspacedWord } from "./unspaced-query.ts";
import { pushAll } from "../../base/lists.ts";

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Between two pieces of one name. Behind a name `++` or `#` belongs to it. */
const withinName = /^[._\-/\\:@~'’&,+]{1,3}$/u;

/** The words of a query in their order, and numbers in numerals (`三十五`) in digits, each with the terms under which the index finds it. Quotes and other signs are left out. */
export function termsOfQuery(query: string): readonly QueryWord[] {
  const text = query.normalize("NFKC");
  const language = kana.test(text) ? "japanese" : "chinese";
  const words = namesIn(text).map((word) => {
    if (word.is === "unspaced") return unspacedWord(word.text, language);
    return word.is === "hangul" ? koreanWord(word.text) : spacedWord(word.text);
  });
  return [...words, ...numbersIn(text).map((number) => spacedWord(number))];
}

/** What must stand in a row, or all of it together where scripts change: `"東京タワー"`, `"token bucket"`. */
export function termsOfPhrase(phrase: string): readonly Term[] {
  const terms: Term[] = [];
  for (const [run] of phrase.normalize("NFKC").matchAll(oneWriting())) pushAll(terms, phraseOf(run));
  return terms;
}

/** Stretches that no change of script interrupts; with spaces between words they stay one stretch. */
const oneWriting = (): RegExp =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆〇\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[[\p{L}\p{N}\p{M}\p{P}\p{S}\p{Z}\s]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆〇\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv;

function phraseOf(run: string): readonly Term[] {
  const segments = segmentsOf(run);
  const [first] = segments;
  if (first === undefined) return [];
  if (first.is === "unspaced") return unspacedWord(first.text, "chinese").all;
  if (segments.length === 1 && first.is === "hangul") return allOfKorean(first.text);
  return [{ kind: "phrase", text: segments.map(({ text }) => text).join(" ") }];
}

/** What begins so. Inside text without spaces every place may be a beginning. */
export function termsOfBeginning(word: string): readonly Term[] {
  const segments = segmentsOf(word.normalize("NFKC"));
  const last = segments.at(-1);
  if (last === undefined) return [];
  if (last.is === "unspaced") return segments.flatMap((segment) => termsOfPhrase(segment.text));
  return [{ kind: "prefix", text: segments.map(({ text }) => text).join(" ") }];
}

/** Segments, those of one name with what stands between them as one. */
function namesIn(text: string): readonly Segment[] {
  const names: Segment[] = [];
  let end = 0;
  for (const segment of segmentsOf(text)) {
    const from = text.indexOf(segment.text, end);
    const between = text.slice(end, from);
    end = from + segment.text.length;
    const before = names.at(-1);
    const whole = segment.is === "spaced" ? segment.text + signBehind(text, end) : segment.text;
    if (before?.is === "spaced" && segment.is === "spaced" && withinName.test(between))
      names[names.length - 1] = { is: "spaced", text: before.text + between + whole };
    else names.push({ is: segment.is, text: whole });
  }
  return names;
}

function signBehind(text: string, end: number): string {
  return /^(?:\+\+|#)(?![\p{L}\p{N}])/u.exec(text.slice(end, end + 3))?.[0] ?? "";
}

function koreanWord(word: string): QueryWord {
  const { stem, pairs, weak } = hangulWord(word);
  const carries = isFunctionWord(word) || isFunctionWord(stem) ? "little" : "much";
  const terms: Weighted[] = [{ kind: "word", text: word, weight: 1 }];
  if (pairs.length > 0) terms.push({ kind: "prefix", text: stem, weight: 1 });
  if (pairs.length > 1) terms.push({ kind: "part", text: pairs.join(" "), weight: 2 });
  for (const pair of pairs) terms.push({ kind: "part", text: pair, weight: 2 });
  for (const part of weak) terms.push({ kind: "part", text: part, weight: 1 });
  return { word, carries, any: joined(terms), all: allOfKorean(stem) };
}

function allOfKorean(stem: string): readonly Term[] {
  const pairs = pairsOf(lettersOf(stem));
  return [{ kind: "part", text: pairs.length === 0 ? stem : pairs.join(" ") }];
}
