/**
 * Tokens of a text, estimated: characters of Han, Hiragana, Katakana and Hangul × 1.3 + words of ASCII letters × 0.75, on the whole text, rounded
 * down. Counted in twentieths, so that no rounding of halves and thirds moves a text over a threshold. Linear.
 */
export function estimateTokens(text: string): number {
  let twentieths = 0;
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128) {
      const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122;
      if (isLetter && !isInWord) twentieths += 15;
      isInWord = isLetter;
      continue;
    }
    isInWord = false;
    if ((unit & 0xfc00) === 0xd800) {
      if (isCjk(text.codePointAt(at) ?? unit)) twentieths += 26;
    } else if (isKnownCjk(unit)) twentieths += 26;
  }
  return Math.floor(twentieths / 20);
}

// The mark of a long vowel is of no script in Unicode, and of both kana in every word.
const cjkLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]/u;

function isCjk(codePoint: number): boolean {
  return cjkLetter.test(String.fromCodePoint(codePoint));
}

/** Of each code unit that was asked for: 1 no, 2 yes. */
const asked = new Uint8Array(0x10000);

function isKnownCjk(unit: number): boolean {
  asked[unit] ||= isCjk(unit) ? 2 : 1;
  return asked[unit] === 2;
}

/** Characters (code points) of a text. */
export function charactersOf(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at++) {
    const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

/**
 * The tokens by which texts are compared, each under a number of its own, counted from 0: words of ASCII letters, digits and `_` of two characters or
 * more, runs of CJK characters as overlapping pairs, words of every other script; docs/formats/audit.md, "Figures".
 */
export class TokenTable {
  readonly #numbers = new Map<string, number>();

  /** How many tokens have a number. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The tokens of a text, each once, in order of appearance. Linear. */
  tokensOf(text: string): readonly number[] {
    const lower = text.toLowerCase();
    const found = new Set<number>();
    const add = (from: number, to: number): void => {
      const token = lower.slice(from, to);
      const number = this.#numbers.get(token) ?? this.#numbers.size;
      this.#numbers.set(token, number);
      found.add(number);
    };
    for (let at = 0; at < lower.length;) {
      const kind = kindOf(lower, at);
      if (kind === none) at += 1;
      else at = kind === cjk ? takePairs(lower, at, add) : takeWord(lower, at, add);
    }
    return [...found];
  }
}

type Add = (from: number, to: number) => void;

/** Adds the pairs of the run that begins here; its end. */
function takePairs(text: string, from: number, add: Add): number {
  let before = -1;
  let at = from;
  let end = at + widthAt(text, at);
  while (end < text.length && kindOf(text, end) === cjk) {
    const next = end + widthAt(text, end);
    add(at, next);
    before = at;
    at = end;
    end = next;
  }
  if (before < 0) add(from, end);
  return end;
}

/** Adds the word that begins here; its end. */
function takeWord(text: string, from: number, add: Add): number {
  let isOther = false;
  let at = from;
  while (at < text.length) {
    const kind = kindOf(text, at);
    if (kind !== ascii && kind !== other) break;
    isOther ||= kind === other;
    at += widthAt(text, at);
  }
  if (isOther || at - from > 1) add(from, at);
  return at;
}

const none = 0;
const ascii = 1;
const cjk = 2;
const other = 3;
const unknown = 4;

/** The kind of each character of the Basic Multilingual Plane, as far as it was asked for. */
const kinds = new Uint8Array(1 << 16).fill(unknown);

/** Of a pair of surrogates at its first half. */
function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = kinds[code] ?? unknown;
  if (known !== unknown) return known;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const kind = kindOfCharacter(character);
  if ((code & 0xf800) !== 0xd800) kinds[code] = kind;
  return kind;
}

function kindOfCharacter(character: string): number {
  if (/^[a-z0-9_]/u.test(character)) return ascii;
  if (/^[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]/v.test(character)) return cjk;
  return /^[\p{L}\p{M}\p{N}]/u.test(character) ? other : none;
}

function widthAt(text: string, at: number): 1 | 2 {
  const code = text.charCodeAt(at);
  if ((code & 0xfc00) !== 0xd800) return 1;
  return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
