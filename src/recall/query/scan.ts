import { least } from "../../base/lists.ts";

/** A piece of a query as it was written, before anybody asks what it means. */
export interface Piece {
  readonly kind: "text" | "phrase" | "prefix";
  readonly use: "any" | "must" | "not";
  readonly text: string;
  /** Where it stands, sign and quotes included. UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Opening quotes and what may close them. */
const closing: ReadonlyMap<string, string> = new Map([
  ['"', '"”'],
  ["＂", "＂"],
  ["“", '”"'],
  ["„", '“”"'],
  ["「", "」"],
  ["『", "』"],
  ["«", "»"],
  ["〝", "〞〟"],
]);
const opening = /["＂“„「『«〝]/u;
/** What is indexed: signs and pictures are not. */
const telling = /[\p{L}\p{N}]/u;
/** Marks around a word that are none of its own. */
const leading = /^[([{<,;:!?.'‘’“”"`~|*«»、。，！？：；（【〈《]+/u;
const trailing = /[)\]}>,;:!?.'‘’“”"`~|*«»、。，！？：；）】〉》]+$/u;

/** Cuts a query into words and phrases. What is no operator where it stands is text. Never fails; linear. */
export function scanQuery(query: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const ahead = lookAhead(query);
  for (let at = 0; at < query.length;) {
    const piece = phraseAt(query, at, ahead) ?? wordAt(query, at, ahead);
    at = piece.end;
    if (telling.test(piece.text)) pieces.push(piece);
  }
  return pieces;
}

/** Where the next of something stands, from a place on; infinite when nowhere. */
interface Ahead {
  readonly closing: (mark: string, from: number) => number;
  readonly telling: (from: number) => number;
}

/** What was found for one place holds for all up to it: a query of nothing but opening quotes would be read once for each of them. */
function lookAhead(query: string): Ahead {
  const remembered = (find: (from: number) => number): ((from: number) => number) => {
    let [first, found] = [0, -1];
    return (from) => {
      if (from >= first && from <= found) return found;
      const at = find(from);
      [first, found] = [from, at < 0 ? Number.POSITIVE_INFINITY : at];
      return found;
    };
  };
  const marks = new Map(
    Array.from(new Set([...closing.values()].join("")), (mark) => [
      mark,
      remembered((from) => query.indexOf(mark, from)),
    ]),
  );
  const any = new RegExp(telling.source, "gu");
  const tellingFrom = remembered((from) => {
    any.lastIndex = from;
    return any.exec(query)?.index ?? -1;
  });
  return { closing: (mark, from) => marks.get(mark)?.(from) ?? Number.POSITIVE_INFINITY, telling: tellingFrom };
}

function phraseAt(query: string, start: number, ahead: Ahead): Piece | undefined {
  const isFirst = start === 0 || /\s/u.test(query.charAt(start - 1));
  const sign = isFirst && /[+-]/u.test(query.charAt(start)) ? query.charAt(start) : "";
  const quote = query.charAt(start + sign.length);
  const closers = closing.get(quote);
  if (closers === undefined) return undefined;
  // Of a pair of equal marks only one at the beginning of a word opens: 5" is a length.
  if (closers.includes(quote) && sign === "" && /[\p{L}\p{N}]/u.test(query.charAt(start - 1))) return undefined;
  const from = start + sign.length + 1;
  const end = least(Array.from(closers, (mark) => ahead.closing(mark, from)));
  if (end === Number.POSITIVE_INFINITY || ahead.telling(from) >= end) return undefined;
  const text = query.slice(from, end).trim();
  return { kind: "phrase", use: sign === "-" ? "not" : "must", text, start, end: end + 1 };
}

/** A word, or what is not one; at least one character long. */
function wordAt(query: string, start: number, ahead: Ahead): Piece {
  if (/\s/u.test(query.charAt(start))) return { kind: "text", use: "any", text: "", start, end: start + 1 };
  let end = start + 1;
  while (end < query.length && !/\s/u.test(query.charAt(end)) && !opensAt(query, end, ahead)) end += 1;
  const isFirst = start === 0 || /\s/u.test(query.charAt(start - 1));
  const whole = query.slice(start, end);
  const [, sign = "", said = whole] = (isFirst ? /^([+-])(?=[^+\-*\s])(.*)$/su.exec(whole) : null) ?? [];
  const isSigned = sign !== "" && /[\p{L}\p{Extended_Pictographic}]/u.test(said);
  const own = isSigned ? said : whole;
  const use = !isSigned ? "any" : sign === "-" ? "not" : "must";
  const begun = /^([\p{L}\p{N}\p{M}][^*]*[\p{L}\p{N}\p{M}_])\*[,;:.!?]*$/u.exec(own)?.[1];
  if (begun !== undefined) return { kind: "prefix", use, text: begun, start, end };
  return { kind: "text", use, text: bare(own), start, end };
}

function opensAt(query: string, at: number, ahead: Ahead): boolean {
  return opening.test(query.charAt(at)) && phraseAt(query, at, ahead) !== undefined;
}

/** Without the marks around it: `(foo)`, `foo,`; `C++`, `.env` and `#12` keep theirs. */
function bare(word: string): string {
  const front = /^\.[\p{L}\p{N}]/u.test(word) ? word : word.replace(leading, "");
  return front.replace(trailing, "");
}
