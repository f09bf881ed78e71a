import { daysBetween, type Day } from "../../base/calendar.ts";
import { dayOfRef } from "../../base/refs.ts";
import { saysTheSame } from "../../text/word-keys.ts";
import type { Sentence } from "./root-topics.ts";

/** Something that is still to be done. */
export interface OpenItem {
  /** The day on which it was said first. */
  readonly since: Day;
  /** The newest that was said of it. */
  readonly last: Sentence;
  /** All that was said of it, newest first. */
  readonly from: readonly Sentence[];
}

/** The open items of a topic that nothing newer closes, newest first. `said`: everything told of it, newest first. */
export function openItems(said: readonly Sentence[]): readonly OpenItem[] {
  const items: { readonly last: Sentence; readonly from: Sentence[] }[] = [];
  said.forEach((one, index) => {
    if (one.passage.role !== "open") return;
    if (said.slice(0, index).some((newer) => closes(newer, one))) return;
    const known = items.find(({ last }) => last.text === one.text || saysTheSame(last.keys, one.keys));
    if (known !== undefined) known.from.push(one);
    else items.push({ last: one, from: [one] });
  });
  return items.map(({ last, from }) => ({ last, from, since: sinceOf(from) }));
}

/** An outcome of a later day closes what was open before it; one of the same day only what it names. */
function closes(newer: Sentence, item: Sentence): boolean {
  if (newer.passage.role !== "done" || unfinished.test(newer.text)) return false;
  return newer.day > item.day || saysTheSame(newer.keys, item.keys);
}

/** A status is no outcome: what is under way closes nothing. */
const unfinished =
  /^(?:in progress|in review|ongoing|under way|started|blocked|pending|waiting|paused|open|wip|partly|half|draft|on staging|진행|작업 중|검토 중|대기|보류|進行中|対応中|作業中|確認中|保留|进行中|处理中)|\b(?:not yet|still|so far|until|halfway)\b|아직|まだ|尚未/iu;

/** Days after which an open item of which nothing more is heard is none any longer. */
export const longestCarried = 90;

/** The first day of the same words, without a longer silence since. What only sounds alike is no older mention of it. */
function sinceOf(from: readonly Sentence[]): Day {
  const [last] = from;
  const same = from.filter(({ keys }) => [...keys].join(" ") === [...(last?.keys ?? [])].join(" "));
  const days = same.flatMap(({ passage }) => passage.refs.map(dayOfRef)).toSorted();
  const newest = days.at(-1) ?? "";
  return days.toReversed().reduce((since, day) => (daysBetween(day, since) <= longestCarried ? day : since), newest);
}
