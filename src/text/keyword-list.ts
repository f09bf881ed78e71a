import { topicKey } from "../base/memory-type.ts";

/** Keywords of a topic at most. */
export const mostKeywords = 12;

/**
 * Lists of keywords, taken in turns, without repeats and without words that stand in a longer keyword (`Figma` beside `Figma plugin`), at most so many.
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
