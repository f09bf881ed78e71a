import type { Day } from "../base/calendar.ts";
import { dayOfRef } from "../base/refs.ts";
import { saysTheSame } from "../base/word-keys.ts";
import { newestDay, type Said } from "./root-said.ts";

/** Something that is still to be done. */
export interface OpenItem {
  /** The day on which it was said first. */
  readonly since: Day;
  /** The newest that was said of it. */
  readonly last: Said;
  /** All that was said of it, newest first. */
  readonly from: readonly Said[];
}

/** The open items of a topic that nothing newer closes, newest first. `said`: everything told of it, newest first. */
export function openItems(said: readonly Said[]): readonly OpenItem[] {
  const items: { readonly last: Said; readonly from: Said[] }[] = [];
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
function closes(newer: Said, item: Said): boolean {
  if (newer.passage.role !== "done" || unfinished.test(newer.text)) return false;
  return newer.day > item.day || saysTheSame(newer.keys, item.keys);
}

const unfinished =
  /^(?:in progress|ongoing|started|blocked|pending|waiting|paused|open|wip|partly|half|진행|작업 중|대기|보류|進行中|対応中|作業中|保留|进行中|处理中)/iu;

/** The first day of the same words. What only sounds alike is no older mention of it. */
function sinceOf(from: readonly Said[]): Day {
  const [last] = from;
  const same = from.filter(({ keys }) => [...keys].join(" ") === [...(last?.keys ?? [])].join(" "));
  const days = same.flatMap(({ passage }) => passage.refs.map(dayOfRef));
  return days.toSorted()[0] ?? (last === undefined ? "" : newestDay(last.passage));
}
