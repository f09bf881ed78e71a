import { CLASS } from "./rank-table.ts";

/** UTF-8 text with the class of the character of each byte (see `RankTable.classesOf`). */
export interface ClassifiedText {
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
export function endOfPiece(text: ClassifiedText, start: number): number {
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
  while (((bytes[next] ?? 0) & 0xc0) === 0x80) next++;
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
