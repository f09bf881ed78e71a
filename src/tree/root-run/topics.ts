import { type Day, daysBetween } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { compareTexts } from "../../base/lists.ts";
import { topicKey, type MemoryType } from "../../base/memory-type.ts";
import type { Role } from "../../base/passage.ts";
import { dayOfRef, mergeRefs, type Ref } from "../../base/refs.ts";
import { redact } from "../../text/redact/redact.ts";
import { didYouMean, shown } from "../../text/shown.ts";
import { nameKey } from "../../text/word-keys.ts";
import { renamedTopic } from "../logs/records.ts";
import type { TreeMemory } from "../memory.ts";
import { builtInRule } from "../model/node-format.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { daysCovered, memoryFolder } from "../model/period.ts";
import {
  gatherMonths,
  isOldMonth,
  monthOf,
  rootLimits,
  type GatheredMonths,
  type RootInputs,
  type RootMonth,
} from "../root/root-compose.ts";
import type { Statement } from "../root/root-statements.ts";
import type { RootTopic } from "../root/root-topics.ts";
import { NodeShelf } from "../run/compose-node.ts";
import { isWatched } from "../run/idle.ts";
import { loadTree } from "../run/load.ts";
import { readMonths } from "../run/tree-files.ts";
import { linesOfFile, openTree, rangesOf, topicMark, type LineRange, type OpenedTree } from "./root.ts";
import { rootInputs } from "./root-run.ts";

export interface TopicRow {
  readonly topic: string;
  readonly type: MemoryType;
  /** Shown instead of the type if the entry does not come from the user: `feedback by agent`. */
  readonly tag: string | null;
  /** `given`: a heading names it. `found`: it was derived from words of notes and conversations. */
  readonly naming: "given" | "found";
  readonly progress: "active" | "done";
  readonly first_day: Day;
  readonly last_day: Day;
  /** The days on which something was said about it, oldest first. */
  readonly days: readonly Day[];
  /** Whole days since it was last mentioned. */
  readonly age_days: number;
  /** How many places in the logs it has. */
  readonly entries: number;
  /** Whether a line of ROOT.md is about it. */
  readonly in_root: boolean;
}

export interface TopicListResult {
  readonly today: Day;
  /** The topic mentioned last comes first. */
  readonly topics: readonly TopicRow[];
}

/** Words of a log, with their day and their recorded places. */
export interface PlacedStatement {
  readonly text: string;
  readonly day: Day;
  readonly places: readonly LineRange[];
}

/** A statement that a later one replaced. */
export interface ReplacedStatement extends PlacedStatement {
  /** The day since which it no longer holds. */
  readonly until: Day;
}

export interface TopicStatement extends PlacedStatement {
  readonly role: Role;
  /** For feedback: the rule itself, how to apply it, or why. */
  readonly part: Statement["part"];
  /** What it replaced, newest first. */
  readonly replaced: readonly ReplacedStatement[];
}

export interface TopicShowResult extends TopicRow {
  readonly keywords: readonly string[];
  /** A knowledge file or an address; `null` if none is known. */
  readonly pointer: string | null;
  /** What holds now, as ROOT.md orders it. */
  readonly statements: readonly TopicStatement[];
  /** What no longer holds and was replaced by something that is not among `statements`, newest first. */
  readonly ended: readonly (ReplacedStatement & { readonly by: PlacedStatement })[];
  /** The places of its entries, oldest first. */
  readonly places: readonly LineRange[];
}

/** Lists every topic of the tree. Errors: `not_found` if there is no tree yet, `invalid_config`, `io`. */
export async function readTopics(memory: TreeMemory): Promise<TopicListResult> {
  const { opened, gathered } = await readGathered(memory);
  const today = memory.clock.today();
  const isInRoot = await marksInRoot(opened);
  const rows = [...gathered.topics, ...oldTopics(gathered, today)].map((topic) => rowOf(topic, isInRoot));
  // All names at once, because there may be thousands.
  const names = redact(rows.map(({ topic }) => topic).join("\n")).text.split("\n");
  const topics = rows.map((row, at) => ({ ...row, topic: names[at] ?? "" }));
  return {
    today,
    topics: topics.toSorted((a, b) => compareTexts(b.last_day, a.last_day) || compareTexts(a.topic, b.topic)),
  };
}

/** Shows what holds about a topic, and what it replaced. Errors: `not_found`, `invalid_config`, `io`. */
export async function showTopic(memory: TreeMemory, { name }: { readonly name: string }): Promise<TopicShowResult> {
  const { opened, gathered, inputs } = await readGathered(memory);
  const today = memory.clock.today();
  const known = await topicNamed(memory, gathered, { name, today });
  const whole = await wholeMonths(opened.memory, inputs, known.days);
  const { topics, replaced } = whole === undefined ? gathered : gatherMonths(whole.inputs, whole.months);
  const topic = topics.find(({ key }) => key === known.key) ?? known;
  const own = new Set<PlacedPassage>(topic.details);
  const older = [...replaced]
    .filter(([one]) => own.has(one.passage))
    .toSorted(([a], [b]) => compareTexts(b.day, a.day));
  const statements = topic.statements.map((one): TopicStatement => {
    const before = older.filter(([, { newest }]) => newest === one);
    return {
      ...placed(one),
      role: one.passage.role,
      part: one.part,
      replaced: before.map(([was, { first }]) => ({ ...placed(was), until: first.day })),
    };
  });
  const holds = new Set(topic.statements);
  const ended = older
    .filter(([, { newest }]) => !holds.has(newest))
    .map(([was, { first, newest }]) => ({ ...placed(was), until: first.day, by: placed(newest) }));
  const row = rowOf(topic, await marksInRoot(opened));
  const clean = (text: string): string => redact(text).text;
  return {
    ...row,
    topic: clean(row.topic),
    keywords: topic.keywords.map(clean),
    pointer: topic.pointer === "" ? null : clean(topic.pointer),
    statements,
    ended,
    places: rangesOf(topic.refs),
  };
}

interface Gathering {
  readonly inputs: RootInputs;
  readonly gathered: GatheredMonths;
}

/** What was gathered last for an open memory, with what it depends on. */
const kept = new WeakMap<TreeMemory, { readonly key: string; readonly gathering: Gathering }>();

/** What the months say today. In a running process, only what changed is gathered again. Errors: `not_found`, `invalid_config`, `io`. */
export async function readGathered(memory: TreeMemory): Promise<Gathering & { readonly opened: OpenedTree }> {
  const opened = await openTree(memory);
  const day = memory.clock.today();
  const months = (await opened.memory.files.list(`${memoryFolder}/monthly`))
    .filter(({ name }) => isWatched("monthly", name))
    .map(({ name, stamp }) => [name, stamp]);
  const key = JSON.stringify([memory.program.version, builtInRule, day, opened.root.document.madeFrom, months]);
  const known = kept.get(memory);
  if (known?.key === key) return { opened, ...known.gathering };
  const { state } = await loadTree(opened.memory, { cache: "used", configuration: opened.configuration });
  const settled = await readMonths(opened.memory);
  const inputs = await rootInputs(opened.memory, state, {
    shelf: new NodeShelf(opened.memory.files),
    day,
    limits: rootLimits(opened.configuration.rootMaxTokens),
    foreign: [],
    kept: typeof settled === "object" ? settled : new Map(),
  });
  const gathering = { inputs, gathered: gatherMonths(inputs) };
  kept.set(memory, { key, gathering });
  return { opened, ...gathering };
}

/** Found topics that ROOT.md lists only by name, because they are old. */
function oldTopics({ topics, found }: GatheredMonths, today: Day): readonly RootTopic[] {
  const known = new Set(topics.flatMap(({ entries }) => entries));
  const left = found.filter((passage) => !known.has(passage));
  return [...Map.groupBy(left, ({ topic }) => nameKey(topic)).values()].flatMap((entries): readonly RootTopic[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const refs = mergeRefs(entries.flatMap((entry) => entry.refs));
    const days = daysOf(refs);
    const last = days.at(-1) ?? today;
    const { topic: name, type, progress } = first;
    const plain = { key: topicKey(name), name, type, progress, naming: "found", keywords: [], statements: [] } as const;
    const age = Math.max(0, daysBetween(last, today));
    return [{ ...plain, pointer: "", refs, days, last, age, weight: 0, entries, details: [] }];
  });
}

function daysOf(refs: readonly Ref[]): readonly Day[] {
  return [...new Set(refs.map(dayOfRef))].toSorted();
}

function rowOf(topic: RootTopic, isInRoot: (topic: RootTopic) => boolean): TopicRow {
  const { name, type, tag = null, naming, progress, days, last, age, refs } = topic;
  const last_day = days.at(-1) ?? last;
  return {
    topic: name,
    type,
    tag,
    naming,
    progress,
    first_day: days[0] ?? last,
    last_day,
    days,
    age_days: age,
    entries: refs.length,
    in_root: isInRoot(topic),
  };
}

/** Whether a line of ROOT.md comes from passages about a topic. */
async function marksInRoot(opened: OpenedTree): Promise<(topic: RootTopic) => boolean> {
  const marks = new Set((await linesOfFile(opened)).flatMap(({ from }) => from.map(({ topic }) => topic)));
  return ({ entries, details }) => {
    const names = new Set([...entries, ...details].map(({ topic }) => topic));
    return [...names].some((name) => marks.has(topicMark(name)));
  };
}

async function topicNamed(
  memory: TreeMemory,
  gathered: GatheredMonths,
  { name, today }: { readonly name: string; readonly today: Day },
): Promise<RootTopic> {
  const topics = [...gathered.topics, ...oldTopics(gathered, today)];
  const asked = name.trim();
  const known =
    topics.find(({ key }) => key === topicKey(asked)) ??
    topics.find((one) => one.name !== "" && nameKey(one.name) === nameKey(asked));
  if (known !== undefined) return known;
  const renamed = topicKey(await renamedTopic(memory, asked));
  const now = topics.find(({ key }) => key === renamed);
  if (now !== undefined) return now;
  const seen = shown(asked, 80);
  const names = topics.map((one) => shown(one.name, 80));
  const message = `There is no topic "${seen}" in the tree${didYouMean(asked, names)}; heartwood topic list lists all topics.`;
  throw new MemoryError("not_found", message, { topic: seen });
}

/** The inputs with all details of the old months that are about these days; `undefined` if there are none. */
async function wholeMonths(memory: TreeMemory, inputs: RootInputs, days: readonly Day[]) {
  const old = inputs.months.filter(({ name }) => {
    const { first, last } = daysCovered(name.level, name.period);
    return isOldMonth(name, inputs.day) && days.some((day) => first <= day && day <= last);
  });
  if (old.length === 0) return undefined;
  const shelf = new NodeShelf(memory.files);
  const read = new Map<RootMonth, RootMonth>();
  for (const month of old) read.set(month, monthOf(await shelf.get(month.name)));
  const months = inputs.months.map((month) => read.get(month) ?? month);
  return { inputs: { ...inputs, months }, months: new Set(read.values()) };
}

/** A statement as it is shown. Secrets are replaced. */
export function placed({ text, day, passage }: Statement): PlacedStatement {
  const line = passage.lines.find((one) => one.ref !== undefined && one.text.includes(text));
  return { text: redact(text).text, day, places: rangesOf(line?.ref === undefined ? passage.refs : [line.ref]) };
}
