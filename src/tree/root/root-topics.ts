import { rankOf, statementsOf, type Statement } from "./root-statements.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { addDays, type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, type MemoryType, topicKey, tagAmong } from "../../base/memory-type.ts";
import type { Passage, Progress, Role } from "../../base/passage.ts";
import { mergeKeywords, groupByName } from "../../text/word-keys.ts";
import { compareRefs, dayOfRef, lastDayOf, mergeRefs, type Ref, refsOverlap } from "../../base/refs.ts";
import { Elsewhere, isUnblocked, openItems } from "../extract/pending.ts";
import { newestSaid } from "../extract/rank.ts";
import { isUnfinished, verdictOf } from "../../text/extract/verdict.ts";
import { type DatedStatement, replacedAmong } from "../../text/facts/replaced.ts";

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
  /** Valid statements, newest first; for feedback the rules before how and why. */
  readonly statements: readonly Statement[];
  /** A knowledge file or an address. Empty if none is known. */
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

/** What the monthly nodes say as of a day. */
interface Gathered {
  readonly topics: readonly RootTopic[];
  /**
   * Valid statements that the user made in conversations without a heading: instructions, then preferences, then facts,
   * newest first.
   */
  readonly said: readonly Statement[];
}

export function gatherTopics(passages: readonly PlacedPassage[], today: Day): Gathered {
  const told = passages.filter(({ topic, role }) => topic !== "" && role !== "entity");
  const quotes = newestSaid(passages.filter(({ topic }) => topic === ""));
  const groups = groupByName(told, ({ type }) => isPreserved(type)).map((group) =>
    group.toSorted((a, b) => compareRefs(newestRef(b), newestRef(a))),
  );
  const replaced = replacedIn([...groups, quotes]);
  const mentions = new Mentions(told, today);
  const elsewhere = new Elsewhere(told);
  const topics = groups
    .map((group) => gatherTopic(group, { today, replaced, mentions, elsewhere }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { topics, said: quotes.flatMap(statementsOf).filter((one) => !replaced.has(keyOf(one))) };
}

interface GatherContext {
  readonly today: Day;
  /** Keys of statements that a later one replaces. */
  readonly replaced: ReadonlySet<string>;
  readonly mentions: Mentions;
  readonly elsewhere: Elsewhere;
}

function gatherTopic(
  all: readonly PlacedPassage[],
  { today, replaced, mentions, elsewhere }: GatherContext,
): RootTopic {
  const newestFirst = withoutEdited(all);
  const entries = newestFirst.filter((passage) => passage.role === "topic");
  const head = entries[0] ?? newestFirst[0];
  const refs = mergeRefs((entries.length > 0 ? entries : newestFirst).flatMap((passage) => passage.refs));
  const days = [...new Set(newestFirst.flatMap((passage) => passage.refs.map(dayOfRef)))].toSorted();
  const details = newestFirst.filter((passage) => passage.role !== "topic");
  const type = newestFirst.find((passage) => isPreserved(passage.type))?.type ?? head?.type ?? "project";
  const name = head?.topic ?? "";
  const said = details.flatMap((passage) => holdingIn(passage, replaced));
  const tag = tagAmong(newestFirst, type);
  // A rule that only claims to be a person's words is still shown as a rule.
  const ordered = (tag ?? type).startsWith("feedback") ? byPart(said) : said.toSorted(byDayAndRank);
  const open = new Set(
    openItems(ordered, { elsewhere, entries: entries.flatMap((entry) => entry.refs) }).flatMap(({ from }) => from),
  );
  const statements = ordered.filter((one) =>
    one.passage.role === "open" ? open.has(one) : !isUnblocked(one, ordered),
  );
  const gone = new Set(
    details.filter((passage) => stating.has(passage.role) && holdingIn(passage, replaced).length === 0),
  );
  const pointer = pointerOf(
    head?.type ?? "project",
    statements,
    newestFirst.filter((passage) => !gone.has(passage)),
  );
  // A future day is a typo or a plan; neither makes a topic fresh.
  const own = days.findLast((day) => day <= today) ?? days.at(-1) ?? today;
  const last = type === "reference" ? mentions.last({ name, pointer, since: own }) : own;
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
function byDayAndRank(a: Statement, b: Statement): number {
  return a.day === b.day ? rankOf(b) - rankOf(a) : a.day < b.day ? 1 : -1;
}

/** Drops passages whose log lines a later addendum replaces because they were edited. */
function withoutEdited(passages: readonly PlacedPassage[]): readonly PlacedPassage[] {
  // An addendum may begin with the heading in force alone, which replaces nothing.
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

function byPart(statements: readonly Statement[]): readonly Statement[] {
  const parts = ["itself", "how", "why"] as const;
  return parts.flatMap((of) => statements.filter(({ part }) => part === of));
}

/** The statements of a passage that nothing replaces. If no rule is left, its reasons go too. */
function holdingIn(passage: PlacedPassage, replaced: ReadonlySet<string>): readonly Statement[] {
  const all = statementsOf(passage);
  const kept = all.filter((one) => !replaced.has(keyOf(one)));
  const isOver = kept.length < all.length && !kept.some(({ part }) => part === "itself");
  return isOver ? [] : kept;
}

function keyOf({ passage, text }: Statement): string {
  const ref = newestRef(passage);
  return `${ref.log}:${ref.from}\n${text}`;
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

/** Keys of the statements that later ones replace. `groups`: the passages of each topic. */
function replacedIn(groups: readonly (readonly PlacedPassage[])[]): ReadonlySet<string> {
  const statements: Statement[] = [];
  const dated: DatedStatement[] = [];
  let entries = 0;
  for (const group of groups) {
    const numbers = new Map<string, number>();
    const isNamedTopic = isNamed(
      group.filter(({ role }) => role === "topic"),
      group.filter(({ role }) => role !== "topic"),
    );
    const places = group.filter(({ role }) => role === "topic").flatMap(({ refs }) => refs);
    for (const passage of group) {
      if (!stating.has(passage.role) || (passage.role === "note" && !isNamedTopic)) continue;
      const ref = newestRef(passage);
      const entry = places.find((one) => refsOverlap([one], [ref])) ?? ref;
      const key = `${entry.log}:${entry.from}`;
      if (!numbers.has(key)) numbers.set(key, entries++);
      const said = statementsOf(passage);
      const isAlone = passage.role === "preserved" && said.filter(({ part }) => part === "itself").length === 1;
      for (const one of said) {
        const { topic, role } = passage;
        // What users say about themselves is their own word, whatever the conversation was about.
        const type = role === "said" ? "user" : passage.type;
        statements.push(one);
        dated.push({
          text: keyed(one),
          topic,
          type,
          day: one.day,
          order: ref.from,
          source: ref.log,
          entry: numbers.get(key) ?? 0,
          isAlone: isAlone && one.part === "itself",
        });
      }
    }
  }
  return new Set([...replacedAmong(dated).keys()].flatMap((at) => statements[at] ?? []).map(keyOf));
}

/** The text with the key that marks it as a decision or rule. */
function keyed({ text, part, passage }: Statement): string {
  if (passage.role === "decision") return `decision: ${text}`;
  return passage.role === "preserved" && part === "itself" && passage.type === "feedback" ? `rule: ${text}` : text;
}

/** How many days back mentions of a reference are searched. */
const longestMentions = 400;
const leastName = 4;

/** When a name or an address was last mentioned, in any topic. */
class Mentions {
  readonly #days: readonly (readonly [Day, string])[];

  constructor(passages: readonly PlacedPassage[], today: Day) {
    const texts = new Map<Day, string[]>();
    const first = addDays(today, -longestMentions);
    for (const { role, text, lines, refs } of passages) {
      const day = lastDayOf(refs);
      if (role === "topic" || day < first) continue;
      const list = texts.get(day);
      const said = lines.length > 0 ? lines.map((line) => line.text).join("\n") : text;
      if (list === undefined) texts.set(day, [said]);
      else list.push(said);
    }
    this.#days = [...texts]
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .map(([day, said]) => [day, said.join("\n").toLowerCase()]);
  }

  last({ name, pointer, since }: { readonly name: string; readonly pointer: string; readonly since: Day }): Day {
    // A single word is too common: `Glossary`.
    const names = [pointer, ...(/\S\s+\S/u.test(name) ? [name] : [])];
    const wanted = names.map((one) => one.toLowerCase()).filter((one) => one.length >= leastName);
    const found = this.#days.find(([day, text]) => day > since && wanted.some((one) => text.includes(one)));
    return found?.[0] ?? since;
  }
}

/** A topic known only from notes was found, not named. */
function isNamed(entries: readonly Passage[], details: readonly Passage[]): boolean {
  if (entries.length > 0) return entries.some(({ naming }) => naming === "given");
  return details.some(({ role }) => role !== "note");
}

const noRef: Ref = { log: "", from: 0, to: 0 };

function newestRef(passage: Passage): Ref {
  return passage.refs.reduce((newest, ref) => (compareRefs(ref, newest) > 0 ? ref : newest), noRef);
}

const mostKeywords = 12;

/** The first text, newest first, that names a knowledge file or, for a reference, an address. */
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
const relative =
  /(?<![\p{L}\p{N}])(?:today|tonight|tomorrow|yesterday|at the moment|currently|for now|(?:this|next|last) (?:morning|afternoon|evening|night|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|heute|morgen|gestern|derzeit|zurzeit|im moment|(?:nächste|diese|letzte)\p{L}? \p{L}+|aujourd['’]hui|demain|hier|hoy|mañana|ayer|hoje|amanhã|ontem|oggi|domani|ieri|dziś|jutro|wczoraj|сегодня|завтра|вчера|bugün|yarın|dün)(?![\p{L}\p{N}])|오늘|내일|어제|다음 ?주|이번 ?주|今日|明日|昨日|来週|今週|今天|明天|昨天|下周|本周/iu;

/** A person's rule may have changed below another heading: after these days it shows its own. */
const longestUndated = 7;

/** `since`: the first day of an open item. Adds the day if the text is not the newest of its topic, refers to another day, or was said in a conversation. */
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
  if (day === "" || (isOfNow && !(day < today && relative.test(text)))) return said;
  return `${said} (${shownDay(day, today)})`;
}

/** The line begins with the topic's name already. */
function withoutName(text: string, name: string): string {
  return (text.startsWith(name) && /^\s*[:：]\s*(\S.*)$/su.exec(text.slice(name.length))?.[1]) || text;
}

const dayAtEnd = / \((?:\d{4}-)?\d\d-\d\d\)$/u;

/** Joins statements with semicolons, which take the place of a full stop. A day that all have is named once. */
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

/** Whether nobody named the topic, so that its name is just one of its words. */
export function isFound(topic: RootTopic): boolean {
  const named = topic.entries.length > 0 ? topic.entries : topic.details;
  return named.length > 0 && named.every(({ naming }) => naming === "found");
}
