import type { ItemWords } from "./item-words.ts";
import type { AnswerFinding } from "./request.ts";
import { printable } from "./unrelated.ts";

/** An item that has a word so often, and it is half of what it says, repeats that word. */
const often = 3;
/** An item of at least so many words repeats itself where fewer than this part of them are different. */
const leastWords = { item: 6, answer: 30 };
const leastDifferent = { item: 0.4, answer: 0.3 };
/** Words that are counted together: a long text repeats more of its words than a short one (segmental type-token ratio, Johnson 1944). */
const together = 50;
/** From so many items on, most of them with the same words are a repetition. */
const leastAlike = 4;

/**
 * Refuses an answer that says the same over and over: most items other than topics repeat a word or a few; or most items have the same words in any order, from four
 * on; or fewer than 0.3 of its words are different, in stretches of 50, from 30 words on. Linear.
 */
export function repetitiveFindings(items: readonly ItemWords[]): readonly AnswerFinding[] {
  const others = items.filter(({ role }) => role === "other");
  const repeating = others.filter(({ keys }) => repeats(keys));
  if (repeating.length * 2 > others.length)
    return [refusal(`${repeating.length} of ${others.length} items of the answer repeat the same words`, repeating[0])];
  const seen = new Set<string>();
  const again = items.filter(({ all, text }) => {
    const key = all.length === 0 ? text : [...new Set(all)].toSorted().join(" ");
    return seen.size === seen.add(key).size;
  });
  if (items.length >= leastAlike && again.length * 2 > items.length)
    return [
      refusal(`${again.length} of ${items.length} items of the answer have the words of an earlier one`, again[0]),
    ];
  const words = items.flatMap(({ all }) => all);
  const different = differentOf(words);
  if (words.length < leastWords.answer || different >= leastDifferent.answer) return [];
  return [
    refusal(`Only ${Math.round(different * 100)} in 100 words of the answer are different ones`, longestOf(items)),
  ];
}

function repeats(keys: readonly string[]): boolean {
  const counts = new Map<string, number>();
  let most = 0;
  for (const key of keys) {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    most = Math.max(most, count);
  }
  const isOneWord = most >= often && most * 2 >= keys.length;
  return isOneWord || (keys.length >= leastWords.item && differentOf(keys) < leastDifferent.item);
}

/** Which part of the words are different ones, each stretch of 50 by itself. 1 without words. */
export function differentOf(words: readonly string[]): number {
  if (words.length === 0) return 1;
  let different = 0;
  for (let at = 0; at < words.length; at += together) different += new Set(words.slice(at, at + together)).size;
  return different / words.length;
}

function longestOf(items: readonly ItemWords[]): ItemWords | undefined {
  return items.reduce((most, item) => (item.all.length > most.all.length ? item : most), items[0] as ItemWords);
}

function refusal(seen: string, item: ItemWords | undefined): AnswerFinding {
  const message = `${seen}, as "${printable(item?.text ?? "")}"; say what the sources say, each thing once.`;
  return { code: "repetitive", severity: "error", message, line: null };
}
