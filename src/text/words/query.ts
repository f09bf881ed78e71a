import { once } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { functionLetters, isFunctionWord, type FunctionLetter } from "./stop-words.ts";
import { hangulWord, lettersOf, otherWritings, pairsOf } from "./letter-pairs.ts";
import { numbersIn, partsOfName, signName } from "./names-and-numbers.ts";
import { asIndexed, otherSpellings, segmentsOf, unspacedLetters, type Segment } from "./scripts.ts";

/** A term for the index; `src/recall/index/search-index.ts` describes where each kind is looked up. */
export interface Term {
  readonly kind: "word" | "prefix" | "phrase" | "part";
  readonly text: string;
}

/** A term and its weight, from 1 to 8. */
export interface Weighted extends Term {
  readonly weight: number;
}

/** One word of a query. */
export interface QueryWord {
  /** The word as written. */
  readonly word: string;
  /** `little`: a function word or a question word. */
  readonly carries: "much" | "little";
  /** Alternative terms that find it. Their weights add up; the whole word counts most. */
  readonly any: readonly Weighted[];
  /** Terms that must all match if the word is required or excluded. */
  readonly all: readonly Term[];
}

/** Keeps each term once, with its greatest weight, in order of first appearance. */
export function joined(terms: readonly Weighted[]): readonly Weighted[] {
  const found = new Map<string, Weighted>();
  for (const term of terms) {
    const key = `${term.kind} ${term.text}`;
    const known = found.get(key);
    if (known === undefined || known.weight < term.weight) found.set(key, term);
  }
  return [...found.values()];
}

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Signs between two parts of one name. */
const withinName = /^[._\-/\\:@~'’&,+]{1,3}$/u;

/**
 * The words in a query in order, then its numerals (`三十五`) as digits, each with its index terms. Drops quotes and other
 * signs.
 */
export function termsOfQuery(query: string): readonly QueryWord[] {
  const text = query.normalize("NFKC");
  const language = kana.test(text) ? "japanese" : "chinese";
  const words = namesIn(text).map((word) => {
    if (word.is === "unspaced") return unspacedWord(word.text, language);
    return word.is === "hangul" ? koreanWord(word.text) : spacedWord(word.text);
  });
  return [...words, ...numbersIn(text).map((number) => spacedWord(number))];
}

/** The terms for a phrase, which must appear in a row; if scripts change, one term for each part: `"東京タワー"`, `"token bucket"`. */
export function termsOfPhrase(phrase: string): readonly Term[] {
  return Array.from(phrase.normalize("NFKC").matchAll(oneWriting()), ([run]) => segmentsOf(run)).flatMap((segments) => {
    const [first, second] = segments;
    if (first?.is === "unspaced") return allOfUnspaced(first.text);
    if (first?.is === "hangul" && second === undefined) return allOfKorean(first.text);
    return first === undefined ? [] : [row("phrase", segments)];
  });
}

/** Matches stretches without a change of script; words separated by spaces are one stretch. */
const oneWriting = once(
  () => new RegExp(`[${unspacedLetters}]+|[[\\p{L}\\p{N}\\p{M}\\p{P}\\p{S}\\p{Z}\\s]--[${unspacedLetters}]]+`, "gv"),
);

function row(kind: Term["kind"], segments: readonly Segment[]): Term {
  return { kind, text: segments.map(({ text }) => text).join(" ") };
}

/** The terms for words that begin with `word`. In text without spaces a word may begin anywhere. */
export function termsOfBeginning(word: string): readonly Term[] {
  const segments = segmentsOf(word.normalize("NFKC"));
  const last = segments.at(-1);
  if (last === undefined) return [];
  if (last.is === "unspaced") return segments.flatMap((segment) => termsOfPhrase(segment.text));
  return [row("prefix", segments)];
}

/** The segments in a text; those of one name are joined with the text between them. */
function namesIn(text: string): readonly Segment[] {
  const names: Segment[] = [];
  let end = 0;
  for (const { is, text: own } of segmentsOf(text)) {
    const from = text.indexOf(own, end);
    const between = text.slice(end, from);
    end = from + own.length;
    const whole = is === "spaced" ? own + (signAfter.exec(text.slice(end, end + 3))?.[0] ?? "") : own;
    const before = names.at(-1);
    const isWithin = before?.is === "spaced" && is === "spaced" && withinName.test(between);
    if (isWithin) names[names.length - 1] = { is, text: before.text + between + whole };
    else names.push({ is, text: whole });
  }
  return names;
}

const signAfter = /^(?:\+\+|#)(?![\p{L}\p{N}])/u;

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

/** The joints between the parts of a name: `src/a.ts`, `E_CONN`, `a@b.org`, `std::move`. */
const joint = (): RegExp => /[^\p{L}\p{N}\p{M}]+/u;
/** A git commit hash; its abbreviations have at least seven digits. */
const digest = /^(?=[a-f0-9]*\d)(?=\d*[a-f])[a-f0-9]{7,64}$/;
const abbreviated = [7, 8, 9, 10, 12];
const mostPieces = 12;

/** A word of a language with spaces, or a name with several parts. */
function spacedWord(written: string): QueryWord {
  const carries = isFunctionWord(written) ? "little" : "much";
  const word = written.replace(/['’]s$/u, "");
  const isSigned = /^[A-Za-z](?:\+\+|#)$/u.test(word);
  if (isSigned || /^\d{1,3}(?:,\d{3})+$/u.test(word)) {
    const term = { kind: "word", text: isSigned ? signName(word) : word.replaceAll(",", "") } as const;
    return { word: written, carries, any: [{ ...term, weight: 2 }], all: [term] };
  }
  const pieces = word.split(joint()).filter((piece) => piece !== "");
  if (pieces.length < 2) return { word: written, carries, any: joined(termsOfOne(word)), all: mustOfOne(word) };
  return {
    word: written,
    carries,
    any: joined(termsOfSeveral(word, pieces)),
    all: [{ kind: "phrase", text: withoutV(pieces).join(" ") }],
  };
}

function termsOfOne(word: string): readonly Weighted[] {
  const terms: Weighted[] = [{ kind: "word", text: word, weight: 2 }];
  for (const other of otherSpellings(word, asIndexed(word))) terms.push({ kind: "word", text: other, weight: 2 });
  const humps = partsOfName(word);
  if (humps.length > 1) terms.push({ kind: "phrase", text: humps.join(" "), weight: 2 });
  for (const hump of humps) terms.push({ kind: "word", text: hump, weight: 1 });
  return [...terms, ...termsOfDigest(word.toLowerCase())];
}

/** A commit hash is found by its prefix, and by the shorter prefixes that people write. */
function termsOfDigest(word: string): readonly Weighted[] {
  if (!digest.test(word)) return [];
  const shorter = abbreviated.filter((length) => length < word.length).map((length) => word.slice(0, length));
  return [
    { kind: "prefix", text: word, weight: 2 },
    ...shorter.map((text) => ({ kind: "word", text, weight: 2 }) as const),
  ];
}

function mustOfOne(word: string): readonly Term[] {
  const humps = partsOfName(word);
  if (humps.length > 1) return [{ kind: "phrase", text: humps.join(" ") }];
  if (digest.test(word.toLowerCase())) return [{ kind: "prefix", text: word.slice(0, abbreviated[0]) }];
  return [{ kind: "word", text: word }];
}

function termsOfSeveral(word: string, pieces: readonly string[]): readonly Weighted[] {
  const terms: Weighted[] = [{ kind: "phrase", text: pieces.join(" "), weight: 3 }];
  const bare = withoutV(pieces);
  if (bare !== pieces) terms.push({ kind: "phrase", text: bare.join(" "), weight: 2 });
  if (pieces.length < 4 && pieces.every((piece) => /^\p{L}/u.test(piece)))
    terms.push({ kind: "word", text: pieces.join(""), weight: 1 });
  const last = word.split(/[/\\]+/u).findLast((name) => joint().test(name) && /[\p{L}\p{N}]/u.test(name));
  if (last !== undefined && last !== word)
    terms.push({ kind: "phrase", text: last.split(joint()).filter(Boolean).join(" "), weight: 2 });
  for (const piece of pieces.slice(0, mostPieces))
    if (namesSomething(piece)) for (const term of termsOfOne(piece)) terms.push({ ...term, weight: 1 });
  return terms;
}

function namesSomething(piece: string): boolean {
  return Array.from(piece).length > 2 || (piece.length === 2 && !/\d/u.test(piece) && !isFunctionWord(piece));
}

/** A version may be written with or without a `v`. */
function withoutV(pieces: readonly string[]): readonly string[] {
  const [first, ...rest] = pieces;
  return first !== undefined && /^[vV]\d+$/u.test(first) ? [first.slice(1), ...rest] : pieces;
}

const hiragana = /\p{Script=Hiragana}/u;
const katakana = /[\p{Script=Katakana}ー]/u;
const han = /[\p{Script=Han}々〆〇]/u;
const particle = /[はがをにでとのへもやかねよ]/u;
/** Longer runs consist of several words and would never be found as a whole. */
const longestWhole = 8;

interface Letter {
  readonly letter: string;
  readonly kind: "han" | "katakana" | "hiragana" | "other";
  /** Whether it belongs to a function word. */
  readonly little: FunctionLetter;
}

function readLetters(run: string, language: "japanese" | "chinese"): readonly Letter[] {
  const letters = lettersOf(run);
  const little = functionLetters(letters, language);
  const read: Letter[] = [];
  for (const [at, letter] of letters.entries()) {
    const own = hiragana.test(letter) ? "hiragana" : katakana.test(letter) ? "katakana" : undefined;
    const before = letter === long ? read.at(-1)?.kind : undefined;
    const kind = before ?? own ?? (han.test(letter) ? "han" : "other");
    read.push({ letter, kind, little: little[at] ?? "no" });
  }
  return read;
}

/** A run without spaces: its letter pairs, with more weight for names, and the names as a whole. */
function unspacedWord(run: string, language: "japanese" | "chinese"): QueryWord {
  const letters = readLetters(run, language);
  const terms = joined([...wholes(letters), ...weightedPairs(letters)]);
  const all = allOfUnspaced(run);
  if (terms.length > 0) return { word: run, carries: "much", any: terms, all };
  return { word: run, carries: "little", any: all.map((term) => ({ ...term, weight: 1 })), all };
}

function allOfUnspaced(run: string): readonly Term[] {
  const pairs = pairsOf(lettersOf(run));
  return [pairs.length === 0 ? { kind: "prefix", text: run } : { kind: "part", text: pairs.join(" ") }];
}

function weightedPairs(letters: readonly Letter[]): readonly Weighted[] {
  return letters.slice(1).flatMap((second, at): readonly Weighted[] => {
    const first = letters[at] as Letter;
    const pair = first.letter + second.letter;
    const weight = weightOfPair(first, second);
    if (weight === 0) return [];
    const other = inOtherKana(pair);
    return [
      ...[pair, ...otherWritings(pair)].map((text) => ({ kind: "part", text, weight }) as const),
      ...(other === undefined ? [] : [{ kind: "part", text: other, weight: 1 } as const]),
    ];
  });
}

/**
 * The weight of a letter pair. A pair of function word letters has no weight. A pair of one such letter and another letter
 * has little weight, or none in Han, where function words of two or more letters are rarely part of another word. A pair
 * with a particle, or of an ending and the next word, has none.
 */
function weightOfPair(first: Letter, second: Letter): number {
  const [little, ...more] = [first, second].filter((letter) => letter.little !== "no");
  const isHan = [first, second].every(({ letter }) => /\p{Script=Han}/u.test(letter));
  if (more.length > 0 || (little?.little === "word" && isHan)) return 0;
  if (second.kind === "hiragana") return first.kind !== "hiragana" && particle.test(second.letter) ? 0 : 1;
  return first.kind === "hiragana" ? 0 : little === undefined ? 2 : 1;
}

/** Lengthens the previous sound, in hiragana and katakana. */
const long = "ー";
/** Converts between kana: `りん` to `リン` and vice versa; `undefined` unless the text is all one kana. */
function inOtherKana(text: string): string | undefined {
  const isHiragana = /^(?=.*[ぁ-ゖ])[ぁ-ゖー]+$/u.test(text);
  if (!isHiragana && !/^(?=.*[ァ-ヶ])[ァ-ヶー]+$/u.test(text)) return undefined;
  const by = isHiragana ? 0x60 : -0x60;
  return text.replaceAll(/[^ー]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) + by));
}

/**
 * Terms for stretches of one kind of letter without function words: three or more letters as consecutive pairs, a single Han
 * letter as a prefix.
 */
function wholes(letters: readonly Letter[]): readonly Weighted[] {
  const terms: Weighted[] = [];
  for (let from = 0; from < letters.length;) {
    const { kind, little } = letters[from] as Letter;
    let to = from + 1;
    while (letters[to]?.kind === kind && letters[to]?.little === little) to += 1;
    const whole = letters.slice(from, to).map(({ letter }) => letter);
    if (little === "no" && kind !== "hiragana") pushAll(terms, wholeOf(whole, kind));
    from = to;
  }
  return terms;
}

function wholeOf(letters: readonly string[], kind: Letter["kind"]): readonly Weighted[] {
  const whole = letters.join("");
  const all = [whole, ...otherWritings(whole)];
  if (letters.length === 1) return kind === "han" ? all.map((text) => ({ kind: "prefix", text, weight: 1 })) : [];
  if (letters.length < 3 || letters.length > longestWhole) return [];
  return all.map((text) => ({ kind: "part", text: pairsOf(lettersOf(text)).join(" "), weight: 2 }));
}
