import { topicKey } from "../../base/memory-type.ts";
import { isSame, saysTheSame, sharedKeys, wordKeys } from "../../text/word-keys.ts";
import { type Statement, statementsOf } from "./root-statements.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { pushAll } from "../../base/lists.ts";
import { withoutMarks } from "../../text/redact/span.ts";

const mostKeywords = 12;

/**
 * The keywords of a `user` or `feedback` topic: the facts themselves, in short clauses of its own words. `told`: what is known of the topic, newest first;
 * its `preserved` passages are read. The newest statement comes first, with what it corrects behind it as `was …`; of feedback the rule, how to apply
 * it, then why. The first keyword alone states the fact. Empty when no entry says anything.
 */
export function preservedKeywords(told: readonly PlacedPassage[]): readonly string[] {
  const facts: Fact[] = [];
  const entries = told.filter(({ role }) => role === "preserved");
  entries.forEach((passage, entry) => {
    const said = statementsOf(passage);
    said.forEach((statement, at) => {
      addFact(facts, { ...statement, entry, isFirst: at === 0, siblings: said }, passage.topic);
    });
  });
  const isFeedback = entries.some(({ type }) => type === "feedback");
  return withoutRepeats(isFeedback ? byKind(facts).flatMap(inFull) : inTurns(facts)).slice(0, mostKeywords);
}

/** Rules, then how to apply them, then why. */
function byKind(facts: readonly Fact[]): readonly Fact[] {
  const last = facts.filter(({ statement: { kind } }) => kind === "why");
  const how = facts.filter(({ statement: { kind } }) => kind === "how");
  return [...facts.filter((fact) => !how.includes(fact) && !last.includes(fact)), ...how, ...last];
}

/** Without a keyword that has no word besides those of one before it. */
function withoutRepeats(words: readonly string[]): readonly string[] {
  const kept: { readonly word: string; readonly keys: ReadonlySet<string> }[] = [];
  for (const word of words) {
    const keys = wordKeys(word);
    const isKnown = kept.some((one) =>
      keys.size === 0 ? topicKey(one.word) === topicKey(word) : sharedKeys(one.keys, keys) === keys.size,
    );
    if (!isKnown || (word.startsWith("was ") && !kept.some((one) => topicKey(one.word) === topicKey(word))))
      kept.push({ word, keys });
  }
  return kept.map(({ word }) => word);
}

interface PlacedStatement extends Statement {
  /** 0 for the newest entry. */
  readonly entry: number;
  readonly isFirst: boolean;
  /** All statements of its entry. */
  readonly siblings: readonly Statement[];
}

/** A statement in force, and what was stated before it, newest first. */
interface Fact {
  readonly statement: PlacedStatement;
  readonly words: readonly string[];
  readonly keys: ReadonlySet<string>;
  readonly was: string[];
  /** What older statements said besides what was corrected in them. */
  readonly older: string[];
}

/** Takes in a statement that is older than all before it: it is new, or said already, or what a newer one corrects. */
function addFact(facts: Fact[], statement: PlacedStatement, topic: string): void {
  const words = wordsOf(statement, topic);
  const [first] = words;
  if (first === undefined) return;
  const keys = wordKeys(`${statement.label} ${statement.value}`);
  const newer = facts.find((fact) => corrects(fact, statement, keys));
  if (newer === undefined) {
    facts.push({ statement, words, keys, was: shortOf(statement.was, topic), older: [] });
    return;
  }
  if (isSaidAlready(newer, statement, keys)) return;
  const clauses = clausesOf(statement.value, topic);
  const old =
    (home.test(newer.statement.value) ? clauses.find((one) => home.test(one)) : undefined) ?? clauses[0] ?? "";
  const others = clauses.filter((one) => one !== old);
  const known = newer.was.find((was) => topicKey(old).includes(topicKey(was)));
  const left = known === undefined ? "" : behind(old, known);
  for (const was of [...(known === undefined ? [old] : []), ...shortOf(statement.was, topic)])
    if (!newer.was.some((one) => topicKey(one) === topicKey(was)) && topicKey(first) !== topicKey(newer.words[0] ?? ""))
      newer.was.push(was);
  pushAll(newer.older, [...clausesOf(left, topic), ...others]);
}

/** What an older clause says behind what was corrected in it. */
function behind(clause: string, corrected: string): string {
  const at = clause.toLowerCase().indexOf(corrected.toLowerCase());
  return at < 0 ? "" : clause.slice(at + corrected.length).replace(/^\s*(?:with|and|at|in|on|for|since|,)\s+/iu, "");
}

/**
 * Whether a newer statement holds what the older one says: all its words, or of a rule most of them. Where each has one word that the other has not,
 * a value was replaced.
 */
function isSaidAlready(newer: Fact, older: PlacedStatement, keys: ReadonlySet<string>): boolean {
  const shared = sharedKeys(newer.keys, keys);
  if (newer.statement.kind === "correction") return keys.size === newer.keys.size && shared === keys.size;
  if (isNegative(newer.statement.value) !== isNegative(older.value)) return false;
  if (shared === keys.size) return true;
  const isReplaced = keys.size - shared === 1 && newer.keys.size - shared === 1;
  return older.kind === "rule" && !isReplaced && saysTheSame(newer.keys, keys);
}

function isNegative(text: string): boolean {
  return /\b(?:no|not|never|don['’]t|doesn['’]t|avoid|without)\b|않|없|안 |ない|ません|不|没/iu.test(text);
}

function shortOf(was: string, topic: string): string[] {
  return was === "" ? [] : clausesOf(was, topic).slice(0, 1);
}

/** Whether a newer statement corrects an older one: another value of the same key, or a correction of what the entry before it said. */
function corrects(fact: Fact, older: PlacedStatement, keys: ReadonlySet<string>): boolean {
  const { statement } = fact;
  const shared = sharedKeys(fact.keys, keys);
  if (statement.kind === "correction" && fact.was.length === 0 && older.kind !== "how" && older.kind !== "why")
    return older.entry > statement.entry && (statement.key === older.key || older.entry === statement.entry + 1);
  if (statement.entry < older.entry && isFact(statement) && isFact(older)) {
    if (statement.was !== "" && topicKey(older.value).includes(topicKey(statement.was))) return true;
    if (hasSameNumbers(statement.value, older.value)) return true;
    if (statement.entry + 1 === older.entry && saysChange(statement.value) && fact.was.length === 0)
      return isChanged(statement.value, older, shared);
  }
  if (statement.entry === older.entry || statement.key !== older.key || older.key === "") return false;
  return older.key !== "rule" || isAkin(shared, fact.keys.size, keys.size);
}

function isFact({ kind }: Statement): boolean {
  return kind === "fact" || kind === "correction";
}

/**
 * Whether a statement of a change is about the older one, when their words do not tell: who moves does not live there any more; any other change is about
 * the one thing that was said, or about what shares a word with it.
 */
function isChanged(value: string, older: PlacedStatement, shared: number): boolean {
  if (home.test(value) && older.siblings.some((one) => home.test(one.value))) return home.test(older.value);
  if (!older.isFirst) return false;
  return shared > 0 || (older.siblings.length === 1 && !/[,;()，、；]/u.test(older.value));
}

/** Where somebody lives. */
const home = /\b(?:moved|lives?|living)\b|이사|살고|삽니다|산다|거주|引っ越|住ん|住む|搬|住在/iu;

/** Whether a statement says that something was otherwise before. */
function saysChange(text: string): boolean {
  return /\b(?:(?:switched|moved|changed|migrated|went over) (?:back )?to|no longer|any ?more|for good|from now on)\b|바꿨|바꾸었|옮겼|이사했|변경|変えた|換えた|乗り換え|引っ越し|変更した|改用|换成|改为|搬到/iu.test(
    text,
  );
}

/** Two values of the same measures: `08:30 to 16:30` and `07:15 to 15:15`, `400 lines` and `250 lines`. Years are none. */
function hasSameNumbers(a: string, b: string): boolean {
  const [own, other] = [measuresIn(a), measuresIn(b)];
  return own !== "" && own === other && a !== b;
}

function measuresIn(text: string): string {
  const found = text.matchAll(/\d+(?:[:.]\d+)+|\d+\s*(?:[%€$£]|\p{L}+)/gu);
  return [...found]
    .map(([one]) => one.replaceAll(/\d+/gu, "0").toLowerCase())
    .filter((one) => /0[:.]0|[\p{L}%€$£]/u.test(one))
    .toSorted()
    .join(" ");
}

/** Rules on the same matter share a third of their words. */
function isAkin(shared: number, a: number, b: number): boolean {
  return isSame(shared, a, b) || shared / Math.max(1, Math.min(a, b)) >= 1 / 3;
}

/** The clauses of a statement, the most telling first, the label before the first. */
function wordsOf({ label, value, kind }: Statement, topic: string): readonly string[] {
  const clauses = clausesOf(value, topic);
  const ranked =
    kind === "fact" || kind === "correction"
      ? clauses
          .map((clause, at) => ({ clause, at, telling: tellingOf(clause) }))
          .toSorted((a, b) => b.telling - a.telling || a.at - b.at)
          .map(({ clause }) => clause)
      : clauses;
  const [first, ...others] = ranked;
  if (first === undefined) return [];
  if (label === "") return ranked;
  if (label.split(/\s+/u).length > 2) return [...clausesOf(label, topic), ...ranked];
  return [label.length + first.length < 40 ? `${label} ${first}` : first, ...others];
}

/** A clause that only says since when, or that has no word of its own, does not state the fact. */
function tellingOf(clause: string): number {
  if (/^(?:as of|since|from|starting|these days|currently|recently|last|this|next|by now)\b/iu.test(clause)) return 0;
  return Math.min(1, wordKeys(clause).size);
}

function inFull({ words, was, older }: Fact): readonly string[] {
  return [...words.slice(0, 1), ...was.map((word) => `was ${word}`), ...words.slice(1), ...older];
}

/** The first clause of every fact with what it corrects, then the second of every fact, and so on. */
function inTurns(facts: readonly Fact[]): readonly string[] {
  const lists = facts.map(({ words, older }) => [...words, ...older]);
  const longest = lists.reduce((most, words) => Math.max(most, words.length), 0);
  return Array.from({ length: longest }, (_, round) =>
    lists.flatMap((words, at) => [
      ...words.slice(round, round + 1),
      ...(round === 0 ? (facts[at]?.was ?? []).map((word) => `was ${word}`) : []),
    ]),
  ).flat();
}

/** Characters of one keyword of an index line. */
const longestClause = 42;

/** A statement as short clauses that can stand as keywords: whole words, no commas, without what every sentence has. */
function clausesOf(statement: string, topic: string): readonly string[] {
  const flat = withoutMarks(statement, () => ";")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, " ")
    .replaceAll(/["“”«»[\]]/gu, "")
    .replaceAll(/\s?[(,]\s?(\d{1,2})\)?(?=\s*(?:[,;.]|$))/gu, " $1");
  return flat
    .split(clauseBreak)
    .flatMap((clause) => piecesOf(bareClause(clause, topic)))
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece) && topicKey(piece) !== topicKey(topic));
}

const clauseBreak =
  /[;,()（）、，；。！？]|[.!?](?=\s|$)|(?<=[^\s\d]):(?=\s)|\s(?:–|—|-|→)\s|\s+(?:because|so that|since (?:it|he|she|they|we|I))\s/u;

const lead =
  /^(?:(?:and|but|so|also|because|that|which|who|the user|user|I|I'm|I’m|I am|I've|we|we're|my|our|he|she|they|his|her|their|it|is|are|am|a|an|the|사용자는|사용자가|저는|나는|제|私は|僕は|我|我的)\s+|(?:私は|僕は|我是|我的))+/u;

/** A clause without pronouns and articles at its beginning, and without the topic's name where that is what it is about. */
function bareClause(clause: string, topic: string): string {
  const text = stripLead(clause.trim());
  const name = topicKey(topic);
  if (name === "" || !topicKey(text).startsWith(name)) return text;
  const rest = /^\s*(?:is now|are now|is|are|now|=|:|：|는|은|이|가|は|が|是)\s*(?=\S)(.*)$/su.exec(
    text.slice(topic.trim().length),
  );
  return rest === null ? text : stripLead((rest[1] ?? "").trim());
}

function stripLead(text: string): string {
  const lower = /^(?:I\b|[A-Z](?!\p{L}*[A-Z]))/u.test(text) ? `${text[0]?.toLowerCase() ?? ""}${text.slice(1)}` : text;
  const match = lead.exec(lower) ?? lead.exec(text);
  return match === null ? text : text.slice(match[0].length);
}

const conjunctions: ReadonlySet<string> = new Set(
  "and but or while when where if unless until before after so than as that which who".split(" "),
);
const connectives: ReadonlySet<string> = new Set(
  "with without on at in for from by about over via into since to".split(" "),
);
const leading: ReadonlySet<string> = new Set("and but or so as that which who".split(" "));
const trailing: ReadonlySet<string> = new Set([
  ...conjunctions,
  ...connectives,
  "a",
  "an",
  "the",
  "of",
  "is",
  "are",
  "not",
]);

/** Pieces of at most 42 characters: a longer clause is parted in two near its middle, rather before a word that joins, and so on. */
function piecesOf(clause: string): readonly string[] {
  if (Array.from(clause).length <= longestClause) return [clause];
  const words = clause
    .split(/\s+/u)
    .filter((word) => !/^(?:a|an|the)$/iu.test(word))
    .flatMap(unspacedPieces);
  return parted(words)
    .map((piece) => withoutDangling(piece).join(" "))
    .filter((piece) => wordKeys(piece).size > 0);
}

function parted(words: readonly string[]): readonly (readonly string[])[] {
  if (sizeOf(words) <= longestClause || words.length < 2) return [words];
  const cuts = words.slice(1).map((word, index) => {
    const [before, after] = [sizeOf(words.slice(0, index + 1)), sizeOf(words.slice(index + 1))];
    return { at: index + 1, cost: Math.max(before, after) - joinedBy(word) };
  });
  const { at } = cuts.reduce((best, cut) => (cut.cost < best.cost ? cut : best));
  return [...parted(words.slice(0, at)), ...parted(words.slice(at))];
}

function sizeOf(words: readonly string[]): number {
  return Array.from(words.join(" ")).length;
}

/** How good a place before this word is to part a clause, in characters. */
function joinedBy(word: string): number {
  const lower = word.toLowerCase();
  if (/^(?:i|we|he|she|they)$/u.test(lower)) return 14;
  return conjunctions.has(lower) ? 16 : connectives.has(lower) ? 10 : 0;
}

function withoutDangling(words: readonly string[]): readonly string[] {
  let [from, to] = [0, words.length];
  while (from < to && leading.has((words[from] ?? "").toLowerCase())) from += 1;
  while (to > from && trailing.has((words[to - 1] ?? "").toLowerCase())) to -= 1;
  return words.slice(from, to);
}

/** A long run without spaces is parted behind its endings in Hiragana, and at the latest at forty. */
function unspacedPieces(word: string): readonly string[] {
  if (Array.from(word).length <= longestClause) return [word];
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return [];
  const parts = word.split(/(?<=\p{Script=Hiragana})(?=[\p{Script=Han}\p{Script=Katakana}])/u);
  const pieces: string[] = [""];
  for (const part of parts.flatMap((one) => one.match(/.{1,40}/gsu) ?? [])) {
    const joined = `${pieces.at(-1) ?? ""}${part}`;
    if (Array.from(joined).length <= longestClause / 2) pieces[pieces.length - 1] = joined;
    else pieces.push(part);
  }
  return pieces.filter((piece) => piece !== "");
}
