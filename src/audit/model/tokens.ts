/**
 * Estimates the tokens in a text: characters of Han, Hiragana, Katakana and Hangul × 1.3 + words of ASCII letters × 0.75, rounded
 * down at the end. Counted in twentieths, so that rounding errors cannot move a text over a threshold. Linear time.
 */
export function estimateTokens(text: string): number {
  let twentieths = 0;
  for (const [found] of text.matchAll(wordOrCjk)) twentieths += found < "\x80" ? 15 : 26;
  return Math.floor(twentieths / 20);
}

// In Unicode, the long vowel mark belongs to no single script, so it is listed here.
const wordOrCjk = /[A-Za-z]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]/gu;

/** Number of characters (code points) of a text. */
export function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * The tokens used to compare texts: words of ASCII letters, digits and `_` of at least two characters, runs of CJK characters as overlapping pairs, and words
 * of other scripts; see docs/formats/audit.md, "Figures". Each token once, in order of appearance. Linear time.
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
