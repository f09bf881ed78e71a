import { type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { nameKey } from "../../text/word-keys.ts";
import { dayOfRef, mergeRefs, type Ref } from "../../base/refs.ts";
import { indexLine, type RootCandidate, type RootLimits, RootSpace, singleLines } from "./root-lines.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import type { RootTopic } from "./root-topics.ts";
import type { NodeSummarizer } from "../extract/built-in-summarizer.ts";
import { activeDays, activeLines } from "./root-active.ts";
import { patternLines } from "./root-patterns.ts";
import { RootIndex } from "./root-index.ts";

interface ChoiceInputs {
  readonly topics: readonly RootTopic[];
  /** Topic lines of the monthlies that nobody named. */
  readonly found: readonly PlacedPassage[];
  readonly keys: NodeSummarizer["keys"];
  readonly day: Day;
  readonly limits: RootLimits;
  readonly count: (text: string) => number;
  /** ROOT.md without any line: what its front matter and headings take. */
  readonly frame: string;
}

/** How dense Historical Summary can be: months to a line and topics named in one. The first that fits is taken; nothing else leaves before the last. */
const densities = [
  { months: 1, topics: 8 },
  { months: 1, topics: 5 },
  { months: 1, topics: 3 },
  { months: 3, topics: 10 },
  { months: 3, topics: 6 },
  { months: 6, topics: 10 },
  { months: 6, topics: 6 },
  { months: 12, topics: 10 },
  { months: 12, topics: 6 },
  { months: 1200, topics: 8 },
  { months: 1200, topics: 3 },
] as const;

/** Over the cap the periods of history are merged before any topic leaves the index. */
const merged = densities.filter(({ months }) => months > 1);

/** Shares of the space for what is not index, when not everything fits. */
const shares = { active: 0.14, patterns: 0.12, history: 0.06 };

/** Tokens that no line of the index goes below. */
const leastLine = 6;

/** `user` and `feedback` first, then what is worth most. */
function byWorth(a: RootTopic, b: RootTopic): number {
  return (
    Number(isPreserved(b.type)) - Number(isPreserved(a.type)) ||
    indexLine(b, 12).value - indexLine(a, 12).value ||
    (a.key < b.key ? -1 : 1)
  );
}

/** Chooses the lines of ROOT.md. */
export class RootChoice {
  readonly space: RootSpace;
  readonly #inputs: ChoiceInputs;

  constructor(inputs: ChoiceInputs) {
    this.#inputs = inputs;
    this.space = new RootSpace(inputs.limits, inputs.count, inputs.frame);
  }

  run(): void {
    const { topics, day } = this.#inputs;
    const window = activeDays(topics, day);
    const active = activeLines(topics, window);
    const patterns = patternLines(topics, day);
    const named = topics.filter(({ naming }) => naming === "given").toSorted(byWorth);
    // What was found under a name that somebody gave stands in the line of that topic.
    const keys = new Set(named.map(({ name }) => nameKey(name)));
    const found = this.#inputs.found.filter(({ topic }) => !keys.has(nameKey(topic)));
    const others = [...active, ...patterns, ...named.map((topic) => indexLine(topic, 12))];
    const names = new Set(found.map(({ topic }) => topicKey(topic))).size;
    if (names * leastLine <= this.space.free) {
      const singles = singleLines({ day, topics: found });
      const past = [...named, ...topicsOfLines(singles, day)];
      if (this.#takeAll([...others, ...singles], { before: window.first, topics: past })) return;
    }
    const total = this.space.free;
    const taken = new Set(named.map(({ key }) => key));
    const index = new RootIndex(this.space, named, { ...this.#inputs, topics: found, names: taken });
    if (index.takePreserved() === "some") {
      const told = new Set(this.space.chosen.map(({ topic }) => topic));
      for (const line of [...others, ...singleLines({ day, topics: found })])
        if (!told.has(line.topic)) this.space.dropped.set(line, "user and feedback come first");
      return;
    }
    this.space.takeShare(active, total * shares.active);
    this.space.takeShare(patterns, total * shares.patterns);
    index.takeOthers(total * shares.history);
    const past = [...named, ...topicsOfLines(index.taken, day)];
    this.#takeHistory(past, { before: window.first, leftOut: index.leftOut() });
    index.takeRest();
    for (const line of [...active, ...patterns]) if (this.space.dropped.has(line)) this.space.take(line);
  }

  /** Takes everything with the most detailed history that fits; whether it did. */
  #takeAll(
    lines: readonly RootCandidate[],
    past: { readonly before: Day; readonly topics: readonly RootTopic[] },
  ): boolean {
    if (!this.space.fitsAll(lines)) return false;
    for (const density of densities) {
      const history = historyRuns(past.topics, { ...density, before: past.before, leftOut: new Set() });
      if (!this.space.fitsAll([...lines, ...history])) continue;
      for (const line of [...lines, ...history.map(historyLine)]) this.space.take(line);
      return true;
    }
    return false;
  }

  /** The densest history that fits into what is left. */
  #takeHistory(
    topics: readonly RootTopic[],
    of: { readonly before: Day; readonly leftOut: ReadonlySet<string> },
  ): void {
    for (const density of of.leftOut.size === 0 ? densities : merged) {
      const history = historyRuns(topics, { ...density, ...of });
      if (!this.space.fitsAll(history)) continue;
      for (const run of history) this.space.take(historyLine(run));
      return;
    }
    const shortest = historyRuns(topics, { ...of, months: 1200, topics: 3 });
    for (const run of shortest) this.space.dropped.set(historyLine(run), "no form of history fits");
  }
}

/** How much of history is told: months a line, topics a line, and the topics that stand nowhere else, which go first. */
interface HistoryDensity {
  readonly before: Day;
  readonly months: number;
  readonly topics: number;
  readonly leftOut: ReadonlySet<string>;
}

/** A run of months with the topics that are named for it. */
interface HistoryRun {
  readonly text: string;
  readonly months: ReadonlySet<string>;
  readonly topics: readonly RootTopic[];
}

/** One line for each run of months, naming what happened before the active days. A topic stands in the run in which it came up most, the later of two. */
function historyRuns(topics: readonly RootTopic[], density: HistoryDensity): readonly HistoryRun[] {
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
function historyLine({ text, months, topics }: HistoryRun): RootCandidate {
  const inRun = (ref: Ref): boolean => months.has(ref.log.slice(0, 7));
  const from = topics.flatMap((topic) =>
    (topic.entries.length > 0 ? topic.entries : topic.details).filter((passage) => passage.refs.some(inRun)),
  );
  const refs = mergeRefs(from.flatMap((passage) => passage.refs.filter(inRun)));
  return { section: "Historical Summary", text, topic: "", refs, from, value: 1 };
}

/** Chosen lines as topics of history: what a period was about, by how much of it they lead to. */
function topicsOfLines(lines: readonly RootCandidate[], day: Day): readonly RootTopic[] {
  return lines.map((line): RootTopic => {
    const days = [...new Set(line.refs.map(dayOfRef))].toSorted();
    const last = days.at(-1) ?? day;
    return {
      key: line.topic,
      name: line.text.slice(2, line.text.indexOf(" [project, ")),
      type: "project",
      naming: "found",
      progress: "active",
      keywords: [],
      pointer: "",
      refs: line.refs,
      days,
      last,
      age: Math.max(0, daysBetween(last, day)),
      weight: line.refs.length,
      entries: line.from,
      details: [],
    };
  });
}
