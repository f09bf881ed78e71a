/**
 * Tokens of a text, estimated: characters of Han, Hiragana, Katakana and Hangul × 1.3 + words of ASCII letters × 0.75, on the whole text, rounded
 * down. Counted in twentieths, so that no rounding of halves and thirds moves a text over a threshold. Linear.
 */
export function estimateTokens(text: string): number {
  let twentieths = 0;
  for (const [word] of text.matchAll(words)) twentieths += word.charCodeAt(0) < 128 ? 15 : 26 * charactersOf(word);
  return Math.floor(twentieths / 20);
}

// The mark of a long vowel is of no script in Unicode, and of both kana in every word.
const words = /[A-Za-z]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]+/gu;

/** Characters (code points) of a text. */
export function charactersOf(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at++) {
    const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}
