import { Heap } from "../../base/lists.ts";
import { CLASS, NO_RANK, openRankTable, type RankTable } from "./rank-table.ts";

/** Counts the tokens of a text. The default counts o200k BPE exactly. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
}

/**
 * Counts o200k_base tokens exactly as OpenAI's tiktoken does with `encode_ordinary`: names of special tokens such as `<|endoftext|>` are ordinary text, a lone
 * surrogate counts as U+FFFD. Time is n log n at worst. The table is made by `tools/o200k-table.mjs` and read in place, so that opening it takes microseconds;
 * `io` when its bytes are not a whole table.
 */
export function counterOver(table: Uint8Array): (text: string) => number {
  const ranks = openRankTable(table);
  const countPiece = createPieceCounter(ranks);
  const encoder = new TextEncoder();
  return (text) => {
    const bytes = encoder.encode(text);
    const classified = { bytes, classes: ranks.classesOf(bytes) };
    let tokens = 0;
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = endOfPiece(classified, start);
      tokens += countPiece(bytes, start, end);
    }
    return tokens;
  };
}

/** Counts the tokens into which byte-pair encoding merges one piece. */
type PieceCounter = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * Byte-pair encoding: from single bytes on, the pair with the lowest rank (the leftmost of equals) merges until no pair
 * is a token. Short pieces search the lowest rank anew each time; long ones keep a heap, so that 100 kB of one letter
 * take n log n steps.
 */
function createPieceCounter(ranks: RankTable): PieceCounter {
  const bounds = new Int32Array(SHORT + 1);
  const pairRanks = new Int32Array(SHORT + 1);
  return (bytes, from, to) => {
    if (to - from === 1 || ranks.rankOf(bytes, from, to) !== NO_RANK) return 1;
    if (to - from > SHORT) return countLong(ranks, bytes.subarray(from, to));
    for (let at = from; at <= to; at++) {
      bounds[at - from] = at;
      pairRanks[at - from] = at + 2 <= to ? ranks.rankOf(bytes, at, at + 2) : NO_RANK;
    }
    return mergeShort(ranks, bytes, { bounds, pairRanks }, to - from);
  };
}

const SHORT = 128;

/** Part `i` reaches from `bounds[i]` to `bounds[i + 1]`; `pairRanks[i]` is the rank of it and the next part as one. */
function mergeShort(
  ranks: RankTable,
  bytes: Uint8Array,
  { bounds, pairRanks }: Record<"bounds" | "pairRanks", Int32Array>,
  parts: number,
): number {
  let length = parts;
  const rankAt = (index: number): number =>
    index + 2 <= length ? ranks.rankOf(bytes, bounds[index] ?? 0, bounds[index + 2] ?? 0) : NO_RANK;
  for (;;) {
    const lowest = indexOfLowest(pairRanks, length - 1);
    if (lowest === -1) return length;
    bounds.copyWithin(lowest + 1, lowest + 2, length + 1);
    pairRanks.copyWithin(lowest + 1, lowest + 2, length + 1);
    length--;
    pairRanks[lowest] = rankAt(lowest);
    if (lowest > 0) pairRanks[lowest - 1] = rankAt(lowest - 1);
  }
}

function indexOfLowest(pairRanks: Int32Array, length: number): number {
  let lowest = -1;
  let rank = NO_RANK;
  for (let index = 0; index < length; index++) {
    const candidate = pairRanks[index] ?? NO_RANK;
    if (candidate < rank) {
      rank = candidate;
      lowest = index;
    }
  }
  return lowest;
}

function countLong(ranks: RankTable, piece: Uint8Array): number {
  const size = piece.length;
  // Parts as a list: a part is known by its first byte, `pairRanks` is the rank of it and the next part as one.
  const next = Int32Array.from({ length: size + 1 }, (_, at) => Math.min(at + 1, size));
  const before = Int32Array.from({ length: size + 1 }, (_, at) => at - 1);
  const pairRanks = new Int32Array(size).fill(NO_RANK);
  const heap = new Heap<number>((a, b) => a < b);
  const rate = (at: number): void => {
    const second = next[at] ?? size;
    const rank = second < size ? ranks.rankOf(piece, at, next[second] ?? size) : NO_RANK;
    pairRanks[at] = rank;
    if (rank !== NO_RANK) heap.push(rank * POSITIONS + at);
  };
  for (let at = 0; at < size; at++) rate(at);
  let count = size;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const at = key % POSITIONS;
    // A pair that has merged or grown since has another rank: this key is a leftover.
    if (pairRanks[at] !== (key - at) / POSITIONS) continue;
    const second = next[at] ?? size;
    const third = next[second] ?? size;
    pairRanks[second] = NO_RANK;
    next[at] = third;
    before[third] = at;
    count--;
    rate(at);
    if (at > 0) rate(before[at] ?? 0);
  }
  return count;
}

/** A key is rank × `POSITIONS` + position: exact in a double, lowest rank first, then leftmost. */
const POSITIONS = 2 ** 31;

/** UTF-8 text with the class of the character of each byte (see `RankTable.classesOf`). */
interface ClassifiedText {
  readonly bytes: Uint8Array;
  readonly classes: Uint8Array;
}

/**
 * Where the piece that begins at `start` ends. Merging never crosses the border of a piece.
 *
 * The pieces are those of this pattern, which OpenAI publishes in tiktoken (`tiktoken_ext/openai_public.py`, MIT):
 *
 *     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *     |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *     |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
 *
 * It is written out by hand because a RegExp takes milliseconds to compile, and its backtracking exhausts the stack on
 * very long runs. `\s` is White_Space as in tiktoken, not JavaScript's `\s`.
 */
function endOfPiece(text: ClassifiedText, start: number): number {
  const { classes } = text;
  const first = classAt(classes, start);
  if (first & LETTER) return endOfContraction(text, endOfWord(classes, start));
  if (first & CLASS.mark) return endOfContraction(text, endOfMarkedWord(text, start));
  if (first & CLASS.number) return endOfNumber(text, start);
  if ((first & CLASS.newline) === 0) {
    const next = nextCharacter(text.bytes, start);
    if (classAt(classes, next) & IN_WORD) return endOfContraction(text, endOfWord(classes, next));
  }
  const symbols = text.bytes[start] === SPACE ? start + 1 : start;
  if (classAt(classes, symbols) & SYMBOL) return endOfSymbols(text, symbols);
  return endOfBlank(text, start);
}

const LETTER = CLASS.upper | CLASS.lower | CLASS.caseless;
const IN_WORD = LETTER | CLASS.mark;
const HEAD = CLASS.upper | CLASS.caseless | CLASS.mark;
const TAIL = CLASS.lower | CLASS.caseless | CLASS.mark;
const SYMBOL = CLASS.other | CLASS.mark;
const BLANK = CLASS.space | CLASS.newline;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;

/** The first alternative of the pattern, else the second. */
function endOfWord(classes: Uint8Array, start: number): number {
  const tail = endOfTail(classes, start);
  return tail > start ? tail : endOfRun(classes, start, HEAD);
}

/** A mark counts as the character before a word when a word with a tail follows, else as a word of its own. */
function endOfMarkedWord({ bytes, classes }: ClassifiedText, start: number): number {
  const next = nextCharacter(bytes, start);
  const tail = endOfTail(classes, next);
  return tail > next ? tail : endOfTail(classes, start);
}

/** `HEAD*TAIL+` from `start`, or `start` when it does not match. */
function endOfTail(classes: Uint8Array, start: number): number {
  const head = endOfRun(classes, start, HEAD);
  if (classAt(classes, head) & TAIL) return endOfRun(classes, head, TAIL);
  // The head took everything: it gives back up to its last character that can be a tail.
  let end = head;
  while (end > start && (classAt(classes, end - 1) & TAIL) === 0) end--;
  return end;
}

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`; without regard to case the long s (U+017F) is an s. */
function endOfContraction({ bytes }: ClassifiedText, start: number): number {
  if (bytes[start] !== APOSTROPHE) return start;
  const first = bytes[start + 1] ?? 0;
  const letters = String.fromCharCode(first | 0x20, (bytes[start + 2] ?? 0) | 0x20);
  if (letters === "re" || letters === "ve" || letters === "ll") return start + 3;
  if (first === 0xc5 && bytes[start + 2] === 0xbf) return start + 3;
  return "stmd".includes(letters.charAt(0)) ? start + 2 : start;
}

/** `\p{N}{1,3}` */
function endOfNumber({ bytes, classes }: ClassifiedText, start: number): number {
  let end = start;
  for (let digits = 0; digits < 3 && classAt(classes, end) & CLASS.number; digits++) end = nextCharacter(bytes, end);
  return end;
}

/** `[^\s\p{L}\p{N}]+[\r\n/]*` */
function endOfSymbols({ bytes, classes }: ClassifiedText, start: number): number {
  let end = endOfRun(classes, start, SYMBOL);
  while (bytes[end] === LF || bytes[end] === CR || bytes[end] === SLASH) end++;
  return end;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: to the last line end, else all but the last blank before a word, else all. */
function endOfBlank({ bytes, classes }: ClassifiedText, start: number): number {
  const end = endOfRun(classes, start, BLANK);
  let line = end;
  while (line > start && (classAt(classes, line - 1) & CLASS.newline) === 0) line--;
  if (line > start) return line;
  if (end === bytes.length) return end;
  const last = lastCharacter(bytes, end);
  return last > start ? last : end;
}

function endOfRun(classes: Uint8Array, start: number, mask: number): number {
  let end = start;
  while ((classes[end] ?? 0) & mask) end++;
  return end;
}

function nextCharacter(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (isContinuation(bytes, next)) next++;
  return next;
}

function lastCharacter(bytes: Uint8Array, end: number): number {
  let last = end - 1;
  while (isContinuation(bytes, last)) last--;
  return last;
}

function isContinuation(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function classAt(classes: Uint8Array, at: number): number {
  return classes[at] ?? 0;
}
