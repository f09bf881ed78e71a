import { remembering } from "../base/lines.ts";
import { topicKey } from "../base/memory-type.ts";
import { plainFunctionWords } from "./words/stop-words.ts";
import { isPlain } from "./words/scripts.ts";

/**
 * The words in a text as keys for comparison: lower case, lightly stemmed English, no function words. Han text is split into
 * character pairs, Katakana into whole words; Korean words lose common particles.
 */
export function wordKeys(text: string): ReadonlySet<string> {
  return new Set(wordKeysInOrder(text));
}

/** `wordKeys` in order, with repeats. Linear. */
export function wordKeysInOrder(text: string): readonly string[] {
  const one = text.normalize("NFKC").toLowerCase();
  return (one.match(isPlain(one) ? plainWord : wordPattern()) ?? []).flatMap(keysOfWord);
}

/** Two texts say the same if they share at least this part of their words (Jaccard 1901). */
const leastShared = 0.6;
/** A text with at least this many words that is contained in a longer text says the same. */
const leastContained = 3;

/** Whether two sets of words say nearly the same, with the same numbers. */
export function saysTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return isSame(sharedKeys(a, b), a.size, b.size) && numbersIn(a) === numbersIn(b);
}

function numbersIn(keys: ReadonlySet<string>): string {
  return [...keys]
    .filter((key) => number.test(key))
    .toSorted()
    .join(" ");
}

const number = /\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)$|^[一二三四五六七八九十]/u;

/** How many words two sets share. */
export function sharedKeys(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const key of a) if (b.has(key)) shared += 1;
  return shared;
}

/**
 * Whether sets of sizes `a` and `b` that share `shared` words say nearly the same: most words are shared, or one set
 * contains the other.
 */
export function isSame(shared: number, a: number, b: number): boolean {
  if (shared === 0) return false;
  const shorter = Math.min(a, b);
  return shared / (a + b - shared) >= leastShared || (shared === shorter && shorter >= leastContained);
}

const plainWord = /[a-z0-9]+(?:[._'’/-][a-z0-9]+)*/g;
const wordPattern = (): RegExp =>
  /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]+|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]]+(?:[._'’\/\-][[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]]+)*/gv;
const unspaced = (): RegExp => /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u;
const hangul = /\p{Script=Hangul}/u;
const particles =
  /(?:에서는|으로는|에서|에게|으로|까지|부터|처럼|보다|하고|이나|은|는|이|가|을|를|에|의|로|와|과|도|만)$/u;

function keysOfWord(word: string): readonly string[] {
  if (!isPlain(word)) {
    if (unspaced().test(word)) return pairsOf(word);
    if (hangul.test(word)) return [word.length > 2 ? word.replace(particles, "") : word];
  }
  return plainFunctionWords.has(word) ? [] : [stemOf(word.replace(/['’]s$/u, ""))];
}

const runs = (): RegExp => /\p{Script=Han}+|[\p{Script=Katakana}ー]+/gu;

/** Katakana words and pairs of Han characters. Hiragana, mostly endings, count only if there is nothing else. */
function pairsOf(text: string): readonly string[] {
  const telling = (text.match(runs()) ?? []).flatMap((run): readonly string[] => {
    const characters = Array.from(run);
    if (characters.length < 3 || !/^\p{Script=Han}/u.test(run)) return [run];
    return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
  });
  return telling.length > 0 ? telling : [text];
}

function stemOf(word: string): string {
  if (word.length <= 3 || !/^[a-z-]+$/u.test(word)) return word;
  const bare = withoutEnding(word, 3);
  // `pinn`, as in pinning, is `pin`.
  const stem = /(?:ing|ed)$/u.test(word) && /(?:bb|dd|gg|mm|nn|pp|rr|tt)$/u.test(bare) ? bare.slice(0, -1) : bare;
  return stem.length > 3 && stem.endsWith("e") ? stem.slice(0, -1) : stem;
}

/** Light English stemming: plurals and common verb endings, if `least` letters remain. */
export function withoutEnding(word: string, least: number): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/u.test(word)) return word;
  if (/(?:ches|shes|xes|sses)$/u.test(word)) return word.slice(0, -2);
  if (word.endsWith("s")) return word.slice(0, -1);
  const bare = word.replace(/(?:ing|ed)$/u, "");
  return bare.length < least ? word : bare;
}

/**
 * A key that is equal for names of the same topic: their words, ignoring inflection and order. For names with one content
 * word it includes the number of words: `calls` is not `on call`.
 */
export const nameKey: (name: string) => string = remembering((name) => {
  const words = [...wordKeys(name)].toSorted();
  const count = words.length === 1 ? ` ${name.trim().split(/\s+/u).length}` : "";
  return words.length === 0 ? topicKey(name) : words.join(" ") + count;
}, 20_000);

/**
 * Groups things by topic, in order of first appearance. If any thing with a topic name is `isExact`, that name is matched
 * only exactly.
 */
export function groupByName<T extends { readonly topic: string }>(
  things: readonly T[],
  isExact: (thing: T) => boolean,
): readonly (readonly T[])[] {
  const exact = new Set(things.filter(isExact).map(({ topic }) => topicKey(topic)));
  const keyOf = ({ topic }: T): string => {
    const own = topicKey(topic);
    return exact.has(own) ? `=${own}` : nameKey(topic);
  };
  return [...Map.groupBy(things, keyOf).values()];
}

/** Maximum keywords per topic. */
export const mostKeywords = 12;

/**
 * Merges keyword lists round-robin, without repeats and without words contained in a longer keyword (`Figma` next to
 * `Figma plugin`).
 */
export function mergeKeywords(lists: readonly (readonly string[])[], most: number): readonly string[] {
  const taken = new Map<string, string>();
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0);
  for (let round = 0; round < longest && taken.size < most * 2; round++)
    for (const list of lists) {
      const word = list[round];
      if (word !== undefined && word !== "" && !taken.has(topicKey(word))) taken.set(topicKey(word), word);
    }
  const keys = [...taken.keys()];
  return keys
    .filter((key) => !keys.some((other) => other.length > key.length && contains(other, key)))
    .slice(0, most)
    .map((key) => taken.get(key) ?? "");
}

const han = /\p{Script=Han}/u;

function contains(longer: string, shorter: string): boolean {
  if (!longer.includes(shorter)) return false;
  return ` ${longer} `.includes(` ${shorter} `) || han.test(shorter);
}
