import { wordKeys, wordKeysInOrder } from "../../base/word-keys.ts";

/** A list item of an answer, by its words. */
export interface ItemWords {
  /** As it is written, without its mark. */
  readonly text: string;
  /** What stands behind its name, or all of it where it has none. */
  readonly said: string;
  /** Keys of all its words, each as often as it stands there. */
  readonly all: readonly string[];
  /** Keys of the words that were said. */
  readonly keys: readonly string[];
  /** Names a topic in the section of topics, in which an item may say no more than that. */
  readonly role: "topic" | "other";
}

const typeTag = /\[(?:project|feedback|user|reference)\]/gu;
const letterOrDigit = /[\p{L}\p{N}]/u;
/** As threads name a message: `#12 user: text`. */
const message = /^#\d{1,10}(?![\p{L}\p{N}])[\s:]*(?:(?:user|assistant|system|tool):\s*)?/u;
/** As sections name a topic: `Rate limiting: text`. */
const name = /^[^:：]{1,80}(?:：\s*|:\s+)(?=\S)/u;

/** Whether an item has a letter or a digit besides a type tag and the message that it names. */
export function hasWord(item: string): boolean {
  return letterOrDigit.test(bare(item));
}

/** The items of the lines of an answer, as they are read: headings, and items with the mark `- `. Linear. */
export function itemWords(lines: readonly string[]): readonly ItemWords[] {
  let role: ItemWords["role"] = "other";
  const items: ItemWords[] = [];
  for (const line of lines)
    if (line.startsWith("## ")) role = line === "## Topics" ? "topic" : "other";
    else if (line.startsWith("- ")) {
      const text = bare(line);
      const said = text.replace(name, "");
      items.push({ text, said, all: wordKeysInOrder(text), keys: wordKeysInOrder(said), role });
    }
  return items;
}

/** Whether what is said has no letter and no digit, as `Deploy: ✅`. */
export function isSigns({ said }: ItemWords): boolean {
  return !letterOrDigit.test(said);
}

function bare(item: string): string {
  return item.slice(2).replace(message, "").replaceAll(typeTag, "").trim();
}

const digits = /^[\p{N}._'’/-]+$/u;
const han = /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]/u;
const hangul = /^\p{Script=Hangul}/u;
const latin = /^[\p{Script=Latin}\p{N}]/u;
const joint = /[._'’/-]/u;
/** Characters of a stretch by which two forms of a word are known to be one, and of a number that says something alone. */
const stretch = 4;
const longNumber = 3;

/**
 * The forms under which a key of `wordKeys` is found again in another inflection: itself; its parts; how it begins; of scripts that write no spaces or inflect in
 * front, its stretches of four characters. None for a number of one or two digits. Linear.
 */
export function formsOf(key: string): readonly string[] {
  if (digits.test(key)) return key.length >= longNumber ? [key] : [];
  if (han.test(key)) return [key];
  if (hangul.test(key)) return key.length > 2 ? [key, `${key.slice(0, 2)}…`] : [key, `${key}…`];
  if (joint.test(key)) return [key, ...key.split(joint).flatMap(partForms)];
  return wordForms(key);
}

/** A short part, as `to` in `up-to-date`, ties nothing. */
function partForms(part: string): readonly string[] {
  return part.length < stretch || digits.test(part) ? [] : [...wordKeys(part)].flatMap(wordForms);
}

function wordForms(word: string): readonly string[] {
  if (word.length < stretch) return [word];
  if (latin.test(word)) return [word, `${word.slice(0, stretch)}…`];
  return Array.from({ length: word.length - stretch + 1 }, (_, at) => `…${word.slice(at, at + stretch)}…`);
}
