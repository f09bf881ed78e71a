import { detached } from "../base/detached.ts";
import { stopWords } from "./stop-words.ts";

const wordPattern =
  /\p{Script=Han}+|\p{Script=Katakana}[\p{Script=Katakana}ー]+|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]][[\p{L}\p{N}\p{M}'’._\-]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]]*/gv;
const han = /\p{Script=Han}/u;
const hangul = /\p{Script=Hangul}/u;
const particles =
  /(?:에서는|으로는|에서|에게|으로|까지|부터|처럼|보다|하고|이나|이라|은|는|이|가|을|를|에|의|로|와|과|도|만)$/u;

/** A word as it is shown, and the form in which it is compared. */
export interface Word {
  readonly shown: string;
  readonly key: string;
  /** How much one mention says: longer words, with capitals or digits, say more. */
  readonly salience: number;
}

/**
 * The words of a text that name something: no function words, no bare numbers of fewer than three digits. Scripts without spaces give runs of
 * Han (2–8 characters) and Katakana; Hangul loses its commonest particles. Deterministic across ICU versions: no segmenter. Linear.
 */
export function contentWords(text: string): readonly Word[] {
  const words: Word[] = [];
  const said = text.includes("[REDACTED:") ? text.replaceAll(/\[REDACTED:[a-z0-9-]+\]/gu, " ") : text;
  for (const raw of said.match(wordPattern) ?? []) {
    const word = knownWord(raw);
    if (word !== undefined) words.push(word);
  }
  return words;
}

/** Words come again and again: what was found of one is kept, up to this many. Forgetting changes no result. */
const mostKnown = 50_000;
const known = new Map<string, Word | null>();

type Form = Omit<Word, "salience">;

function knownWord(raw: string): Word | undefined {
  const found = known.get(raw);
  if (found !== undefined) return found ?? undefined;
  const own = detached(raw);
  const form = cleanWord(own);
  const word = form === undefined ? undefined : { ...form, salience: salience(form.shown) };
  if (known.size >= mostKnown) known.clear();
  known.set(own, word ?? null);
  return word;
}

function cleanWord(raw: string): Form | undefined {
  const trimmed = raw.replace(/^['’._-]+|['’._-]+$/gu, "").replace(/['’]s$/u, "");
  if (hangul.test(trimmed)) return sized(trimmed.length > 2 ? trimmed.replace(particles, "") : trimmed, 2);
  if (han.test(trimmed)) return sized(trimmed.length > 8 ? Array.from(trimmed).slice(0, 8).join("") : trimmed, 2);
  const lower = trimmed.toLowerCase();
  if (stopWords.has(lower.replaceAll("’", "'").split("'")[0] ?? "") || /^\d{1,2}$/u.test(lower)) return undefined;
  return trimmed.length < 2 || trimmed.length > 48 ? undefined : { shown: trimmed, key: stem(lower) };
}

function sized(word: string, least: number): Form | undefined {
  return word.length < least || stopWords.has(word) ? undefined : { shown: word, key: word };
}

/** English inflection taken off lightly: plural and the commonest verb endings. */
export function stem(word: string): string {
  if (word.length <= 4 || !/^[a-z-]+$/u.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/u.test(word)) return word;
  if (/(?:ches|shes|xes|sses)$/u.test(word)) return word.slice(0, -2);
  if (word.endsWith("s")) return word.slice(0, -1);
  if (word.endsWith("ing") && word.length > 6) return word.slice(0, -3);
  return word.endsWith("ed") && word.length > 5 ? word.slice(0, -2) : word;
}

/** How often each word stands in the texts; the form shown is the one met first. */
export class WordCounts {
  readonly #counts = new Map<string, { readonly word: Word; count: number; readonly order: number }>();

  add(words: readonly Word[], weight: number): void {
    for (const word of words) {
      const known = this.#counts.get(word.key);
      if (known === undefined) this.#counts.set(word.key, { word, count: weight, order: this.#counts.size });
      else known.count += weight;
    }
  }

  /** The most telling words first: frequent, long, with capitals or digits; ties by first appearance. */
  top(most: number, without: ReadonlySet<string> = new Set()): readonly Word[] {
    return [...this.#counts.values()]
      .filter(({ word }) => !without.has(word.key))
      .map(({ word, count, order }) => ({ word, order, value: count * word.salience }))
      .toSorted((a, b) => b.value - a.value || a.order - b.order)
      .slice(0, most)
      .map(({ word }) => word);
  }
}

function salience(word: string): number {
  let value = Math.min(2, 0.6 + word.length / 12);
  if (/^\p{Lu}/u.test(word)) value += 0.5;
  if (/\d/u.test(word)) value += 0.3;
  if (/[._-]/u.test(word)) value += 0.2;
  return han.test(word) || hangul.test(word) ? value + 0.6 : value;
}
