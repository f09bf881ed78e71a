import { isSame } from "../../text/word-keys.ts";
import type { Said } from "./root-said.ts";

/**
 * Groups of statements that say nearly the same, each newest first. Each statement goes to the group whose newest one it shares most words with
 * (leader clustering, Hartigan 1975): one pass, over an index of words.
 */
export function groupAlike(said: readonly Said[]): readonly (readonly Said[])[] {
  const groups: Said[][] = [];
  const byKey = new Map<string, number[]>();
  for (const one of said.toSorted(newestFirst)) {
    const found = leaderOf(one, groups, byKey);
    if (found !== undefined) {
      groups[found]?.push(one);
      continue;
    }
    for (const key of one.keys) {
      const list = byKey.get(key);
      if (list === undefined) byKey.set(key, [groups.length]);
      else list.push(groups.length);
    }
    groups.push([one]);
  }
  return groups;
}

/** Groups that one word leads to at most; a word of more groups says too little to look at all of them. */
const mostLed = 200;

function leaderOf(
  one: Said,
  groups: readonly (readonly Said[])[],
  byKey: ReadonlyMap<string, readonly number[]>,
): number | undefined {
  const shared = new Map<number, number>();
  for (const key of one.keys)
    for (const group of (byKey.get(key) ?? []).slice(0, mostLed)) shared.set(group, (shared.get(group) ?? 0) + 1);
  let best: { readonly group: number; readonly shared: number } | undefined;
  for (const [group, count] of shared) {
    const leader = groups[group]?.[0];
    if (leader === undefined || !isSame(count, leader.keys.size, one.keys.size)) continue;
    if (best === undefined || count > best.shared) best = { group, shared: count };
  }
  return best?.group;
}

function newestFirst(a: Said, b: Said): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
