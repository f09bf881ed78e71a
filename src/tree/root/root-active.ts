import { clipText, isFound, type RootTopic, saidBy, type Sentence } from "./root-topics.ts";
import type { Role } from "../../base/passage.ts";
import { addDays, type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { dayOfRef } from "../../base/refs.ts";
import { saysTheSame, wordKeys } from "../../text/word-keys.ts";
import { byValue, nameWithClaim, refsOf, type RootCandidate } from "./root-lines.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** The days that are active; both ends count. */
interface ActiveDays {
  readonly first: Day;
  readonly last: Day;
}

/** First and last day of what is active: the seven days that end today, or the newest day with a log when they are empty. */
export function activeDays(topics: readonly RootTopic[], today: Day): ActiveDays {
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
const longestDetail = 150;
/** A text shorter than this says little; a second one stands beside it, cut if need be. */
const leastDetail = 30;
/** Characters that a newer statement keeps beside an open item. */
const longestBesideOpen = 80;
/**
 * What is going on: for each topic of the active days one line with its state, newest first; for each other topic that is not completed what
 * has been open since before. What is in progress comes first, then what is heavier and fresher. What two topics say alike stands once.
 */
export function activeLines(topics: readonly RootTopic[], window: ActiveDays): readonly RootCandidate[] {
  const told = new Set<string>();
  const states = topics
    .map((topic) => ({ topic, state: stateOf(topic, window) }))
    .filter(({ state }) => state !== undefined)
    .map(({ topic, state }) => ({ topic, state: state as State, value: valueOf(topic, state as State) }))
    .toSorted((a, b) => b.value - a.value || (a.topic.key < b.topic.key ? -1 : 1));
  // Beside enough that is said in sentences, keywords of what nobody named only say again what the index says.
  const isEnough = states.filter(({ state }) => state.parts.length > 0).length >= enoughSaid;
  return states
    .filter(({ topic, state }) => !(isEnough && topic.naming === "found" && state.parts.length === 0))
    .flatMap(({ topic, state, value }): readonly RootCandidate[] => {
      const fresh = state.parts.filter((part) => !told.has(topicKey(part.text)));
      const { text, from } = fresh.length === 0 ? state.keywords : lineOf(fresh);
      if (text === "" || (fresh.length === 0 && state.parts.length > 0)) return [];
      for (const part of fresh) told.add(topicKey(part.text));
      const section = "Active Context (recent ~7 days)";
      return [
        {
          section,
          text: `- ${nameWithClaim(topic, from)}: ${text}`,
          topic: topic.key,
          refs: refsOf(from),
          from,
          value,
        },
      ];
    })
    .toSorted(byValue);
}

/** Topics with a sentence from which on keywords are left out. */
const enoughSaid = 5;

/** A part of a topic's state, as it would be said: an open item with the day since when it is open. */
interface Part extends Sentence {
  readonly from: readonly PlacedPassage[];
  /** `open since 03-02: ` before an open item; otherwise empty. */
  readonly prefix: string;
}

interface State {
  /** Best first. */
  readonly parts: readonly Part[];
  readonly open: "open" | "carried" | "none";
  /** Where no sentence is known. */
  readonly keywords: { readonly text: string; readonly from: readonly PlacedPassage[] };
}

const noKeywords = { text: "", from: [] };

function stateOf(topic: RootTopic, window: ActiveDays): State | undefined {
  const said = topic.details.map(saidBy).filter((one) => one !== undefined);
  if (!topic.days.some((day) => isIn(day, window))) return carriedState(topic, said, window);
  // What a completed topic left open counts when its last day says it.
  const open = openItems(said).filter(
    ({ last }) => isIn(last.day, window) && (topic.progress !== "done" || last.day === topic.last),
  );
  const parts = [
    ...open.map((item) => ({ item: openPart(item, window), rank: topic.progress === "done" ? 2 : 4 })),
    ...factsFirst(topic, newIn(topic, said, window)).map((one) => ({ item: plainPart(one), rank: rankOf(one) })),
  ];
  if (parts.length === 0 && isPreserved(topic.type)) return undefined;
  // Where sentences are known and none of them is a state, the index says enough.
  const keywords = said.some(({ day }) => isIn(day, window)) ? noKeywords : keywordsIn(topic, window);
  const isOpen = open.length > 0 && topic.progress !== "done";
  return { parts: inOrder(parts), open: isOpen ? "open" : "none", keywords };
}

function isIn(day: Day, window: ActiveDays): boolean {
  return day >= window.first && day <= window.last;
}

/** What a topic that is not completed has left open since before the active days. */
function carriedState(topic: RootTopic, said: readonly Sentence[], window: ActiveDays): State | undefined {
  if (topic.progress === "done") return undefined;
  const items = openItems(said).filter(({ last }) => last.day < window.first && isRecent(last.day, window));
  const parts = items.map((item) => openPart(item, window));
  return parts.length === 0 ? undefined : { parts, open: "carried", keywords: noKeywords };
}

/** What was said in the active days; of a person and their corrections only what was not said before. */
function newIn(topic: RootTopic, said: readonly Sentence[], window: ActiveDays): readonly Sentence[] {
  const inWindow = said.filter(({ day, passage }) => isIn(day, window) && passage.role !== "open");
  if (!isPreserved(topic.type)) return inWindow;
  const before = said.filter(({ day }) => day < window.first);
  return inWindow.filter((one) => !before.some((old) => isRepeat(one, old)));
}

function isRecent(day: Day, window: ActiveDays): boolean {
  return day >= addDays(window.first, -longestCarried);
}

/** States before remarks; then newest first, and of one day the weightiest first. */
function inOrder(parts: readonly { readonly item: Part; readonly rank: number }[]): readonly Part[] {
  return parts
    .toSorted(
      (a, b) =>
        Number(b.rank > 1) - Number(a.rank > 1) ||
        (a.item.day === b.item.day ? b.rank - a.rank : a.item.day < b.item.day ? 1 : -1),
    )
    .map(({ item }) => item);
}

/** How much the role of a statement says about the state of its topic. A word or two say little, whatever their role. */
function rankOf({ passage, text }: Sentence): number {
  if (Array.from(text).length < 8) return 0.5;
  const ranks = {
    preserved: 4,
    open: 4,
    blocked: 4,
    said: 4,
    decision: 3,
    done: 3,
    failed: 3,
    abandoned: 3,
    lesson: 2,
  };
  return (ranks as Partial<Record<Role, number>>)[passage.role] ?? (passage.role === "note" ? 1 : 0);
}

function plainPart(said: Sentence): Part {
  return { ...said, prefix: "", from: [said.passage] };
}

function openPart({ since, last, from }: OpenItem, window: ActiveDays): Part {
  const day = since.slice(0, 4) === window.first.slice(0, 4) ? since.slice(5) : since;
  return { ...last, prefix: `open since ${day}: `, from: from.map(({ passage }) => passage) };
}

function isRepeat(a: Sentence, b: Sentence): boolean {
  return a.text === b.text || (a.keys.size > 1 && b.keys.size > 1 && saysTheSame(a.keys, b.keys));
}

/** The first part, and a second one where it fits whole or the first says little. What is open is always told, beside a shorter first part. */
function lineOf(parts: readonly Part[]): { readonly text: string; readonly from: readonly PlacedPassage[] } {
  const [first, ...rest] = parts;
  if (first === undefined) return noKeywords;
  const others = rest.filter((part) => !isRepeat(part, first));
  const open = first.prefix === "" ? others.find(({ prefix }) => prefix !== "") : undefined;
  const room = open === undefined ? longestDetail : Math.max(longestBesideOpen, longestDetail - lengthOf(open) - 2);
  const text = `${first.prefix}${clipText(first.text, room - first.prefix.length)}`;
  const left = longestDetail - Array.from(text).length - 2;
  const isShort = Array.from(text).length < leastDetail;
  const second = open ?? others.find((part) => isShort || lengthOf(part) <= left);
  if (second === undefined) return { text, from: first.from };
  const prefix = second.prefix === first.prefix ? "" : second.prefix;
  const added = `${prefix}${clipText(second.text, left - prefix.length)}`;
  return { text: `${text.replace(/[.。]$/u, "")}; ${added}`, from: [...first.from, ...second.from] };
}

function lengthOf({ prefix, text }: Part): number {
  return prefix.length + Array.from(text).length;
}

/** The keywords of the active days, for a topic of which no sentence is known. */
function keywordsIn(topic: RootTopic, window: ActiveDays): State["keywords"] {
  const from = topic.entries.filter(
    (entry) => entry.text !== "" && entry.refs.some((ref) => isIn(dayOfRef(ref), window)),
  );
  const words = [...new Set(from.flatMap((entry) => entry.text.split(", ")))].slice(0, 6);
  return { text: clipText(words.join(", "), longestDetail), from };
}

function valueOf(topic: RootTopic, state: State): number {
  const progress = state.open === "none" ? (topic.progress === "done" ? -1 : 0.5) : 1.5;
  const said = state.parts.length === 0 ? -2 : 0;
  const age = state.open === "carried" ? topic.age * 0.06 : topic.age * 0.15;
  return progress + said + Math.log2(1 + topic.weight) + (isPreserved(topic.type) ? 1 : 0) - age;
}

/**
 * The statements of a topic that can stand for its state. Of a topic that nobody named, which was found in a conversation, these are what the
 * person said of themselves, then other statements; greetings and bare questions are no state of anything.
 */
function factsFirst(topic: RootTopic, said: readonly Sentence[]): readonly Sentence[] {
  if (!isFound(topic)) return said;
  const facts = said.map(asFact).filter((one) => one !== undefined);
  const own = facts.filter(({ text }) => isOwn(text));
  return (own.length > 0 ? own : facts).toSorted((a, b) => tellingOf(b.text) - tellingOf(a.text));
}

/** What is stated in a sentence: without its lead-in and without a question at its end. Undefined for a greeting or a bare question. */
function asFact(said: Sentence): Sentence | undefined {
  const text = said.text.replace(leadIn, "").replace(questionAtEnd, "").trim();
  if (/[?？]$/u.test(text) || asks.test(text) || wordKeys(text).size < 2) return undefined;
  const shown =
    /^\p{Ll}/u.test(text) && /^\p{Lu}/u.test(said.text) ? `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}` : text;
  return { ...said, text: shown, keys: wordKeys(shown) };
}

const leadIn =
  /^(?:(?:hi|hello|hey|thanks(?: a lot| so much)?|thank you(?: so much)?|great|ok(?:ay)?|sure|wow|well|oh|안녕하세요|감사합니다|こんにちは|ありがとう(?:ございます)?|你好|谢谢)(?: there)?[,!.:—–。！，、]\s*|(?:so(?! far\b)|and|but|by the way|btw|also|anyway|actually)[,\s]\s*)+/iu;
const questionAtEnd =
  /[,;—–]\s*(?:(?:and|so|but)\s+)?(?:can|could|would|will|do|does|did|what|which|how|why|where|when|is|are|any|should)\b[^,;]*[?？]$/iu;
const asks =
  /^(?:can|could|would you|do you|does|did|what|which|how|why|where|when|is (?:it|there|this|that)|are there|any|should|please|tell me|help me|give me|suggest|recommend|I(?:'d like| want| need) you to|act (?:as|like)|(?:re)?write|explain|create|generate|translate|summari[sz]e|continue)\b/iu;
const ownWords = /\b(?:I|I'm|I've|my|mine|me|we|our)\b/iu;
const ownElsewhere = /나는|내가|제가|저는|나의|우리|私|僕|俺|我|우린|난\s/u;

const happened =
  /\b(?:bought|got|moved|started|adopted|attended|visited|joined|finished|booked|live|work|study|grew up|was born|married|allergic|diagnosed|decided|switched|planning|scheduled|signed up|own|my (?:wife|husband|partner|mother|mom|father|dad|sister|brother|son|daughter|friend|boss|doctor|vet|job|company|team|car|dog|cat|house|birthday))\b|이사|샀|키우|키워|일하|다니|결혼|예약|引っ越|買っ|飼っ|働い|住ん|始め|結婚|予約|搬|买了|养|工作|住在|结婚/iu;
const meant =
  /\b(?:I think|I guess|I see|I(?:'d| would) (?:like|love)|I(?:'m| am) (?:glad|not sure|worried|curious|interested|wondering|trying to)|I was wondering|I want you|I need you|I(?:'ll| will)|let me|thanks|like that|sounds)\b/iu;

/** How much a sentence says of the person: what happened and what they have tells more than what they think or wish; names and numbers tell more. */
function tellingOf(text: string): number {
  const names = text.match(/(?<=[\p{L},]\s)\p{Lu}[\p{L}]+/gu)?.length ?? 0;
  return (
    (happened.test(text) ? 2 : 0) +
    (/\d/u.test(text) ? 1 : 0) +
    Math.min(2, names) / 2 +
    Math.min(8, wordKeys(text).size) / 8 -
    (meant.test(text) ? 1.5 : 0)
  );
}

function isOwn(text: string): boolean {
  return ownWords.test(text) || ownElsewhere.test(text);
}

/** Something that is still to be done. */
export interface OpenItem {
  /** The day on which it was said first. */
  readonly since: Day;
  /** The newest that was said of it. */
  readonly last: Sentence;
  /** All that was said of it, newest first. */
  readonly from: readonly Sentence[];
}

/** The open items of a topic that nothing newer closes, newest first. `said`: everything told of it, newest first. */
export function openItems(said: readonly Sentence[]): readonly OpenItem[] {
  const items: { readonly last: Sentence; readonly from: Sentence[] }[] = [];
  said.forEach((one, index) => {
    if (one.passage.role !== "open") return;
    if (said.slice(0, index).some((newer) => closes(newer, one))) return;
    const known = items.find(({ last }) => last.text === one.text || saysTheSame(last.keys, one.keys));
    if (known !== undefined) known.from.push(one);
    else items.push({ last: one, from: [one] });
  });
  return items.map(({ last, from }) => ({ last, from, since: sinceOf(from) }));
}

/** An outcome of a later day closes what was open before it; one of the same day only what it names. */
function closes(newer: Sentence, item: Sentence): boolean {
  if (newer.passage.role !== "done" || unfinished.test(newer.text)) return false;
  return newer.day > item.day || saysTheSame(newer.keys, item.keys);
}

/** A status is no outcome: what is under way closes nothing. */
const unfinished =
  /^(?:in progress|in review|ongoing|under way|started|blocked|pending|waiting|paused|open|wip|partly|half|draft|on staging|진행|작업 중|검토 중|대기|보류|進行中|対応中|作業中|確認中|保留|进行中|处理中)|\b(?:not yet|still|so far|until|halfway)\b|아직|まだ|尚未/iu;

/** Days after which an open item of which nothing more is heard is none any longer. */
export const longestCarried = 90;

/** The first day of the same words, without a longer silence since. What only sounds alike is no older mention of it. */
function sinceOf(from: readonly Sentence[]): Day {
  const [last] = from;
  const same = from.filter(({ keys }) => [...keys].join(" ") === [...(last?.keys ?? [])].join(" "));
  const days = same.flatMap(({ passage }) => passage.refs.map(dayOfRef)).toSorted();
  const newest = days.at(-1) ?? "";
  return days.toReversed().reduce((since, day) => (daysBetween(day, since) <= longestCarried ? day : since), newest);
}
