import type { Day } from "../base/calendar.ts";
import { isPreserved, topicKey } from "../base/memory-type.ts";
import { mergeRefs, type Ref } from "../base/refs.ts";
import type { RootSection } from "./root-format.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";

/** A line that ROOT.md could have. */
export interface RootCandidate {
  readonly section: RootSection;
  readonly text: string;
  /** The topic it is about; empty for a line about a period. */
  readonly topic: string;
  readonly refs: readonly Ref[];
  /** The passages of monthly nodes that it was compiled from. */
  readonly from: readonly PlacedPassage[];
  readonly value: number;
}

/** `- topic [type, Nd]: keywords → pointer` */
export function indexLine(topic: RootTopic, keywords: number): RootCandidate {
  const doubt = topic.type === "reference" && topic.age > 30 ? ", ?" : "";
  const words = topic.keywords.slice(0, keywords).join(", ");
  const pointer = topic.pointer === "" || words.includes(topic.pointer) ? "" : ` → ${topic.pointer}`;
  const text = `- ${topic.name} [${topic.type}, ${topic.age}d${doubt}]${words === "" ? "" : `: ${words}`}${pointer}`;
  return {
    section: "Topics Index",
    text,
    topic: topic.key,
    refs: topic.refs,
    from: topic.entries.length > 0 ? topic.entries : topic.details,
    value: valueOf(topic),
  };
}

/** What a reader gains by finding the topic here: its mass, how fresh it is, its type, and how much it says. */
function valueOf(topic: RootTopic): number {
  const told = 0.15 + 0.85 * Math.min(1, topic.keywords.length / 8);
  const fresh = 0.4 + 1 / (1 + topic.age / 45);
  const kind = isPreserved(topic.type) ? 4 : topic.type === "reference" ? 0.9 : topic.progress === "done" ? 0.5 : 1;
  return Math.log2(2 + topic.weight) * fresh * kind * told;
}

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

/** One line for each run of months, naming what happened before the active days. */
export function historyRuns(topics: readonly RootTopic[], density: HistoryDensity): readonly HistoryRun[] {
  const byMonth = new Map<string, RootTopic[]>();
  // `user` and `feedback` belong into the index, and never into history alone.
  for (const topic of topics.filter((candidate) => !isPreserved(candidate.type)))
    for (const month of new Set(topic.days.filter((day) => day < density.before).map((day) => day.slice(0, 7)))) {
      const list = byMonth.get(month);
      if (list === undefined) byMonth.set(month, [topic]);
      else list.push(topic);
    }
  const months = [...byMonth.keys()].toSorted();
  const runs: HistoryRun[] = [];
  for (let end = months.length; end > 0; end -= density.months)
    runs.unshift(historyRun(months.slice(Math.max(0, end - density.months), end), byMonth, density));
  return runs;
}

function historyRun(
  months: readonly string[],
  byMonth: ReadonlyMap<string, readonly RootTopic[]>,
  density: HistoryDensity,
): HistoryRun {
  const found = new Map(
    months.flatMap((month) => (byMonth.get(month) ?? []).map((topic): [string, RootTopic] => [topic.key, topic])),
  );
  const topics = [...found.values()]
    .toSorted(
      (a, b) =>
        Number(density.leftOut.has(b.key)) - Number(density.leftOut.has(a.key)) ||
        b.weight - a.weight ||
        (a.key < b.key ? -1 : 1),
    )
    .slice(0, density.topics);
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

export function refsOf(passages: readonly PlacedPassage[]): readonly Ref[] {
  return mergeRefs(passages.flatMap((passage) => passage.refs));
}

export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = Array.from(text)
    .slice(0, most - 1)
    .join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > most * 0.6 ? cut.slice(0, space) : cut).replace(/[\s,;:–—-]+$/u, "")}…`;
}

export function byValue(a: RootCandidate, b: RootCandidate): number {
  return b.value - a.value || (topicKey(a.text) < topicKey(b.text) ? -1 : 1);
}
