import type { Origin, MemoryType } from "../../base/memory-type.ts";
import { daysBetween, isDay, type Day } from "../../base/calendar.ts";
import { standingOf } from "../../base/memory-type.ts";
import { remembering } from "../../base/lines.ts";
import { sentencesOf } from "../../text/extract/sentences.ts";
import { nameKey, sharedKeys, wordKeys } from "../../text/word-keys.ts";

/** After this many days, a project passage may be out of date and a reference needs rechecking. */
const freshDays = 30;

/** Whole days from a day to today; 0 for a future day; `null` without a day. */
export function ageOf(day: string, today: Day): number | null {
  return isDay(day) ? Math.max(0, daysBetween(day, today)) : null;
}

/** A warning that a passage is old. Entries that count as `user` or `feedback` do not age. */
export function agedWarning(
  { type: named, origin, day }: { readonly type: MemoryType; readonly origin: Origin | ""; readonly day: string },
  today: Day,
): RecallWarning | null {
  const { type } = standingOf(named, origin || undefined);
  if ((ageOf(day, today) ?? 0) <= freshDays || (type !== "project" && type !== "reference")) return null;
  return type === "project"
    ? { is: "stale", says: `A project note older than ${freshDays} days: it may be finished or outdated.` }
    : { is: "unverified", says: `A reference older than ${freshDays} days: check whether it is still valid.` };
}

export interface RecallWarning {
  readonly is: "stale" | "unverified" | "superseded";
  /** One sentence. */
  readonly says: string;
}

/** What `isOneTopic` compares. */
export interface Topical {
  readonly type: MemoryType;
  readonly heading: string;
  /** The speaker; `null` outside conversations. */
  readonly speaker: string | null;
  readonly text: string;
}

/** Minimum number of words that two clauses on the same topic share, and minimum number of words in each. */
const [leastShared, leastWords] = [2, 3];
/** An entry of up to this many characters counts as short: it states only a few facts. */
const fewThings = 400;

/**
 * Whether two passages are about the same thing: notes under the same heading, or passages where a clause of each shares at least half the words of the longer
 * clause. If both passages are short and one is a fact, half of the shorter clause is enough; in long notes and conversations that would match too much.
 */
export function isOneTopic(a: Topical, b: Topical): boolean {
  if (haveOneHeading(a, b)) return true;
  const areShort = a.text.length <= fewThings && b.text.length <= fewThings;
  const sizeOf = areShort && (isFact(a) || isFact(b)) ? Math.min : Math.max;
  if (sharedKeys(keysOf(a.text), keysOf(b.text)) < leastShared) return false;
  const others = keysOfClauses(b.text);
  return keysOfClauses(a.text).some((one) =>
    others.some((other) => {
      const shared = sharedKeys(one, other);
      return shared >= leastShared && shared * 2 >= sizeOf(one.size, other.size);
    }),
  );
}

/** Only notes are compared: in a conversation the heading is not a topic. */
function haveOneHeading(a: Topical, b: Topical): boolean {
  const areNotes = a.speaker === null && b.speaker === null;
  return areNotes && a.heading !== "" && nameKey(a.heading) === nameKey(b.heading);
}

function isFact({ type, speaker }: Topical): boolean {
  return type !== "project" && speaker === null;
}

const keysOf = remembering(wordKeys, 2000);

/** The word keys of each sentence and of each of its clauses, without headings. */
const keysOfClauses = remembering((text): readonly ReadonlySet<string>[] => {
  const lines = text.split(/\n| … /u).filter((line) => !line.startsWith("#"));
  return lines
    .flatMap(sentencesOf)
    .flatMap((sentence) => [...new Set([sentence, ...sentence.split(/[,;:，、；：]\s*/u)])])
    .map(wordKeys)
    .filter(({ size }) => size >= leastWords);
}, 2000);

/** What the reader of a result already knows. */
export interface Known {
  /** Everything in the reader's context, by `wordsOnly`. */
  readonly seen: string;
  /** Whether a source is the reader's own conversation. */
  isOwn(row: { readonly source: string; readonly heading: string; readonly lines: readonly [number, number] }): boolean;
}

export const nothingKnown: Known = { seen: "", isOwn: () => false };
