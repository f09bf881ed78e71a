import { wordKeysInOrder } from "../../base/word-keys.ts";
import { shown } from "../../base/shown.ts";
import { formsOf, isSigns, type ItemWords } from "./item-words.ts";
import type { AnswerFinding } from "./request.ts";

/** Fewer words with a letter than this behind a name are looked at with the name. */
const leastSaid = 3;

/**
 * Refuses an answer most of whose items share no word with the sources: more than half of all, or at least two and more than half of those that are no topics. Two
 * forms of a word are one word. An item that has only function words or numbers of one or two digits counts on neither side; an answer of such items alone is refused.
 * More sources, and further items that the sources have, never refuse what was accepted. Linear in the texts.
 */
export function unrelatedFindings(items: readonly ItemWords[], sources: readonly string[]): readonly AnswerFinding[] {
  if (items.length === 0) return [];
  const index = indexOf(sources);
  const judged = items.flatMap((item) => {
    const tie = tieOf(item, index);
    return tie === "none_to_see" ? [] : [{ item, tie }];
  });
  const others = judged.filter(({ item }) => item.role === "other");
  const isTied = ({ tie }: { readonly tie: string }): boolean => tie === "tied";
  const loose = judged.filter((one) => !isTied(one));
  const looseOthers = others.filter((one) => !isTied(one));
  const isMost = loose.length * 2 > judged.length || judged.length === 0;
  const isMostOfOthers = looseOthers.length > 1 && looseOthers.length * 2 > others.length;
  if (!isMost && !isMostOfOthers) return [];
  const [found, of] = isMost ? [loose, judged] : [looseOthers, others];
  return [refusal(found[0]?.item ?? items[0], [found.length, of.length])];
}

interface SourceForms {
  readonly forms: ReadonlySet<string>;
  /** Signs that are no letters: what the sources tell with signs alone may be told so. */
  readonly signs: ReadonlySet<string>;
}

const letter = /\p{L}/u;
const signs = /[^\p{L}\p{N}\p{M}\p{Cf}\s]/gu;

function indexOf(sources: readonly string[]): SourceForms {
  const seen = new Set<string>();
  const forms = new Set<string>();
  const known = new Set<string>();
  for (const source of sources) {
    for (const [sign] of source.matchAll(signs)) known.add(sign);
    for (const key of wordKeysInOrder(source)) {
      if (seen.has(key)) continue;
      seen.add(key);
      for (const form of formsOf(key)) forms.add(form);
    }
  }
  return { forms, signs: known };
}

function tieOf(item: ItemWords, index: SourceForms): "tied" | "loose" | "none_to_see" {
  if (isSigns(item)) return (item.said.match(signs) ?? []).every((sign) => index.signs.has(sign)) ? "tied" : "loose";
  const isShort = item.keys.filter((key) => letter.test(key)).length < leastSaid;
  const wanted = (isShort ? item.all : item.keys).map(formsOf).filter((forms) => forms.length > 0);
  if (wanted.length === 0) return "none_to_see";
  return wanted.some((forms) => forms.some((form) => index.forms.has(form))) ? "tied" : "loose";
}

function refusal(item: ItemWords | undefined, [loose, of]: readonly [number, number]): AnswerFinding {
  const example = printable(item?.text ?? "");
  const seen =
    of === 0
      ? `No item of the answer, as "${example}", has a word that could stand in the sources`
      : `${loose} of ${of} items of the answer share no word with the sources, as "${example}"`;
  const message = `${seen}; say what the sources say, and write in the language of the sources.`;
  return { code: "unrelated", severity: "error", message, line: null };
}

/** Characters of an example in a message. */
const longest = 60;

/** Without secrets and without signs that a terminal would obey; no half of a character. */
export function printable(text: string): string {
  return shown(text, longest)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]/gu, " ");
}
