/**
 * Gives each word of a text as BERT's uncased tokenizers have it (`BertNormalizer` and `BertPreTokenizer` of huggingface/tokenizers): in small letters, accents
 * taken away after NFD; a mark of punctuation, all of ASCII's symbols among them, and a CJK ideograph are words of their own; invisible characters are as if they
 * were not there. Linear in the text.
 */
export function eachWord(text: string, take: (word: string) => void): void {
  const plain = onlyAscii.test(text) ? text.toLowerCase() : plainOf(text);
  let start = -1;
  for (let at = 0; at < plain.length; at++) {
    const kind = kinds[plain.charCodeAt(at)] ?? inWord;
    if (kind === inWord) {
      if (start === -1) start = at;
      continue;
    }
    if (start !== -1) take(plain.slice(start, at));
    start = -1;
    if (kind === alone) take(plain.charAt(at));
  }
  if (start !== -1) take(plain.slice(start));
}

const onlyAscii = /^[\t\n\r -~]*$/u;
const inWord = 0;
const between = 1;
const alone = 2;
/** Of ASCII; everything else stands within a word once `plainOf` has put blanks around what is a word of its own. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return between;
  return /[!-/:-@[-`{-~]/u.test(String.fromCharCode(code)) ? alone : inWord;
});

function plainOf(text: string): string {
  return text
    .replaceAll(/(?![\t\n\r])[\p{C}\uFFFD]/gu, "")
    .replaceAll(/\p{White_Space}/gu, " ")
    .replaceAll(ideograph, " $& ")
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase()
    .replaceAll(/(?![!-~])\p{P}/gu, " $& ");
}

const ideograph =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
