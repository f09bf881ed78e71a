import { isFunctionWord } from "./function-words.ts";
import { partsOfName, signName } from "./identifiers.ts";
import { asIndexed, folded, withTwoLetters } from "./scripts.ts";
import { joined, type QueryWord, type Term, type Weighted } from "./terms.ts";
import { pushAll } from "../../base/lists.ts";

/** What holds the pieces of one name together: `src/a.ts`, `E_CONN`, `a@b.org`, `std::move`. */
const joint = (): RegExp => /[^\p{L}\p{N}\p{M}]+/u;
/** Abbreviated digests of git have seven digits and more. */
const digest = /^(?=[a-f0-9]*\d)(?=\d*[a-f])[a-f0-9]{7,64}$/;
const abbreviated = [7, 8, 9, 10, 12];
const mostPieces = 12;

/** A word of a language with spaces, or a name of several pieces, as a word of a query. */
export function spacedWord(written: string): QueryWord {
  const carries = isFunctionWord(written) ? "little" : "much";
  const word = written.replace(/['’]s$/u, "");
  if (/^[A-Za-z](?:\+\+|#)$/u.test(word))
    return { word: written, carries, ...one({ kind: "word", text: signName(word) }) };
  const pieces = word.split(joint()).filter((piece) => piece !== "");
  if (pieces.length < 2) return { word: written, carries, any: joined(termsOfOne(word)), all: mustOfOne(word) };
  if (/^\d{1,3}(?:,\d{3})+$/u.test(word))
    return { word: written, carries, ...one({ kind: "word", text: pieces.join("") }) };
  return { word: written, carries, any: joined(termsOfSeveral(word, pieces)), all: [mustOfSeveral(pieces)] };
}

function one(term: Term): Pick<QueryWord, "any" | "all"> {
  return { any: [{ ...term, weight: 2 }], all: [term] };
}

function termsOfOne(word: string): readonly Weighted[] {
  const terms: Weighted[] = [{ kind: "word", text: word, weight: 2 }];
  for (const other of otherWritings(word)) terms.push({ kind: "word", text: other, weight: 2 });
  const humps = partsOfName(word);
  if (humps.length > 1) terms.push({ kind: "phrase", text: humps.join(" "), weight: 2 });
  for (const hump of humps) terms.push({ kind: "word", text: hump, weight: 1 });
  return [...terms, ...termsOfDigest(word.toLowerCase())];
}

function otherWritings(word: string): readonly string[] {
  const plain = folded(word);
  const longer = withTwoLetters(word);
  const others = plain === asIndexed(word) ? [] : [plain];
  return longer === undefined ? others : [...others, longer];
}

/** A digest is found by its beginning, and by the beginnings of it that people write. */
function termsOfDigest(word: string): readonly Weighted[] {
  if (!digest.test(word)) return [];
  const shorter = abbreviated.filter((length) => length < word.length);
  return [
    { kind: "prefix", text: word, weight: 2 },
    ...shorter.map((length): Weighted => ({ kind: "word", text: word.slice(0, length), weight: 2 })),
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
  const last = word.split(/[/\\]+/u).findLast((name) => joint().test(name));
  if (last !== undefined && last !== word)
    terms.push({ kind: "phrase", text: last.split(joint()).filter(Boolean).join(" "), weight: 2 });
  for (const piece of pieces.slice(0, mostPieces)) if (tells(piece)) pushAll(terms, termsOfOne(piece).map(lighter));
  return terms;
}

function tells(piece: string): boolean {
  return Array.from(piece).length > 2 || (piece.length === 2 && !/\d/u.test(piece) && !isFunctionWord(piece));
}

function lighter(term: Weighted): Weighted {
  return { ...term, weight: 1 };
}

/** A version may be written with a `v` and without. */
function withoutV(pieces: readonly string[]): readonly string[] {
  const [first, ...rest] = pieces;
  return first !== undefined && /^[vV]\d+$/u.test(first) ? [first.slice(1), ...rest] : pieces;
}

function mustOfSeveral(pieces: readonly string[]): Term {
  return { kind: "phrase", text: withoutV(pieces).join(" ") };
}
