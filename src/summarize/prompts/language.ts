/** A language that there are prompts in. All other languages are asked in English for their own. */
export type Language = "en" | "ko" | "ja" | "zh";

const hangul = /\p{Script=Hangul}/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const han = /\p{Script=Han}/gu;
const letters = /\p{L}/gu;

/** Letters that are looked at; of longer texts the beginning tells. UTF-16 units of each text, and of all. */
const mostOfText = 2_000;
const mostOfAll = 200_000;
/** Japanese is written with Han and Kana: this part of both that is Kana makes it Japanese. */
const shareOfKana = 0.1;

/** The language of most letters: Hangul, Kana (with the Han beside them), Han, or any other. A Han or Hangul letter says about as much as two of an alphabet. */
export function languageOf(texts: Iterable<string>): Language {
  const counts = { ko: 0, kana: 0, han: 0, all: 0 };
  let seen = 0;
  for (const text of texts) {
    const part = text.slice(0, mostOfText);
    counts.ko += count(part, hangul);
    counts.kana += count(part, kana);
    counts.han += count(part, han);
    counts.all += count(part, letters);
    seen += part.length;
    if (seen >= mostOfAll) break;
  }
  const eastAsian = counts.kana + counts.han;
  const other = (counts.all - eastAsian - counts.ko) / 2;
  if (counts.ko > eastAsian && counts.ko > other) return "ko";
  if (eastAsian === 0 || eastAsian <= other) return "en";
  return counts.kana >= eastAsian * shareOfKana ? "ja" : "zh";
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
