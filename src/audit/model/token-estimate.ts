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
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]/u;

function isCjk(codePoint: number): boolean {
  return cjk.test(String.fromCodePoint(codePoint));
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
