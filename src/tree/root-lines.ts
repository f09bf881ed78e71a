import { addDays, type Day } from "../base/calendar.ts";
import { isPreserved, topicKey } from "../base/memory-type.ts";
import { dayOfRef, mergeRefs, type Ref } from "../base/refs.ts";
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

/** First and last day of what is active: the seven days that end today, or the newest day with a log when they are empty. */
export function activeDays(topics: readonly RootTopic[], today: Day): { readonly first: Day; readonly last: Day } {
  const first = addDays(today, -6);
  if (topics.some((topic) => topic.days.some((day) => day >= first))) return { first, last: "9999-12-31" };
  const newest =
    topics
      .map((topic) => topic.last)
      .toSorted()
      .at(-1) ?? today;
  return { first: newest, last: newest };
}

/** Characters of what is told in one line. */
export const longestDetail = 150;
/** Less than this says nothing; then the topic's keywords say more. */
const leastDetail = 12;

/** What is going on: for each topic of the active days the newest and weightiest thing that is told of it. */
export function activeLines(
  topics: readonly RootTopic[],
  window: { readonly first: Day; readonly last: Day },
): readonly RootCandidate[] {
  return topics
    .map((topic): RootCandidate | undefined => {
      const inWindow = (passage: PlacedPassage): boolean =>
        passage.refs.some((ref) => dayOfRef(ref) >= window.first && dayOfRef(ref) <= window.last);
      const told = topic.details
        .filter((passage) => inWindow(passage) && textOf(passage) !== "")
        .toSorted((a, b) => roleValue(b) - roleValue(a));
      const entries = topic.entries.filter(inWindow);
      const says = told.slice(0, 2).reduce((length, passage) => length + textOf(passage).length, 0);
      const chosen = says >= leastDetail || entries.length === 0 ? told.slice(0, 2) : entries.slice(0, 1);
      const fallback = chosen.every((passage) => textOf(passage) === "") ? told.slice(0, 2) : chosen;
      const from = fallback.length > 0 ? fallback : entries.slice(0, 1);
      if (from.length === 0) return undefined;
      const text = shorten(
        from
          .map(textOf)
          .filter((part, index, all) => all.indexOf(part) === index)
          .join("; "),
        longestDetail,
      );
      const value =
        (isPreserved(topic.type) ? 2 : 1) +
        Math.log2(1 + topic.weight) +
        (topic.progress === "done" ? -0.5 : 0.5) -
        topic.age * 0.15;
      return {
        section: "Active Context (recent ~7 days)",
        text: `- ${topic.name}: ${text === "" ? `on ${topic.last}` : text}`,
        topic: topic.key,
        refs: refsOf(from),
        from,
        value,
      };
    })
    .filter((line) => line !== undefined)
    .toSorted(byValue);
}

export function textOf(passage: PlacedPassage): string {
  if (passage.role !== "preserved") return passage.text;
  const line = passage.lines.slice(1).find((candidate) => !/^\s*(?:$|`{3}|~{3})/u.test(candidate.text));
  return (line?.text ?? "").replace(/^\s*[-*]\s+/u, "").replaceAll("**", "");
}

/** A word or two say little, whatever their role. */
function roleValue(passage: PlacedPassage): number {
  if (passage.role !== "preserved" && passage.text.length < 16) return 0.5;
  return { preserved: 5, open: 4, decision: 3, done: 2, lesson: 2, note: 1, topic: 0, entity: 0 }[passage.role];
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
