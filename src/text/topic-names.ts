import { detached } from "../base/lines.ts";
import { topicKey } from "../base/memory-type.ts";
import { wordKeys } from "./word-keys.ts";

/**
 * What makes two names of topics name the same thing: their words, whatever the inflection and the order. Names of one word also need as many words
 * in all: `calls` is not `on call`.
 */
export function nameKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const words = [...wordKeys(name)].toSorted();
  const count = words.length === 1 ? ` ${name.trim().split(/\s+/u).length}` : "";
  const key = words.length === 0 ? topicKey(name) : words.join(" ") + count;
  if (keys.size >= mostKeys) keys.clear();
  keys.set(detached(name), key);
  return key;
}

/** Names come again and again; forgetting them changes no result. */
const keys = new Map<string, string>();
const mostKeys = 20_000;

/**
 * Things grouped by the topic that they name, in the order in which the topics come. A name that `isExact` says of stands for itself: what people say of
 * themselves is not merged by its words.
 */
export function groupByName<T extends { readonly topic: string }>(
  things: readonly T[],
  isExact: (thing: T) => boolean,
): readonly (readonly T[])[] {
  const exact = new Set(things.filter(isExact).map(({ topic }) => topicKey(topic)));
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const own = topicKey(thing.topic);
    const key = exact.has(own) ? `=${own}` : nameKey(thing.topic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [thing]);
    else group.push(thing);
  }
  return [...groups.values()];
}
