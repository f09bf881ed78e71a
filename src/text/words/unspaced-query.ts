import { functionLetters, type FunctionLetter } from "./function-words.ts";
import { otherWritings } from "./han-variants.ts";
import { lettersOf, pairsOf } from "./pairs.ts";
import { joined, type QueryWord, type Weighted } from "./terms.ts";
import { pushAll } from "../../base/lists.ts";

const hiragana = /\p{Script=Hiragana}/u;
const katakana = /[\p{Script=Katakana}ー]/u;
const han = /[\p{Script=Han}々〆〇]/u;
const particle = /[はがをにでとのへもやかねよ]/u;
/** Longer runs are many words; as one they would be found nowhere. */
const longestWhole = 8;

type Letter = "han" | "katakana" | "hiragana" | "other";

function kindOf(letter: string): Letter {
  if (hiragana.test(letter)) return "hiragana";
  if (katakana.test(letter)) return "katakana";
  return han.test(letter) ? "han" : "other";
}

function kindsOf(letters: readonly string[]): readonly Letter[] {
  const kinds: Letter[] = [];
  for (const letter of letters) kinds.push(letter === long ? (kinds.at(-1) ?? "katakana") : kindOf(letter));
  return kinds;
}

/** A run of letters without spaces, as a word of a query: its pairs, more for its names, and these as a whole. */
export function unspacedWord(run: string, language: "japanese" | "chinese"): QueryWord {
  const letters = lettersOf(run);
  const kinds = kindsOf(letters);
  const little = functionLetters(letters, language);
  const terms = joined([...wholes(letters, kinds, little), ...weightedPairs(letters, kinds, little)]);
  const pairs = pairsOf(letters);
  const all =
    pairs.length === 0 ? { kind: "prefix" as const, text: run } : { kind: "part" as const, text: pairs.join(" ") };
  if (terms.length > 0) return { word: run, carries: "much", any: terms, all: [all] };
  return { word: run, carries: "little", any: [{ ...all, weight: 1 }], all: [all] };
}

function weightedPairs(
  letters: readonly string[],
  kinds: readonly Letter[],
  little: readonly FunctionLetter[],
): readonly Weighted[] {
  const terms: Weighted[] = [];
  for (let at = 1; at < letters.length; at++) {
    const pair = `${letters[at - 1] ?? ""}${letters[at] ?? ""}`;
    const most = mostWeight(little[at - 1], little[at], /^\p{Script=Han}{2}$/u.test(pair) ? "han" : "mixed");
    const weight = Math.min(most, pairWeight(pair, kinds[at - 1], kinds[at]));
    if (weight === 0) continue;
    for (const text of [pair, ...otherWritings(pair)]) terms.push({ kind: "part", text, weight });
    const other = inOtherKana(pair);
    if (other !== undefined) terms.push({ kind: "part", text: other, weight: 1 });
  }
  return terms;
}

/** Function words weigh nothing, and one beside a word little; in Han one of two letters and more is seldom a part of another word. */
function mostWeight(
  first: FunctionLetter | undefined,
  second: FunctionLetter | undefined,
  pair: "han" | "mixed",
): number {
  if (first === "no" && second === "no") return 2;
  if (first !== "no" && second !== "no") return 0;
  return pair === "han" && (first === "word" || second === "word") ? 0 : 1;
}

/** Pairs with a particle, and of an ending with the next word, say nothing. */
function pairWeight(pair: string, first: Letter | undefined, second: Letter | undefined): number {
  if (first === "hiragana" && second !== "hiragana") return 0;
  if (second !== "hiragana") return 2;
  return first !== "hiragana" && particle.test(pair.slice(-1)) ? 0 : 1;
}

/** Makes the sound before it long, in either kana. */
const long = "ー";
const fromHiragana = 0x60;

/** `りん` as `リン` and the other way round; `undefined` when it is not all of one kana. */
function inOtherKana(text: string): string | undefined {
  if (/^(?=.*[ぁ-ゖ])[ぁ-ゖー]+$/u.test(text)) return shifted(text, fromHiragana);
  return /^(?=.*[ァ-ヶ])[ァ-ヶー]+$/u.test(text) ? shifted(text, -fromHiragana) : undefined;
}

function shifted(text: string, by: number): string {
  return Array.from(text, (letter) => (letter === long ? letter : String.fromCharCode(letter.charCodeAt(0) + by))).join(
    "",
  );
}

/** Stretches of one kind of letter that are no function words: those of three letters and more in a row, a Han letter that stands alone. */
function wholes(
  letters: readonly string[],
  kinds: readonly Letter[],
  little: readonly FunctionLetter[],
): readonly Weighted[] {
  const terms: Weighted[] = [];
  for (let from = 0; from < letters.length;) {
    let to = from + 1;
    while (to < letters.length && kinds[to] === kinds[from] && little[to] === little[from]) to += 1;
    if (little[from] === "no" && kinds[from] !== "hiragana")
      pushAll(terms, wholeOf(letters.slice(from, to), kinds[from]));
    from = to;
  }
  return terms;
}

function wholeOf(letters: readonly string[], kind: Letter | undefined): readonly Weighted[] {
  const first = letters[0];
  if (first === undefined) return [];
  if (letters.length === 1)
    return kind === "han" ? [first, ...otherWritings(first)].map((text) => ({ kind: "prefix", text, weight: 1 })) : [];
  if (letters.length < 3 || letters.length > longestWhole) return [];
  const whole = letters.join("");
  return [whole, ...otherWritings(whole)].map((text) => {
    return { kind: "part", text: pairsOf(lettersOf(text)).join(" "), weight: 2 };
  });
}
