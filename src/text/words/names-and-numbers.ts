import { once } from "../../base/lines.ts";
import { isEnding, partsOfHangul, partsOfRun } from "./letter-pairs.ts";
import { asIndexed, isAscii, isPlain, otherSpellings, segmentsOf } from "./scripts.ts";

const hump = /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g;
const camel = /[a-z]\d*[A-Z]|[A-Z]{2}[a-z]/;
/** Longer words are not names. */
const longestName = 80;
const mostHumps = 12;

/** `c++` and `c#` spelled in letters. */
export function signName(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.endsWith("#") ? "sharp" : "plusplus"}`;
}

/**
 * The humps of a name in lower case: `HTTPServer2` gives `http`, `server`, `server2`. For a code (`TS2345`), its digits.
 * Empty for a name with one hump.
 */
export function partsOfName(word: string): readonly string[] {
  if (word.length > longestName || /^[A-Z]+s$/.test(word)) return [];
  const code = /^[A-Z]{1,6}(\d{3,})$/.exec(word)?.[1];
  if (code !== undefined) return [code];
  const humps = camel.test(word) ? (word.match(hump) ?? []) : [];
  if (humps.length < 2 || humps.length > mostHumps) return [];
  return humps.flatMap((written) => {
    const part = written.toLowerCase();
    return [part.replace(/\d+$/, ""), part].filter((one, at) => one.length > 1 && (at === 1 || one !== part));
  });
}

/** The values of Han and Korean numerals; those from ten up are multipliers. */
const values: ReadonlyMap<string, number> = new Map([
  ...["〇一二三四五六七八九", "영일이삼사오육칠팔구"].flatMap((digits) =>
    Array.from(digits, (sign, value) => [sign, value] as const),
  ),
  ...Object.entries({ 零: 0, 两: 2, 兩: 2, 十: 10, 百: 100, 千: 1000, 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8 }),
  ...Object.entries({ 십: 10, 백: 100, 천: 1000, 만: 1e4, 억: 1e8 }),
]);

/**
 * At least two signs, one of them not a digit. A Korean numeral has a multiplier and follows no other syllable: `이` and
 * `사` are syllables too.
 */
const numerals =
  /(?<![\d.])(?=\d*[〇零一二三四五六七八九十百千万萬億亿两兩])[\d〇零一二三四五六七八九十百千万萬億亿两兩]{2,}|(?<![\p{Script=Hangul}\d.])(?=[\d일이삼사오육칠팔구]*[십백천만억])[\d일이삼사오육칠팔구십백천만억]{2,}/gu;
/** A quick test with false positives: matches every text that contains a numeral. */
const likely =
  /[\d〇零一二三四五六七八九十百千万萬億亿两兩][〇零一二三四五六七八九十百千万萬億亿两兩]|[\d일이삼사오육칠팔구십백천만억][십백천만억]|[십백천만억][\d일이삼사오육칠팔구]/;
/** Longer runs are not numbers. */
const mostSigns = 15;

/** The numerals in a text as digits: `三十五` and `11万` give `35` and `110000`. */
export function numbersIn(text: string): readonly string[] {
  if (!likely.test(text)) return [];
  return Array.from(text.matchAll(numerals), ([found]) => numberOf(found)).filter((number) => number !== undefined);
}

/** The value of a numeral without spaces, as digits. */
export function numberOf(found: string): string | undefined {
  if (found.length > mostSigns) return undefined;
  const number = /[十百千万萬億亿십백천만억]/u.test(found) ? counted(found) : Number(digitsOf(found));
  return Number.isSafeInteger(number) ? String(number) : undefined;
}

/** Reads a numeral sign by sign: `二〇二五`. */
function digitsOf(found: string): string {
  return Array.from(found, (sign) => values.get(sign) ?? sign).join("");
}

/** Reads a numeral with multipliers, as in `七千二百`: each applies to the digits before it; `万` and `億` apply to everything before them. */
function counted(found: string): number {
  let all = 0;
  let below = 0;
  let digits = "";
  for (const sign of found) {
    const value = values.get(sign) ?? Number(sign);
    if (value < 10) {
      digits += String(value);
      continue;
    }
    const before = digits === "" ? undefined : Number(digits);
    digits = "";
    if (value < 1e4) below += (before ?? 1) * value;
    else {
      all += (below + (before ?? (below === 0 ? 1 : 0))) * value;
      below = 0;
    }
  }
  return all + below + Number(digits);
}

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
