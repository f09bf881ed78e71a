import { sentenceOf } from "./root-statements.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, type MemoryType, topicKey, tagAmong } from "../../base/memory-type.ts";
import type { Passage, Progress } from "../../base/passage.ts";
import { mergeKeywords, groupByName, wordKeys } from "../../text/word-keys.ts";
import { compareRefs, dayOfRef, lastDayOf, mergeRefs, type Ref } from "../../base/refs.ts";
import { preservedKeywords } from "./root-preserved.ts";

/** Everything the monthlies say of one topic. */
export interface RootTopic {
  readonly key: string;
  readonly name: string;
  readonly type: MemoryType;
  /** See `Passage`. */
  readonly tag?: string | undefined;
  /** Whether somebody named it. */
  readonly naming: Passage["naming"];
  readonly progress: Progress;
  readonly keywords: readonly string[];
  /** Where to look: a knowledge file or an address. Empty when none is named. */
  readonly pointer: string;
  readonly refs: readonly Ref[];
  readonly days: readonly Day[];
  readonly last: Day;
  /** Whole days since the last mention; 0 for a day to come. */
  readonly age: number;
  readonly weight: number;
  /** The topic's own lines. */
  readonly entries: readonly PlacedPassage[];
  /** What is told of it: decisions, open items and the like, best first. */
  readonly details: readonly PlacedPassage[];
}

/** The topics of all monthlies, as of a day. */
export function gatherTopics(passages: readonly PlacedPassage[], today: Day): readonly RootTopic[] {
  const told = passages.filter(({ topic, role }) => topic !== "" && role !== "entity");
  const groups = groupByName(told, ({ type }) => isPreserved(type));
  return groups.map((group) => gatherTopic(group, today)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function gatherTopic(group: readonly PlacedPassage[], today: Day): RootTopic {
  const newestFirst = group.toSorted((a, b) => compareRefs(newestRef(b), newestRef(a)));
  const entries = newestFirst.filter((passage) => passage.role === "topic");
  const head = entries[0] ?? newestFirst[0];
  const refs = mergeRefs((entries.length > 0 ? entries : newestFirst).flatMap((passage) => passage.refs));
  const days = [...new Set(group.flatMap((passage) => passage.refs.map(dayOfRef)))].toSorted();
  const last = days.at(-1) ?? today;
  const details = newestFirst.filter((passage) => passage.role !== "topic");
  const type = group.find((passage) => isPreserved(passage.type))?.type ?? head?.type ?? "project";
  return {
    key: topicKey(head?.topic ?? ""),
    name: head?.topic ?? "",
    type,
    tag: tagAmong(group, type),
    naming: isNamed(entries, details) ? "given" : "found",
    progress: head?.progress ?? "active",
    keywords: keywordsOf(type, entries, details),
    pointer: pointerOf(head?.type ?? "project", group),
    refs,
    days,
    last,
    age: Math.max(0, daysBetween(last, today)),
    weight: entries.length + days.length * 2 + details.length / 2,
    entries,
    details,
  };
}

/** What is only told in notes has no line that names it: a topic that somebody named always has one. */
function isNamed(entries: readonly Passage[], details: readonly Passage[]): boolean {
  if (entries.length > 0) return entries.some(({ naming }) => naming === "given");
  return details.some(({ role }) => role !== "note");
}

const noRef: Ref = { log: "", from: 0, to: 0 };

function newestRef(passage: Passage): Ref {
  return passage.refs.reduce((newest, ref) => (compareRefs(ref, newest) > 0 ? ref : newest), noRef);
}

const mostKeywords = 12;

/** The newest words first; a topic that only has details takes the beginning of the best one. */
function keywordsOf(
  type: MemoryType,
  entries: readonly PlacedPassage[],
  details: readonly PlacedPassage[],
): readonly string[] {
  const facts = isPreserved(type) ? preservedKeywords(details) : [];
  if (facts.length > 0) return facts;
  const words = mergeKeywords(
    entries.map((entry) => entry.text.split(", ")),
    mostKeywords,
  );
  const first = details.find((passage) => passage.text !== "")?.text ?? "";
  return words.length > 0 || first === "" ? words : [first.split(" ").slice(0, 12).join(" ")];
}

function pointerOf(type: MemoryType, group: readonly PlacedPassage[]): string {
  const texts = group.flatMap((passage) => [passage.text, ...passage.lines.map((line) => line.text)]);
  for (const text of texts) {
    const knowledge = /\bknowledge\/[\p{L}\p{N}._/-]+\.md\b/u.exec(text);
    if (knowledge !== null) return knowledge[0];
  }
  if (type !== "reference") return "";
  for (const text of texts) {
    const address = /https?:\/\/[^\s<>()[\]"'`]+/u.exec(text);
    if (address !== null && address[0].length <= 120) return address[0].replace(/[.,;:]+$/u, "");
  }
  return "";
}

/** A sentence that a passage says, ready to stand in ROOT.md. */
export interface Sentence {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly passage: PlacedPassage;
  /** Its newest day. */
  readonly day: Day;
}

/** What a passage says in one sentence; undefined when that is nothing, or no more than the topic's name. */
export function saidBy(passage: PlacedPassage): Sentence | undefined {
  const text = sentenceOf(passage);
  const name = topicKey(passage.topic);
  if (!/[\p{L}\p{N}]/u.test(text) || topicKey(text.replace(/[.!。…\s]+$/u, "")) === name) return undefined;
  return { text, keys: wordKeys(text), passage, day: lastDayOf(passage.refs) };
}

/** Ends of clauses, at which a text may be cut. */
const clauseEnd = /[;.!?,:](?=\s)|\s[–—-](?=\s)|[。！？；，、]/gu;

/**
 * At most `most` characters of a text: whole when it fits, else up to the last end of a clause in its second half, else up to the last whole
 * word; then with an ellipsis. A word is never cut; Han and Kana, which have no spaces, are cut between two characters.
 */
export function clipText(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  const clause = [...`${cut} `.matchAll(clauseEnd)].map(({ index }) => index).filter((at) => at > cut.length / 2);
  const at = clause.at(-1) ?? lastWordEnd(cut, characters[most - 1] ?? "");
  return `${cut.slice(0, at).replace(/[\s,;:.–—、，；-]+$/u, "")}…`;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー。、，；！？]/u;

function lastWordEnd(cut: string, next: string): number {
  if (next === " " || unspaced.test(next)) return cut.length;
  const letters = Array.from(cut);
  let end = letters.length;
  while (end > 0 && letters[end - 1] !== " " && !unspaced.test(letters[end - 1] ?? "")) end -= 1;
  return end === 0 ? cut.length : letters.slice(0, end).join("").length;
}

/** Whether nobody named the topic, so that its name is no more than the words it was found by. */
export function isFound(topic: RootTopic): boolean {
  const named = topic.entries.length > 0 ? topic.entries : topic.details;
  return named.length > 0 && named.every(({ naming }) => naming === "found");
}
