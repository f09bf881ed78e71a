import type { Day } from "../../base/calendar.ts";
import { isPreserved } from "../../base/memory-type.ts";
import { mergeRefs, type Ref } from "../../base/refs.ts";
import type { RootCandidate } from "./root-lines.ts";
import type { RootTopic } from "./root-topics.ts";

/** How much of history is told: months a line, topics a line, and the topics that stand nowhere else, which go first. */
export interface HistoryDensity {
  readonly before: Day;
  readonly months: number;
  readonly topics: number;
  readonly leftOut: ReadonlySet<string>;
}

/** A run of months with the topics that are named for it. */
export interface HistoryRun {
  readonly text: string;
  readonly months: ReadonlySet<string>;
  readonly topics: readonly RootTopic[];
}

/** One line for each run of months, naming what happened before the active days. A topic stands in the run in which it came up most, the later of two. */
export function historyRuns(topics: readonly RootTopic[], density: HistoryDensity): readonly HistoryRun[] {
  // `user` and `feedback` belong into the index, and never into history alone.
  const past = topics
    .filter(({ type }) => !isPreserved(type))
    .map((topic) => ({ topic, days: topic.days.filter((day) => day < density.before) }));
  const runs = runsOf([...new Set(past.flatMap(({ days }) => days.map(monthOf)))].toSorted(), density.months);
  const runOf = new Map(runs.flatMap((months, run) => months.map((month): [string, number] => [month, run])));
  const told = runs.map((): Told[] => []);
  for (const { topic, days } of past) {
    const counts = new Map<number, number>();
    for (const day of days) {
      const run = runOf.get(monthOf(day)) ?? 0;
      counts.set(run, (counts.get(run) ?? 0) + 1);
    }
    const [main] = [...counts].toSorted(([a, x], [b, y]) => y - x || b - a);
    if (main !== undefined) told[main[0]]?.push({ topic, share: main[1] / topic.days.length });
  }
  return runs.map((months, run) => historyRun(months, told[run] ?? [], density)).filter((run) => run.topics.length > 0);
}

interface Told {
  readonly topic: RootTopic;
  /** The part of its days that lies in the run. */
  readonly share: number;
}

function monthOf(day: Day): string {
  return day.slice(0, 7);
}

/** Months in runs of so many, the last run whole. */
function runsOf(months: readonly string[], length: number): readonly (readonly string[])[] {
  const runs: (readonly string[])[] = [];
  for (let end = months.length; end > 0; end -= length) runs.unshift(months.slice(Math.max(0, end - length), end));
  return runs;
}

function historyRun(months: readonly string[], told: readonly Told[], density: HistoryDensity): HistoryRun {
  const isLeftOut = ({ topic }: Told): number => Number(density.leftOut.has(topic.key));
  const topics = told
    .toSorted(
      (a, b) =>
        isLeftOut(b) - isLeftOut(a) ||
        b.topic.weight * b.share - a.topic.weight * a.share ||
        (a.topic.key < b.topic.key ? -1 : 1),
    )
    .slice(0, density.topics)
    .map(({ topic }) => topic);
  const [first = "", last = ""] = [months[0], months.at(-1)];
  const label =
    first === last ? first : first.slice(0, 4) === last.slice(0, 4) ? `${first}~${last.slice(5)}` : `${first}~${last}`;
  const names = topics.map((topic) => (topic.progress === "done" ? `${topic.name} (done)` : topic.name));
  return { text: `- ${label}: ${names.join(", ")}`, months: new Set(months), topics };
}

/** A run as a line of ROOT.md, with where it comes from. */
export function historyLine({ text, months, topics }: HistoryRun): RootCandidate {
  const inRun = (ref: Ref): boolean => months.has(ref.log.slice(0, 7));
  const from = topics.flatMap((topic) =>
    (topic.entries.length > 0 ? topic.entries : topic.details).filter((passage) => passage.refs.some(inRun)),
  );
  const refs = mergeRefs(from.flatMap((passage) => passage.refs.filter(inRun)));
  return { section: "Historical Summary", text, topic: "", refs, from, value: 1 };
}
