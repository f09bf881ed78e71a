import type { Passage, Role, SourceSection } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";
import type { Keyword, SaidLine, TermCounts } from "../../text/extract/keywords.ts";
import type { KeptLine } from "../../text/extract/noise.ts";
import { mostKeywords } from "../../text/word-keys.ts";
import { type Item, roleTold } from "./items.ts";
import { longestText, plainKey, sentencesOf, tidy } from "../../text/extract/sentences.ts";
import { contentWords } from "../../text/extract/words.ts";

/** The source lines of a kept line. */
export function refOf(section: SourceSection, line: { readonly number: number; readonly to?: number }): Ref {
  return { log: section.log, from: line.number, to: Math.max(line.number, line.to ?? 0) };
}

/** An empty passage of a section. */
export function passageOf(section: SourceSection, role: Role, topic: string): Passage {
  return {
    role,
    topic,
    type: section.type,
    tag: section.tag,
    text: "",
    lines: [],
    refs: [],
    progress: "active",
    at: [0, 0],
    weight: 1,
    naming: "given",
  };
}

/** A topic with its keywords and their scores. */
export function keyedTopic(
  section: SourceSection,
  topic: string,
  counts: TermCounts,
  rarity?: (key: string) => number,
): Passage {
  const keywords = counts.top(mostKeywords, rarity === undefined ? { without: topic } : { without: topic, rarity });
  return withKeywords(wholeSection(section, topic), keywords);
}

export function withKeywords(passage: Passage, keywords: readonly Keyword[]): Passage {
  const text = keywords.map((keyword) => keyword.shown).join(", ");
  return { ...passage, text, scores: keywords.map((keyword) => keyword.score) };
}

/** An empty topic whose refs cover the section. */
export function wholeSection(section: SourceSection, topic: string): Passage {
  const first = section.lines.find(saysSomething) ?? section.lines[0];
  const last = section.lines.findLast(saysSomething) ?? section.lines.at(-1);
  const refs = [{ log: section.log, from: first?.number ?? 0, to: last?.number ?? 0 }];
  return { ...passageOf(section, "topic", topic), refs, weight: 1 + Math.log2(1 + section.lines.length) / 4 };
}

function saysSomething(line: { readonly text: string }): boolean {
  return line.text.trim() !== "";
}

/** Whether a heading only identifies a conversation, such as `Session 12`. */
export function isIdLike(topic: string): boolean {
  return (
    /^(?:session|conversation|chat|thread|log)\b[\s:#-]*(?:[\w-]*\d[\w-]*|[a-f]*)$/iu.test(topic) ||
    /^[0-9a-f-]{8,}$/iu.test(topic)
  );
}

const times =
  /^(?:\d{1,2}[:.]\d{2}(?:\s?[ap]m)?|\d{1,2}\s?[ap]m|\d{1,2}시|\d{1,2}時|\d{4}-\d{2}-\d{2})(?:\s?[–—-]\s?\d{1,2}[:.]\d{2})?$/iu;
const general =
  /^(?:(?:daily|meeting|work|dev|personal|my|quick|random|morning|afternoon|evening|today['’]?s)\s+)?(?:notes?|log|journal|diary|misc|miscellaneous|other|stuff|thoughts|scratch(?:pad)?|morning|afternoon|evening|today|updates?|standup|summary)$|^(?:메모|노트|일지|일기|기록|업무 ?일지|회의록|오늘|기타|오전|오후|メモ|ノート|日記|日誌|記録|日報|その他|午前|午後|今日|议程|笔记|日记|记录|日志|杂项|其他|今天|上午|下午|会议记录)$/iu;

/** Whether a heading gives only a time or a kind of note, not a subject. */
export function namesNothing(topic: string): boolean {
  const said = topic.trim();
  return times.test(said) || general.test(said);
}

/** Whether the section has a heading that names a topic. */
export function isNamed(section: SourceSection): boolean {
  return section.topic !== "" && !isIdLike(section.topic);
}

/** The best phrase or word as a topic's name; empty if there is none. */
export function nameOf(counts: TermCounts, rarity?: (key: string) => number): string {
  return counts.names(rarity)[0] ?? counts.top(1, { without: "" })[0]?.shown ?? "";
}

/** One line of a future summary, with its source lines. */
interface Told {
  readonly role: Role;
  readonly text: string;
  readonly weight: number;
  readonly number: number;
  readonly to: number;
}

/** An item as a source of keywords: decisions, results and lessons weigh more. */
export function saidIn(item: Item): SaidLine {
  const weight = item.role === "note" ? 1 : item.role === "open" ? 1.2 : 1.6;
  return { text: item.text.replace(plainKey, ""), weight };
}

const unnamed: Pick<Passage, "topic" | "progress"> = { topic: "", progress: "active" };

/** Passages for the items, under a topic if one is given. */
export function detailsOf(
  section: SourceSection,
  items: readonly Item[],
  { topic, progress } = unnamed,
): readonly Passage[] {
  const uses = items.some((item) => item.text.length > longestText) ? usesOf(items) : new Map<string, number>();
  const details: Passage[] = [];
  for (const item of items)
    for (const told of toldOf(item, uses))
      details.push({
        ...passageOf(section, told.role, topic),
        text: told.text,
        refs: [refOf(section, told)],
        progress,
        weight: told.weight,
      });
  return details;
}

/** How often each word occurs in a section. */
type WordUse = ReadonlyMap<string, number>;

function usesOf(items: readonly Item[]): WordUse {
  const uses = new Map<string, number>();
  for (const item of items) for (const { key } of contentWords(item.text)) uses.set(key, (uses.get(key) ?? 0) + 1);
  return uses;
}

/** A label that states the role of a sentence. */
const label = /^(?:todo|to do|lessons?(?: learned)?|learned|TIL|next steps?|open questions?)\s*[:：]\s*/iu;

/** One sentence is kept per this many characters of a paragraph. */
const charactersForSentence = 220;

/** A short item is kept whole; a long paragraph is reduced to its best sentences, each with its own lines. */
function toldOf(item: Item, uses: WordUse): readonly Told[] {
  const { role, number, to } = item;
  const whole = tidy(item.text);
  const value = item.weight + (/\d/u.test(whole) ? 0.3 : 0) + (/https?:\/\//u.test(whole) ? 0.5 : 0);
  const texts = sentencesOf(item.text);
  if (texts.length < 2) return [{ role, text: whole, weight: value, number, to }];
  const roles = texts.map((text) => (item.keyed === "free" ? roleTold(text) : undefined));
  if (item.text.length <= longestText && roles.every((own) => own === roles[0]))
    return [{ role, text: whole, weight: value, number, to }];
  const sentences = placed(texts, item);
  const free = sentences.filter((_, index) => roles[index] === undefined);
  const told = sentences.flatMap((sentence, index): readonly Told[] => {
    const own = roles[index];
    return own === undefined
      ? []
      : [
          {
            ...sentence,
            role: own,
            text: tidy(sentence.text.replace(label, "")),
            weight: own === "decision" ? 2.5 : 2,
          },
        ];
  });
  const rest = item.keyed === "free" && roles.some((own) => own !== undefined) ? "note" : role;
  return [...told, ...bestOf(free, { uses, role: rest, weight: rest === role ? item.weight : 1 })].toSorted(
    (a, b) => a.number - b.number,
  );
}

/** The best sentences, in order; how many depends on the total length. */
function bestOf(
  sentences: readonly Placed[],
  as: { readonly uses: WordUse; readonly role: Role; readonly weight: number },
): readonly Told[] {
  const length = sentences.reduce((sum, { text }) => sum + text.length, 0);
  return sentences
    .map((sentence) => ({ ...sentence, worth: worthOf(sentence.text, as.uses) }))
    .toSorted((a, b) => b.worth - a.worth || a.order - b.order)
    .slice(0, Math.ceil(length / charactersForSentence))
    .toSorted((a, b) => a.order - b.order)
    .map(({ text, worth, number, to }) => ({
      role: as.role,
      text: tidy(text),
      weight: as.weight + Math.min(1.2, worth / 5),
      number,
      to,
    }));
}

interface Placed {
  readonly text: string;
  readonly order: number;
  readonly number: number;
  readonly to: number;
}

/** The sentences in an item, each with its source lines. */
function placed(texts: readonly string[], item: Item): readonly Placed[] {
  const lines = item.parts.map(({ text }, at) => (at === 0 ? text : text.trim()));
  const joined = lines.join(" ");
  const partAt = (at: number): KeptLine | undefined => {
    let end = 0;
    return item.parts.find((_, index) => (end += (lines[index]?.length ?? 0) + 1) > at);
  };
  let from = 0;
  return texts.map((text, order) => {
    const at = Math.max(from, joined.indexOf(text, from));
    from = at + text.length;
    return { text, order, number: partAt(at)?.number ?? item.number, to: partAt(from - 1)?.to ?? item.to };
  });
}

const deciding =
  /\b(?:decided|agreed|chose|moved|switched|bought|started|stopped|changed|cancel\w*|prefer\w*|because|instead|no longer|deadline|must|never|always|paid|signed|broke|failed|fixed|shipped)\b|결정|하기로|때문|마감|변경|決|ことに|締切|変更|理由|决定|改为|因为|截止/iu;
const firstPerson = /\b(?:I|my|we|our)\b|나는|내가|제가|저는|우리|私|僕|我/u;

/**
 * Scores a sentence: facts (numbers, names, decisions and reasons), statements about people, and overlap with the rest
 * of the section (the first step of TextRank, Mihalcea and Tarau 2004: a sentence's degree in the graph of shared
 * words).
 */
function worthOf(sentence: string, uses: WordUse): number {
  const words = contentWords(sentence);
  if (words.length < 2) return 0;
  const shared = words.reduce((sum, { key }) => sum + Math.min(4, (uses.get(key) ?? 1) - 1), 0);
  let value = Math.min(6, words.length) / 3 + Math.min(2, (2 * shared) / (words.length + 2));
  if (/\d/u.test(sentence)) value += 1;
  value += Math.min(1.5, words.filter(({ shown }, at) => at > 0 && /^\p{Lu}|[a-z][A-Z]|_/u.test(shown)).length * 0.5);
  if (deciding.test(sentence)) value += 1.5;
  if (firstPerson.test(sentence)) value += 0.5;
  if (/[?？]$/u.test(sentence)) value -= 1;
  return sentence.length > longestText ? value - 1 : value;
}
