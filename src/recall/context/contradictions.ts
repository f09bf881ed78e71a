import { nameKey } from "../../base/topic-names.ts";
import { wordKeys } from "../../base/word-keys.ts";
import { changesIn, type Change } from "./change-words.ts";
import { claimsIn, type Claim } from "./claims.ts";
import type { Remembered } from "./remembered.ts";

/** Two passages of which the newer says otherwise. The numbers are places in the list that was given. */
export interface Contradiction {
  readonly older: number;
  readonly newer: number;
  readonly was: string;
  /** Empty when it is only over. */
  readonly now: string;
}

/**
 * What newer passages say otherwise than older ones: the same thing with another value, or a change away from what the older one says. Rather none
 * than a wrong one. Passages without a day and of the same day are never compared. One for each older passage: the newest.
 */
export function contradictionsAmong(passages: readonly Remembered[]): readonly Contradiction[] {
  const found = [...byClaims(passages), ...byChanges(passages)];
  const newest = new Map<number, Contradiction>();
  for (const one of found) {
    const known = newest.get(one.older);
    if (known === undefined || dayAt(passages, one.newer) > dayAt(passages, known.newer)) newest.set(one.older, one);
  }
  return [...newest.values()].toSorted((a, b) => a.older - b.older);
}

function dayAt(passages: readonly Remembered[], index: number): string {
  return passages[index]?.day ?? "";
}

interface Placed {
  readonly index: number;
  readonly day: string;
  readonly claim: Claim;
}

function byClaims(passages: readonly Remembered[]): readonly Contradiction[] {
  const groups = new Map<string, Placed[]>();
  for (const [index, { day, heading, text }] of passages.entries()) {
    if (day === "") continue;
    for (const claim of claimsOf(text)) {
      const below = claim.holds === "everywhere" ? "" : nameKey(heading);
      if (claim.holds !== "everywhere" && below === "") continue;
      const key = `${claim.kind}\n${claim.key}\n${below}`;
      groups.set(key, [...(groups.get(key) ?? []), { index, day, claim }]);
    }
  }
  return [...groups.values()].flatMap(changedIn);
}

function claimsOf(text: string): readonly Claim[] {
  const claims = text.split("\n").flatMap(claimsIn);
  // A text that says two values of the same thing lists them.
  return claims.filter(({ key }) => claims.filter((other) => other.key === key).length === 1);
}

/** Of one thing: what was said last, against what was said otherwise before. */
function changedIn(group: readonly Placed[]): readonly Contradiction[] {
  const inOrder = group.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.index - b.index));
  const last = inOrder.at(-1);
  if (last === undefined || inOrder.some(({ day, claim }) => day === last.day && claim.value !== last.claim.value))
    return [];
  return inOrder
    .filter(({ day, claim }) => day < last.day && claim.value !== last.claim.value)
    .map(({ index, claim }) => ({ older: index, newer: last.index, was: claim.said, now: last.claim.said }));
}

function byChanges(passages: readonly Remembered[]): readonly Contradiction[] {
  return passages.flatMap((newer, at) => {
    const changes = newer.day === "" ? [] : changesIn(newer.text);
    return changes.flatMap((change) =>
      passages.flatMap((older, index): readonly Contradiction[] => {
        if (older.day === "" || older.day >= newer.day || !isLeft(older, newer, change)) return [];
        return [{ older: index, newer: at, was: change.from, now: change.to }];
      }),
    );
  });
}

/** Words that two texts share besides what changed, when they stand below different headings. */
const leastShared = 2;

/** Whether the older text says what the change leads away from, of the same thing. */
function isLeft(older: Remembered, newer: Remembered, { from, to }: Change): boolean {
  if (!older.text.toLowerCase().includes(from.toLowerCase())) return false;
  const [gone, come] = [wordKeys(from), wordKeys(to)];
  const said = wordKeys(older.text);
  if (gone.size === 0 || ![...gone].every((key) => said.has(key))) return false;
  if (come.size > 0 && [...come].every((key) => said.has(key))) return false;
  if (changesIn(older.text).some((change) => change.from.toLowerCase() === from.toLowerCase())) return false;
  const heading = nameKey(older.heading);
  if (heading !== "" && heading === nameKey(newer.heading)) return true;
  const shared = [...wordKeys(newer.text)].filter((key) => said.has(key) && !gone.has(key) && !come.has(key));
  const least = older.text.length <= oneThing && isName(from) ? 1 : leastShared;
  return shared.length >= least && older.text.length <= longestOlder;
}

/** Characters. A long text says many things; only of a short one do shared words tell that it speaks of the same. */
const longestOlder = 400;
const oneThing = 120;

/** A name is seldom said of two things: `Jenkins`, `node 20`, `eu-west-1`. */
function isName(thing: string): boolean {
  return /^\p{Lu}|[\d_.-]/u.test(thing);
}
