/**
 * Tokens of a text, estimated: characters of Han, Hiragana, Katakana and Hangul × 1.3 + words of ASCII letters × 0.75, on the whole text, rounded
 * down. Counted in twentieths, so that no rounding of halves and thirds moves a text over a threshold. Linear.
 */
export function estimateTokens(text: string): number {
  let twentieths = 0;
  for (const [found] of text.matchAll(wordOrCjk)) twentieths += found < "\x80" ? 15 : 26;
  return Math.floor(twentieths / 20);
}

// The mark of a long vowel is of no script in Unicode, and of both kana in every word.
const wordOrCjk = /[A-Za-z]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]/gu;

/** Characters (code points) of a text. */
export function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * The tokens by which texts are compared: words of ASCII letters, digits and `_` of two characters or more, runs of CJK characters as overlapping
 * pairs, words of every other script; docs/formats/audit.md, "Figures". Each once, in order of appearance. Linear.
 */
export function tokensOf(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const [token, run] of text.toLowerCase().matchAll(runOrWord)) {
    const letters = run === undefined ? [] : Array.from(run);
    if (letters.length < 2) tokens.add(token);
    else for (let at = 1; at < letters.length; at++) tokens.add(`${letters[at - 1]}${letters[at]}`);
  }
  return tokens;
}

const cjk = "[[\\p{L}\\p{M}\\p{N}]&&[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]]";
const other = `[[\\p{L}\\p{M}\\p{N}_]--${cjk}]`;
/** A single ASCII character is not a word. */
const runOrWord = new RegExp(`(${cjk}+)|${other}{2,}|[${other}--[a-z0-9_]]`, "gv");
