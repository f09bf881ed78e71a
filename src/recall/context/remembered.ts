import type { Origin, MemoryType } from "../../base/memory-type.ts";
import { daysBetween, isDay, type Day } from "../../base/calendar.ts";
import { standingOf } from "../../base/memory-type.ts";
import { remembering } from "../../base/lines.ts";
import { sentencesOf } from "../../text/extract/sentences.ts";
import { nameKey, sharedKeys, wordKeys } from "../../text/word-keys.ts";

/** Days after which a project passage may be out of date, and a reference has to be looked at again. */
const freshDays = 30;

/** Whole days from its day to today; 0 for a day that is still to come; `null` without a day. */
export function ageOf(day: string, today: Day): number | null {
  return isDay(day) ? Math.max(0, daysBetween(day, today)) : null;
}

/** That a passage is old. `user` and `feedback` do not age, where they count as such. */
export function agedWarning(
  { type: named, origin, day }: { readonly type: MemoryType; readonly origin: Origin | ""; readonly day: string },
  today: Day,
): RecallWarning | null {
  const { type } = standingOf(named, origin || undefined);
  if ((ageOf(day, today) ?? 0) <= freshDays || (type !== "project" && type !== "reference")) return null;
  return type === "project"
    ? { is: "stale", says: `A project note older than ${freshDays} days: it may be over or changed.` }
    : { is: "unverified", says: `A reference older than ${freshDays} days: look whether it still holds.` };
}

export interface RecallWarning {
  readonly is: "stale" | "unverified" | "superseded";
  /** One sentence. */
  readonly says: string;
}

/** What shows that two passages are about one thing. */
export interface Topical {
  readonly type: MemoryType;
  readonly heading: string;
  /** Who speaks; `null` outside conversations. */
  readonly speaker: string | null;
  readonly text: string;
}

/** Words that two clauses share at least when they are about one thing, and that each of them has. */
const [leastShared, leastWords] = [2, 3];
/** Characters of an entry that states few things. */
const fewThings = 400;

/**
 * Whether two passages are about one thing: notes below the same heading, or a clause of each that share half of their words. Where one is an entry of a
 * few facts, it is enough to share half of the words of the shorter clause; in long notes and conversations too much would.
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

/** In conversations a heading names no topic. */
function haveOneHeading(a: Topical, b: Topical): boolean {
  const areNotes = a.speaker === null && b.speaker === null;
  return areNotes && a.heading !== "" && nameKey(a.heading) === nameKey(b.heading);
}

function isFact({ type, speaker }: Topical): boolean {
  return type !== "project" && speaker === null;
}

const keysOf = remembering(wordKeys, 2000);

/** Of each sentence and each of its clauses, without headings. */
const keysOfClauses = remembering((text): readonly ReadonlySet<string>[] => {
  const lines = text.split(/\n| … /u).filter((line) => !line.startsWith("#"));
  return lines
    .flatMap(sentencesOf)
    .flatMap((sentence) => [...new Set([sentence, ...sentence.split(/[,;:，、；：]\s*/u)])])
    .map(wordKeys)
    .filter(({ size }) => size >= leastWords);
}, 2000);
