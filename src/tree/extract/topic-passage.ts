import type { Passage, SourceSection } from "../../base/passage.ts";
import type { Keyword, TermCounts } from "../../text/extract/keywords.ts";
import { passageOf } from "./passage-of.ts";
import { mostKeywords } from "../../text/word-keys.ts";

/** A topic with the keywords of its terms and what each of them says. */
export function keyedTopic(
  section: SourceSection,
  topic: string,
  counts: TermCounts,
  rarity?: (key: string) => number,
): Passage {
  const keywords = counts.top(mostKeywords, rarity === undefined ? { without: topic } : { without: topic, rarity });
  return withKeywords(wholeSection(section, topic), keywords);
}

/** A topic's passage with these keywords as its text. */
export function withKeywords(passage: Passage, keywords: readonly Keyword[]): Passage {
  const text = keywords.map((keyword) => keyword.shown).join(", ");
  return { ...passage, text, scores: keywords.map((keyword) => keyword.score) };
}

/** A topic of which nothing is told yet; its refs are the section from its first to its last line. */
export function wholeSection(section: SourceSection, topic: string): Passage {
  const first = section.lines.find(saysSomething) ?? section.lines[0];
  const last = section.lines.findLast(saysSomething) ?? section.lines.at(-1);
  const refs = [{ log: section.log, from: first?.number ?? 0, to: last?.number ?? 0 }];
  return { ...passageOf(section, "topic", topic), refs, weight: 1 + Math.log2(1 + section.lines.length) / 4 };
}

function saysSomething(line: { readonly text: string }): boolean {
  return line.text.trim() !== "";
}

/** Headings that only number a conversation. */
export function isIdLike(topic: string): boolean {
  return /^(?:session|conversation|chat|thread|log)\b[\s:#-]*[\w-]*$/iu.test(topic) || /^[0-9a-f-]{8,}$/iu.test(topic);
}

const times =
  /^(?:\d{1,2}[:.]\d{2}(?:\s?[ap]m)?|\d{1,2}\s?[ap]m|\d{1,2}시|\d{1,2}時|\d{4}-\d{2}-\d{2})(?:\s?[–—-]\s?\d{1,2}[:.]\d{2})?$/iu;
const general =
  /^(?:(?:daily|meeting|work|dev|personal|my|quick|random|morning|afternoon|evening|today['’]?s)\s+)?(?:notes?|log|journal|diary|misc|miscellaneous|other|stuff|thoughts|scratch(?:pad)?|morning|afternoon|evening|today|updates?|standup|summary)$|^(?:메모|노트|일지|일기|기록|업무 ?일지|회의록|오늘|기타|오전|오후|メモ|ノート|日記|日誌|記録|日報|その他|午前|午後|今日|议程|笔记|日记|记录|日志|杂项|其他|今天|上午|下午|会议记录)$/iu;

/** Headings that say when or that something was noted, not what it is about. */
export function namesNothing(topic: string): boolean {
  const said = topic.trim();
  return times.test(said) || general.test(said);
}

/** Whether somebody gave a section a topic. */
export function isNamed(section: SourceSection): boolean {
  return section.topic !== "" && !isIdLike(section.topic);
}

/** The best phrase or word of a text as a topic's name. Empty when there is none. */
export function nameOf(counts: TermCounts, rarity?: (key: string) => number): string {
  return counts.names(rarity)[0] ?? counts.top(1, { without: "" })[0]?.shown ?? "";
}
