import { once } from "../../base/lines.ts";
import { byPart, rankOf, statementsOf, type Statement } from "./root-statements.ts";
import { lastMention, mentionsIn, type Mention } from "./root-mentions.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { addDays, type Day, daysBetween } from "../../base/calendar.ts";
import { compareTexts } from "../../base/lists.ts";
import { isPreserved, type MemoryType, topicKey, tagAmong } from "../../base/memory-type.ts";
import type { Passage, Progress, Role } from "../../base/passage.ts";
import { mergeKeywords, groupByName } from "../../text/word-keys.ts";
import { dayOfRef, mergeRefs, type Ref, refsOverlap } from "../../base/refs.ts";
import { Elsewhere, isUnblocked, openItems } from "../extract/pending.ts";
import { byNewest, newestRef, newestSaid } from "../extract/rank.ts";
import { isUnfinished, verdictOf } from "../../text/extract/verdict.ts";
import { type DatedStatement, replacementsAmong } from "../../text/facts/replaced.ts";

/** What the monthly nodes say about one topic. */
export interface RootTopic {
  readonly key: string;
  readonly name: string;
  readonly type: MemoryType;
  /** See `Passage`. */
  readonly tag?: string | undefined;
  /** Whether a heading named it. */
  readonly naming: Passage["naming"];
  readonly progress: Progress;
  readonly keywords: readonly string[];
  /** Current statements, newest first; for feedback, the rules before how and why. */
  readonly statements: readonly Statement[];
  /** A knowledge file or a URL. Empty if none is known. */
  readonly pointer: string;
  readonly refs: readonly Ref[];
  readonly days: readonly Day[];
  readonly last: Day;
  /** Whole days since the last mention; 0 for a future day. */
  readonly age: number;
  readonly weight: number;
  /** The topic's own passages. */
  readonly entries: readonly PlacedPassage[];
  /** Its details (decisions, open items and so on), newest first. */
  readonly details: readonly PlacedPassage[];
}

/** How a statement was replaced. */
export interface ReplacedBy {
  /** The first replacement: the older statement was valid until its day. */
  readonly first: Statement;
  readonly newest: Statement;
  /** Whether it is one of many successive values, such as a daily count. */
  readonly isOfSeries: boolean;
}

/** What the monthly nodes say as of a day. */
export interface Gathered {
  readonly topics: readonly RootTopic[];
  /**
   * Current statements that the user made in conversations without a heading: instructions, then preferences, then
   * facts, newest first.
   */
  readonly said: readonly Statement[];
  /** The statements that later ones replaced. */
  readonly replaced: ReadonlyMap<Statement, ReplacedBy>;
}

export function gatherTopics(passages: readonly PlacedPassage[], today: Day): Gathered {
  const told = passages.filter(({ topic, role }) => topic !== "" && role !== "entity");
  const quotes = newestSaid(passages.filter(({ topic }) => topic === ""));
  const groups = groupByName(told, ({ type }) => isPreserved(type)).map((group) => group.toSorted(byNewest));
  const stated = new Map([...told, ...quotes].map((passage) => [passage, statementsOf(passage)]));
  const replaced = replacedIn([...groups, quotes], stated);
  const context: GatherContext = {
    today,
    holding: (passage) => holding(stated.get(passage) ?? [], replaced),
    mentions: mentionsIn(told),
    elsewhere: new Elsewhere(told),
  };
  const topics = groups.map((group) => gatherTopic(group, context)).toSorted((a, b) => compareTexts(a.key, b.key));
  const said = quotes.flatMap((quote) => stated.get(quote) ?? []).filter((one) => !replaced.has(one));
  return { topics, said, replaced };
}

interface GatherContext {
  readonly today: Day;
  /** The statements in a passage that no later one replaces. */
  readonly holding: (passage: PlacedPassage) => readonly Statement[];
  readonly mentions: readonly Mention[];
  readonly elsewhere: Elsewhere;
}

function gatherTopic(all: readonly PlacedPassage[], { today, holding, mentions, elsewhere }: GatherContext): RootTopic {
  const newestFirst = withoutEdited(all);
  const entries = newestFirst.filter((passage) => passage.role === "topic");
  const head = entries[0] ?? newestFirst[0];
  const refs = mergeRefs((entries.length > 0 ? entries : newestFirst).flatMap((passage) => passage.refs));
  const days = [...new Set(newestFirst.flatMap((passage) => passage.refs.map(dayOfRef)))].toSorted();
  const details = newestFirst.filter((passage) => passage.role !== "topic");
  const type = newestFirst.find((passage) => isPreserved(passage.type))?.type ?? head?.type ?? "project";
  const name = head?.topic ?? "";
  const said = details.flatMap(holding);
  const tag = tagAmong(newestFirst, type);
  // A rule that only claims to be the user's is still shown as a rule.
  const ordered = (tag ?? type).startsWith("feedback") ? byPart(said) : said.toSorted(byDayAndRank);
  const open = new Set(
    openItems(ordered, { elsewhere, entries: entries.flatMap((entry) => entry.refs) }).flatMap(({ from }) => from),
  );
  const statements = ordered.filter((one) =>
    one.passage.role === "open" ? open.has(one) : !isUnblocked(one, ordered),
  );
  const isGone = (passage: PlacedPassage): boolean => stating.has(passage.role) && holding(passage).length === 0;
  const pointer = pointerOf(
    head?.type ?? "project",
    statements,
    newestFirst.filter((passage) => !isGone(passage)),
  );
  // A future day is a typo or a plan; neither makes a topic fresh.
  const own = days.findLast((day) => day <= today) ?? days.at(-1) ?? today;
  const last = type === "reference" ? lastMention([pointer, name], mentions, own) : own;
  return {
    key: topicKey(name),
    name,
    type,
    tag,
    naming: isNamed(entries, details) ? "given" : "found",
    progress: head?.progress ?? "active",
    keywords: mergeKeywords(
      entries.map((entry) => entry.text.split(", ")),
      mostKeywords,
    ),
    statements,
    pointer,
    refs,
    days,
    last,
    age: Math.max(0, daysBetween(last, today)),
    weight: entries.length + days.length * 2 + details.length / 2,
    entries,
    details,
  };
}

/** Newest first, and within a day by what says most about the state. */
export function byDayAndRank(a: Statement, b: Statement): number {
  return compareTexts(b.day, a.day) || rankOf(b) - rankOf(a);
}

/** Drops passages whose log lines were edited later, so that an addendum replaces them. */
function withoutEdited(passages: readonly PlacedPassage[]): readonly PlacedPassage[] {
  // An addendum may begin with only the current heading, which replaces nothing.
  const late = passages.filter((passage) => (passage.late ?? 0) > 0 && !isBareHeading(passage));
  if (late.length === 0) return passages;
  // The first ref of an addendum to an entry is only the heading.
  const anew = late.map(({ refs, late: number = 0 }) => ({ number, refs: refs.length > 1 ? refs.slice(1) : refs }));
  const isEdited = (old: PlacedPassage): boolean =>
    old.role !== "topic" && anew.some(({ number, refs }) => number > (old.late ?? 0) && refsOverlap(refs, old.refs));
  return passages.filter((passage) => !isEdited(passage));
}

function isBareHeading({ role, refs }: PlacedPassage): boolean {
  const [ref] = refs;
  return (role === "topic" || role === "preserved") && refs.length === 1 && ref?.from === ref?.to;
}

/** The statements in a passage that no later one replaces. If no rule is left, its how and why go too. */
function holding(all: readonly Statement[], replaced: Gathered["replaced"]): readonly Statement[] {
  const kept = all.filter((one) => !replaced.has(one));
  const isOver = kept.length < all.length && !kept.some(({ part }) => part === "itself");
  return isOver ? [] : kept;
}

/** Roles whose statements can be replaced by later ones. */
const stating: ReadonlySet<Role> = new Set<Role>([
  "preserved",
  "said",
  "decision",
  "done",
  "outcome",
  "blocked",
  "failed",
  "abandoned",
  "note",
]);

/** The statements that later ones replace. `groups`: the passages of each topic. */
function replacedIn(
  groups: readonly (readonly PlacedPassage[])[],
  stated: ReadonlyMap<PlacedPassage, readonly Statement[]>,
): Gathered["replaced"] {
  const statements: Statement[] = [];
  const dated: DatedStatement[] = [];
  for (const [topicAt, group] of groups.entries()) {
    const [heads, details] = [
      group.filter(({ role }) => role === "topic"),
      group.filter(({ role }) => role !== "topic"),
    ];
    const isNamedTopic = isNamed(heads, details);
    const places = heads.flatMap(({ refs }) => refs);
    for (const passage of details) {
      if (!stating.has(passage.role) || (passage.role === "note" && !isNamedTopic)) continue;
      const ref = newestRef(passage);
      const entry = places.find((one) => refsOverlap([one], [ref])) ?? ref;
      const said = stated.get(passage) ?? [];
      const isAlone = passage.role === "preserved" && said.filter(({ part }) => part === "itself").length === 1;
      for (const one of said) {
        const { topic, role } = passage;
        statements.push(one);
        dated.push({
          text: keyed(one),
          topic,
          // Statements of users about themselves are of type user, whatever the conversation was about.
          type: role === "said" ? "user" : passage.type,
          day: one.day,
          order: ref.from,
          source: ref.log,
          entry: `${topicAt} ${entry.log}:${entry.from}`,
          isAlone: isAlone && one.part === "itself",
        });
      }
    }
  }
  const pairs = replacementsAmong(dated).flatMap(({ older, first, newest, isOfSeries }) => {
    const [from, next, last] = [statements[older], statements[first], statements[newest]];
    return from === undefined || next === undefined || last === undefined
      ? []
      : [[from, { first: next, newest: last, isOfSeries }] as const];
  });
  return new Map(pairs);
}

/** The text with the key that marks it as a decision or rule. */
function keyed({ text, part, passage }: Statement): string {
  if (passage.role === "decision") return `decision: ${text}`;
  return passage.role === "preserved" && part === "itself" && passage.type === "feedback" ? `rule: ${text}` : text;
}

/** Whether the topic has a name of its own. A topic known only from notes was found, not named. */
function isNamed(entries: readonly Passage[], details: readonly Passage[]): boolean {
  if (entries.length > 0) return entries.some(({ naming }) => naming === "given");
  return details.some(({ role }) => role !== "note");
}

const mostKeywords = 12;

/** The knowledge file named in the newest text that names one; failing that, for a reference, the first URL. */
function pointerOf(type: MemoryType, statements: readonly Statement[], group: readonly PlacedPassage[]): string {
  const all = group.flatMap((passage) => [passage.text, ...passage.lines.map((line) => line.text)]);
  for (const text of all) {
    const knowledge = /\bknowledge\/[\p{L}\p{N}._/-]+\.md\b/u.exec(text);
    if (knowledge !== null) return knowledge[0];
  }
  if (type !== "reference") return "";
  for (const text of [...statements.map((one) => one.text), ...all]) {
    const address = /https?:\/\/[^\s<>()[\]"'`]+/u.exec(text);
    if (address !== null && address[0].length <= 120) return address[0].replace(/[.,;:]+$/u, "");
  }
  return "";
}

/** Words whose meaning depends on the day they were said. */
const relative = once(
  () =>
    /(?<![\p{L}\p{N}])(?:today|tonight|tomorrow|yesterday|at the moment|currently|for now|(?:this|next|last) (?:morning|afternoon|evening|night|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|heute|morgen|gestern|derzeit|zurzeit|im moment|(?:nächste|diese|letzte)\p{L}? \p{L}+|aujourd['’]hui|demain|hier|hoy|mañana|ayer|hoje|amanhã|ontem|oggi|domani|ieri|dziś|jutro|wczoraj|сегодня|завтра|вчера|bugün|yarın|dün)(?![\p{L}\p{N}])|오늘|내일|어제|다음 ?주|이번 ?주|今日|明日|昨日|来週|今週|今天|明天|昨天|下周|本周/iu,
);

/** A user's rule may have changed under another heading, so a rule older than this shows its day. */
const longestUndated = 7;

/**
 * Adds the day if the text is not the newest of its topic, uses a word such as `tomorrow`, or comes from a
 * conversation. `since`: the first day of an open item.
 */
export function datedText(statement: Statement, topic: RootTopic, today: Day, since?: Day): string {
  const { day, passage } = statement;
  const text = withoutName(statement.text, topic.name);
  if (passage.role === "said") return saidText(statement, today);
  if (passage.role === "open") {
    const days = [...new Set([since ?? day, day])].map((one) => shownDay(one, today));
    return `open ${days.join(", ")}: ${text}`;
  }
  // A ticked `book the hall` would read as work to do.
  const isBareTask =
    passage.role === "done" &&
    verdictOf(text) === undefined &&
    !isUnfinished(text) &&
    !/^[\p{L} ]{2,20}[:：]\s/u.test(text);
  const said = isBareTask ? `done: ${text}` : text;
  const isOld = isPreserved(topic.type) && day < addDays(today, -longestUndated);
  const isOfNow = day >= topic.last && day <= today && !isOld;
  if (day === "" || (isOfNow && !(day < today && relative().test(text)))) return said;
  return `${said} (${shownDay(day, today)})`;
}

/** Drops the topic's name, which the line already starts with. */
function withoutName(text: string, name: string): string {
  return (text.startsWith(name) && /^\s*[:：]\s*(\S.*)$/su.exec(text.slice(name.length))?.[1]) || text;
}

const dayAtEnd = / \((?:\d{4}-)?\d\d-\d\d\)$/u;

/** Joins statements with semicolons in place of full stops. A day shared by all is shown once. */
export function inOneLine(dated: readonly string[]): string {
  const days = new Set(dated.map((text) => dayAtEnd.exec(text)?.[0] ?? ""));
  const texts =
    days.size > 1 ? dated : dated.map((text, at) => (at === dated.length - 1 ? text : text.replace(dayAtEnd, "")));
  return texts.map((text, at) => (at === texts.length - 1 ? text : text.replace(/(?<!\.)[.。]$/u, ""))).join("; ");
}

export function saidText({ text, day }: Statement, today: Day): string {
  return `${text} (said ${shownDay(day, today)})`;
}

function shownDay(day: Day, today: Day): string {
  return day.slice(0, 4) === today.slice(0, 4) ? day.slice(5) : day;
}
