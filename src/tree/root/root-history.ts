import type { Day } from "../../base/calendar.ts";
import { isPreserved } from "../../base/memory-type.ts";
import type { Role } from "../../base/passage.ts";
import { compareRefs, dayOfRef, mergeRefs, type Ref } from "../../base/refs.ts";
import type { RootCandidate } from "./root-lines.ts";
import type { Statement } from "./root-statements.ts";
import type { RootTopic } from "./root-topics.ts";
import { isBare } from "./root-statements.ts";
import { quoted } from "../../text/extract/sentences.ts";

/** How detailed Historical Summary can be: months per line and topics per line. The first that fits is used. */
export const densities: readonly Pick<HistoryDensity, "months" | "topics" | "events">[] = [
  { months: 1, topics: 12, events: 8 },
  { months: 1, topics: 8, events: 4 },
  { months: 1, topics: 8 },
  { months: 1, topics: 5 },
  { months: 1, topics: 3 },
  { months: 3, topics: 8, events: 3 },
  { months: 3, topics: 10 },
  { months: 3, topics: 6 },
  { months: 6, topics: 8, events: 4 },
  { months: 6, topics: 10 },
  { months: 6, topics: 6 },
  { months: 12, topics: 8, events: 5 },
  { months: 12, topics: 10 },
  { months: 12, topics: 6 },
  { months: 1200, topics: 8 },
  { months: 1200, topics: 3 },
];

/** How dense history is. `leftOut`: the topics that appear nowhere else; they come first. */
export interface HistoryDensity {
  readonly before: Day;
  readonly months: number;
  readonly topics: number;
  /** How many of the topics get an event. Default: none. */
  readonly events?: number;
  readonly leftOut?: ReadonlySet<string>;
}

/** The part of a topic that history uses. */
export type HistoryTopic = Omit<RootTopic, "tag" | "naming" | "keywords" | "pointer" | "refs" | "age">;

/** A run of months with its topics. */
export interface HistoryRun {
  readonly text: string;
  readonly months: ReadonlySet<string>;
  readonly topics: readonly HistoryTopic[];
}

/**
 * One line per run of months about what happened before the active days. A topic appears in the run where it came up
 * most, the latest if tied.
 */
export function historyRuns(topics: readonly HistoryTopic[], density: HistoryDensity): readonly HistoryRun[] {
  // `user` and `feedback` belong in the index, never in history alone.
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
  readonly topic: HistoryTopic;
  /** The share of the topic's days that fall into the run. */
  readonly share: number;
}

function monthOf(day: Day): string {
  return day.slice(0, 7);
}

/** Splits months into runs of `length`; only the first may be shorter. */
function runsOf(months: readonly string[], length: number): readonly (readonly string[])[] {
  const runs: (readonly string[])[] = [];
  for (let end = months.length; end > 0; end -= length) runs.unshift(months.slice(Math.max(0, end - length), end));
  return runs;
}

function historyRun(months: readonly string[], came: readonly Told[], density: HistoryDensity): HistoryRun {
  const isLeftOut = ({ topic }: Told): number => Number(density.leftOut?.has(topic.key) ?? false);
  const topics = came
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
  const told = topics
    .slice(0, density.events ?? 0)
    .flatMap((topic) => eventOf(topic, new Set(months), density.before) ?? []);
  const silent = topics.filter((topic) => !told.some((event) => event.topic === topic));
  const isDone = ({ progress, last: day }: HistoryTopic): boolean =>
    progress === "done" && months.includes(monthOf(day));
  const names = silent.map((topic) => (isDone(topic) ? `${topic.name} (done)` : topic.name)).join(", ");
  const text = [...told.map((event) => event.text), ...(names === "" ? [] : [names])].join("; ");
  return { text: `- ${label}: ${text}`, months: new Set(months), topics };
}

/** The most characters of an event. */
const longestEvent = 100;
const eventful: readonly Role[] = ["done", "outcome", "abandoned", "failed", "decision"];

/**
 * The outcome of a topic in these months, with its day: `launched with Stripe, 01-28`. A decision is left out if more
 * was said later, since it may have changed.
 */
function eventOf(
  topic: HistoryTopic,
  months: ReadonlySet<string>,
  before: Day,
): { readonly topic: HistoryTopic; readonly text: string } | undefined {
  const inRun = topic.statements.filter(({ day }) => day < before && months.has(monthOf(day)));
  const happened = inRun
    .filter(({ passage }) => eventful.includes(passage.role))
    .filter((one) => one.passage.role !== "done" || !topic.statements.some((other) => takesBack(other, one)))
    .filter(({ text }) => quoted(text, longestEvent) !== "");
  const told = happened.filter(
    (one) => one.passage.role !== "decision" || !topic.statements.some(({ day }) => day > one.day),
  );
  // Prefer words to a bare `done` of the same day. A `done` on a later day says more about the state than earlier
  // words.
  const said = told.find(({ text, day }) => !isBare(text) && day === told[0]?.day) ?? told[0];
  if (said === undefined) return undefined;
  const day =
    months.size === 1 || said.day.slice(0, 4) === [...months].at(-1)?.slice(0, 4) ? said.day.slice(5) : said.day;
  return { topic, text: `${topic.name}: ${quoted(said.text, longestEvent).replace(/[.。]$/u, "")}, ${day}` };
}

/** Whether a later state contradicts that the work is done: blocked, failed, abandoned, or an explicit status. */
function takesBack({ text, passage: { role, refs } }: Statement, done: Statement): boolean {
  if (!["blocked", "failed", "abandoned"].includes(role) && !(role === "outcome" && /^\p{L}+\s*[:：]/u.test(text)))
    return false;
  const [now, before] = [refs.at(-1), done.passage.refs.at(-1)];
  return now !== undefined && before !== undefined && compareRefs(now, before) > 0;
}

/** A run as a line of ROOT.md, with its sources. */
export function historyLine({ text, months, topics }: HistoryRun): RootCandidate {
  const inRun = (ref: Ref): boolean => months.has(ref.log.slice(0, 7));
  const from = topics.flatMap((topic) =>
    (topic.entries.length > 0 ? topic.entries : topic.details).filter((passage) => passage.refs.some(inRun)),
  );
  const refs = mergeRefs(from.flatMap((passage) => passage.refs.filter(inRun)));
  return { section: "Historical Summary", text, topic: "", refs, from, value: 1 };
}

/** Turns selected index lines into history topics: what a period was about, weighted by the number of refs. */
export function topicsOfLines(lines: readonly RootCandidate[]): readonly HistoryTopic[] {
  return lines.map((line): HistoryTopic => {
    const days = [...new Set(line.refs.map(dayOfRef))].toSorted();
    return {
      key: line.topic,
      name: line.text.slice(2, line.text.indexOf(" [project, ")),
      type: "project",
      progress: "active",
      statements: [],
      days,
      last: days.at(-1) ?? "",
      weight: line.refs.length,
      entries: line.from,
      details: [],
    };
  });
}
