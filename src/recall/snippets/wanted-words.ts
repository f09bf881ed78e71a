import { detached } from "../../base/lines.ts";
import { folded, isAscii } from "../../text/words/scripts.ts";
import type { QueryTerm } from "../query/parse-query.ts";
import { englishStem, firstLettersOf, type FirstLetters } from "../../text/words/index-terms.ts";
import { partsOfName } from "../../text/words/names-and-numbers.ts";
import { termsOfBeginning, termsOfPhrase, termsOfQuery, type Term } from "../../text/words/query.ts";

/** What is looked for in a text, each form with the numbers of the words of the query that it stands for. */
export interface WantedWords {
  /** How many words the query has. */
  readonly count: number;
  readonly stems: ReadonlyMap<string, readonly number[]>;
  readonly beginnings: readonly { readonly text: string; readonly word: number }[];
  readonly rows: readonly { readonly stems: readonly string[]; readonly word: number }[];
  /** In text without spaces. */
  readonly letters: readonly { readonly text: string; readonly word: number }[];
  /** With which letters a word of ASCII begins that has one of the forms. */
  readonly firstLetters: FirstLetters;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Under which forms the words of a query stand in a text. Words that say little count only when there are no others. */
export function wantedWords(terms: readonly QueryTerm[]): WantedWords {
  const looked = terms.filter(({ use }) => use !== "not").map(formsOf);
  const telling = looked.flat().filter(({ carries }) => carries === "much");
  const words = telling.length === 0 ? looked.flat() : telling;
  const stems = new Map<string, number[]>();
  const wanted = { beginnings: [] as Beginning[], rows: [] as Row[], letters: [] as Beginning[] };
  words.forEach(({ forms }, word) => {
    for (const { kind, text } of forms) {
      const pieces = piecesOf(text);
      if (kind === "part" && unspaced.test(text)) wanted.letters.push({ text: lettersOf(text), word });
      else if (kind === "prefix" && unspaced.test(text)) wanted.letters.push({ text: plainLetters(text), word });
      else if (kind === "prefix" && pieces.length === 1) wanted.beginnings.push({ text: folded(text), word });
      else if (pieces.length > 1) wanted.rows.push({ stems: pieces.map(stemOf), word });
      else if (pieces[0] !== undefined) stems.set(stemOf(pieces[0]), [...(stems.get(stemOf(pieces[0])) ?? []), word]);
    }
  });
  const ofRows = wanted.rows.flatMap((row) => row.stems);
  const beginnings = wanted.beginnings.map(({ text }) => text);
  return {
    count: words.length,
    stems,
    ...wanted,
    firstLetters: firstLettersOf([...stems.keys(), ...ofRows], beginnings),
  };
}

type Beginning = WantedWords["letters"][number];
type Row = WantedWords["rows"][number];

interface Forms {
  readonly carries: "much" | "little";
  readonly forms: readonly Term[];
}

function formsOf({ kind, text }: QueryTerm): readonly Forms[] {
  if (kind === "phrase") return [{ carries: "much", forms: termsOfPhrase(text) }];
  if (kind === "prefix") return [{ carries: "much", forms: termsOfBeginning(text) }];
  return termsOfQuery(text).map((word) => ({ carries: word.carries, forms: word.any }));
}

/** The forms under which one word of a text is found: its stem, and those of its humps. */
export function stemsOf(word: string): readonly string[] {
  const known = knownStems.get(word);
  if (known !== undefined) return known;
  const humps = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(word) ? partsOfName(word) : [];
  const stems = [stemOf(word), ...humps.map(stemOf)];
  if (word.length > longestKept) return stems;
  if (knownStems.size >= mostKept) knownStems.clear();
  knownStems.set(detached(word), stems);
  return stems;
}

/** Words come again and again; forgetting them changes no result. */
const knownStems = new Map<string, readonly string[]>();
const mostKept = 20_000;
/** Characters. */
const longestKept = 40;

function stemOf(word: string): string {
  return englishStem(isAscii(word) ? word.toLowerCase() : folded(word));
}

function piecesOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Letters as the index has them in text without spaces. */
export function plainLetters(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
}

/** Pairs in a row as the letters that they are pairs of: `東京 京タ` is `東京タ`. */
function lettersOf(pairs: string): string {
  return pairs
    .split(" ")
    .map((pair, index) => (index === 0 ? pair : Array.from(pair).slice(1).join("")))
    .join("");
}
