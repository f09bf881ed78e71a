import { greatest } from "../../base/lists.ts";
import { shown } from "../../text/shown.ts";
import { wordKeysInOrder } from "../../text/word-keys.ts";
import { type AnswerFinding, refusal } from "../../tree/answers/record.ts";

interface ItemWords {
  /** As written, without its list marker. */
  readonly text: string;
  /** The text after the item's name, or all of it if there is no name. */
  readonly said: string;
  /** Keys of all its words, with repetitions. */
  readonly all: readonly string[];
  readonly keys: readonly string[];
  /** The item names a topic in the topics section, where the name alone is enough. */
  readonly isTopic: boolean;
}

const typeTag = /\[(?:project|feedback|user|reference)\]/gu;
const letterOrDigit = /[\p{L}\p{N}]/u;
/** How thread answers name a message: `#12 user: text`. */
const message = /^#\d{1,10}(?![\p{L}\p{N}])[\s:]*(?:(?:user|assistant|system|tool):\s*)?/u;
/** How sections name a topic: `Rate limiting: text`. */
const name = /^[^:：]{1,80}(?:：\s*|:\s+)(?=\S)/u;

function bare(item: string): string {
  return item.slice(2).replace(message, "").replaceAll(typeTag, "").trim();
}

/** Whether an item has a letter or digit besides type tags and the message it names. */
export function hasWord(item: string): boolean {
  return letterOrDigit.test(bare(item));
}

/** The items among an answer's lines, which are headings and items with the marker `- `. Linear time. */
export function itemWords(lines: readonly string[]): readonly ItemWords[] {
  let isTopic = false;
  return lines.flatMap((line): readonly ItemWords[] => {
    if (line.startsWith("## ")) isTopic = line === "## Topics";
    if (!line.startsWith("- ")) return [];
    const text = bare(line);
    const said = text.replace(name, "");
    return [{ text, said, all: wordKeysInOrder(text), keys: wordKeysInOrder(said), isTopic }];
  });
}

/** An item repeats a word if the word occurs at least this often and makes up at least half of the words. */
const often = 3;
/** An item of at least `leastWords` words repeats itself if less than `leastDifferent` of them are distinct. */
const leastWords = 6;
const leastDifferent = 0.4;
/** Minimum items for a majority with the same words to count as repetition. */
const leastAlike = 4;

/**
 * Refuses an answer that repeats itself: most non-topic items repeat one or a few words, or, with at least four items, most have the same words as
 * another in any order. Linear time.
 */
export function repetitiveFindings(items: readonly ItemWords[]): readonly AnswerFinding[] {
  const found = (seen: string, item: ItemWords | undefined): readonly AnswerFinding[] => [
    refusal(
      "repetitive",
      `${seen}, such as "${exampleOf(item)}"; state what the sources say, and each point only once.`,
    ),
  ];
  const others = items.filter(({ isTopic }) => !isTopic);
  const repeating = others.filter(({ keys }) => repeats(keys));
  if (repeating.length * 2 > others.length)
    return found(`${repeating.length} of ${others.length} items of the answer repeat the same words`, repeating[0]);
  const seen = new Set<string>();
  const again = items.filter(({ all, text }) => {
    const key = all.length === 0 ? text : [...new Set(all)].toSorted().join(" ");
    return seen.size === seen.add(key).size;
  });
  if (items.length >= leastAlike && again.length * 2 > items.length)
    return found(`${again.length} of ${items.length} items of the answer repeat the words of an earlier one`, again[0]);
  return [];
}

function repeats(keys: readonly string[]): boolean {
  const most = greatest(Array.from(Map.groupBy(keys, (key) => key).values(), (same) => same.length));
  const isOneWord = most >= often && most * 2 >= keys.length;
  return isOneWord || (keys.length >= leastWords && new Set(keys).size < keys.length * leastDifferent);
}

/** If fewer words with letters than this follow a name, the name is checked too. */
const leastSaid = 3;

/**
 * Refuses an answer in which most items share no word with the sources: more than half of all, or at least two and more than half of the non-topic
 * items. Inflections of a word are treated as equal. Items with only function words or numbers of one or two digits are not judged; an answer with
 * only such items is refused. Adding sources, or items taken from them, never causes a refusal. Linear time.
 */
export function unrelatedFindings(items: readonly ItemWords[], sources: readonly string[]): readonly AnswerFinding[] {
  if (items.length === 0) return [];
  const index = indexOf(sources);
  const judged = items.flatMap((item) => {
    const isTied = isTiedTo(item, index);
    return isTied === undefined ? [] : [{ item, isTied }];
  });
  const others = judged.filter(({ item }) => !item.isTopic);
  const loose = judged.filter(({ isTied }) => !isTied);
  const looseOthers = others.filter(({ isTied }) => !isTied);
  const isMost = loose.length * 2 > judged.length || judged.length === 0;
  const isMostOfOthers = looseOthers.length > 1 && looseOthers.length * 2 > others.length;
  if (!isMost && !isMostOfOthers) return [];
  const [found, of] = isMost ? [loose, judged] : [looseOthers, others];
  const example = exampleOf(found[0]?.item ?? items[0]);
  const seen =
    of.length === 0
      ? `No item of the answer, such as "${example}", has a word that could be in the sources`
      : `${found.length} of ${of.length} items of the answer share no word with the sources, such as "${example}"`;
  return [refusal("unrelated", `${seen}; say what the sources say, and write in the language of the sources.`)];
}

const signs = /[^\p{L}\p{N}\p{M}\p{Cf}\s]/gu;

/** The forms of the sources' words, and their symbols: an item may consist of symbols alone if the sources contain them. */
function indexOf(sources: readonly string[]): ReadonlySet<string> {
  const keys = new Set(sources.flatMap(wordKeysInOrder));
  return new Set([...[...keys].flatMap(formsOf), ...sources.flatMap((source) => source.match(signs) ?? [])]);
}

/** Whether an item has a word from the sources; `undefined` if there is nothing to judge. */
function isTiedTo({ said, keys, all }: ItemWords, index: ReadonlySet<string>): boolean | undefined {
  // No letters or digits, such as `Deploy: ✅`.
  if (!letterOrDigit.test(said)) return (said.match(signs) ?? []).every((sign) => index.has(sign));
  const isShort = keys.filter((key) => /\p{L}/u.test(key)).length < leastSaid;
  const wanted = (isShort ? all : keys).map(formsOf).filter((forms) => forms.length > 0);
  return wanted.length === 0 ? undefined : wanted.some((forms) => forms.some((form) => index.has(form)));
}

/** The number of characters that identify two forms of the same word. */
const stretch = 4;

/**
 * The forms under which a key of `wordKeys` matches other inflections: the key itself; for Latin and Korean words also the beginning; for others
 * every sequence of four characters. None for a number of one or two digits. Linear time.
 */
function formsOf(key: string): readonly string[] {
  if (/^[\p{N}._'’/-]+$/u.test(key)) return key.length > 2 ? [key] : [];
  if (/^\p{Script=Hangul}/u.test(key)) return [key, `${key.slice(0, 2)}…`];
  if (/^\p{Script=Latin}/u.test(key)) return [key, `${key.slice(0, stretch)}…`];
  const pieces = Array.from(
    { length: Math.max(0, key.length - stretch + 1) },
    (_, at) => `…${key.slice(at, at + stretch)}…`,
  );
  return [key, ...pieces];
}

const longestExample = 60;

function exampleOf(item: ItemWords | undefined): string {
  return shown(item?.text ?? "", longestExample).replaceAll('"', " ");
}
