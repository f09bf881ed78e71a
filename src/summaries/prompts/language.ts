import type { en } from "./en.ts";

/** The texts of the prompts in one language, for a node, ROOT.md and a thread. */
export type PromptTexts = typeof en;

/** A language that has prompts. Sources in any other language get the English ones, which ask for the language of the sources. */
export type Language = "en" | "ko" | "ja" | "zh";

const hangul = /\p{Script=Hangul}/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const han = /\p{Script=Han}/gu;
const letters = /\p{L}/gu;

/** How much of each text, and of all texts, is counted. UTF-16 units. */
const maxOfText = 2_000;
const maxOfAll = 200_000;
/** Japanese mixes Han and Kana: from this share of Kana on, the text is Japanese. */
const minShareOfKana = 0.1;

/** The language most letters belong to: Hangul, Kana (with the Han beside them), Han, or any other. A Han or Hangul letter counts as two of an alphabet. */
export function languageOf(texts: Iterable<string>): Language {
  const counts = { ko: 0, kana: 0, han: 0, all: 0 };
  let seen = 0;
  for (const text of texts) {
    const part = text.slice(0, maxOfText);
    counts.ko += count(part, hangul);
    counts.kana += count(part, kana);
    counts.han += count(part, han);
    counts.all += count(part, letters);
    seen += part.length;
    if (seen >= maxOfAll) break;
  }
  const eastAsian = counts.kana + counts.han;
  const other = (counts.all - eastAsian - counts.ko) / 2;
  if (counts.ko > eastAsian && counts.ko > other) return "ko";
  if (eastAsian === 0 || eastAsian <= other) return "en";
  return counts.kana >= eastAsian * minShareOfKana ? "ja" : "zh";
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
