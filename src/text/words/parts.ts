import { once } from "../../base/lines.ts";
import { isEnding, partsOfHangul, partsOfRun } from "./letter-pairs.ts";
import { numbersIn, partsOfName, signName } from "./names-and-numbers.ts";
import { asIndexed, isAscii, isPlain, otherSpellings, segmentsOf } from "./scripts.ts";

/** A quick test for non-ASCII characters, or for signs that an ASCII word may have parts. Most sentences have neither. */
const mayHaveParts = /[^\0-\x7f]|[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Z]\d|\d[.,]|[A-Za-z][+#]/;

/** `C++`, `v1.2.3`, `1,250,000`. */
const signed = String.raw`(?<![A-Za-z0-9]|\d[.,])(?:[A-Za-z](?:\+\+|#)|v\d+(?:\.\d+)+|\d{1,3}(?:,\d{3})+(?!\d))`;
/** `signed`, or a word with signs of a name; for plain texts. */
const plainPieces = new RegExp(
  String.raw`${signed}|(?<![A-Za-z0-9])[A-Za-z0-9]*(?:[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Z]\d)[A-Za-z0-9]*`,
  "g",
);
/** `signed`, or a word as split by the `unicode61` tokenizer of FTS5; for other texts. */
const pieces = once(() => new RegExp(String.raw`${signed}|[\p{L}\p{N}\p{M}\p{Co}]+`, "gu"));

/**
 * Additional index words for a text, in lower case, separated by spaces: letter pairs for scripts without spaces, pairs and
 * stems of Korean words, humps of names, plain spellings of words that the index stores differently (`ﬁle`, `Straße`), and
 * Latin words and numbers inside runs of other letters. Empty for most English text. Linear.
 */
export function partsOf(text: string): string {
  if (!mayHaveParts.test(text)) return "";
  return (text.match(isPlain(text) ? plainPieces : pieces()) ?? []).flatMap(partsOfPiece).join(" ");
}

function partsOfPiece(piece: string): readonly string[] {
  if (!isAscii(piece)) return partsOfWord(piece);
  if (/[+#]$/.test(piece)) return [signName(piece)];
  if (piece.includes(",")) return [piece.replaceAll(",", "")];
  return piece.includes(".") ? piece.slice(1).split(".") : partsOfName(piece);
}

function partsOfWord(raw: string): readonly string[] {
  const word = raw.normalize("NFKC");
  const segments = segmentsOf(word);
  const alone = segments.length === 1 && word === raw;
  const parts = segments.flatMap(({ is, text }, at): readonly string[] => {
    if (is === "unspaced") return partsOfRun(text);
    if (is === "spaced") return otherSpellings(text, alone ? asIndexed(text) : "");
    return at > 0 && isEnding(text) ? [] : partsOfHangul(text);
  });
  return [...(raw.match(/[A-Za-z0-9]+/g) ?? []).flatMap(partsOfName), ...numbersIn(raw), ...parts];
}
