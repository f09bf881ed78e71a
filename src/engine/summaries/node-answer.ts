import { isPreserved, topicKey } from "../../base/memory-type.ts";
import type { NumberedLine } from "../../base/lines.ts";
import type { Passage } from "../../base/passage.ts";
import { nameKey } from "../../base/topic-names.ts";
import { bestRefs, createLineIndex, type LineIndex } from "../../summarize/answers/match.ts";
import type { SourceText } from "../../summarize/answers/request.ts";
import { longestText, tidy } from "../../summarize/sentences.ts";
import { daysCovered, nodeLabel, type NodeName } from "../../tree/period.ts";
import { parseSummary, printSummary } from "../../tree/summary-format.ts";
import { cleanTopicName } from "../../tree/topic-format.ts";
import { mostKeywords } from "../../base/keyword-list.ts";

/** What an answer is read against. */
export interface AnswerContext {
  readonly name: NodeName;
  readonly sources: readonly SourceText[];
  /** What the built-in summarizer would tell: it knows the types of topics. */
  readonly ranked: readonly Passage[];
}

/**
 * The lines of a checked answer as they are recorded: the passages that it says, printed as a summary prints them, each with the source lines that fit it best. Without
 * the entries that must be kept, which the program writes. An answer gives no topic the type `user` or `feedback` that the sources do not give it.
 */
export function summaryOfAnswer(lines: readonly NumberedLine[], context: AnswerContext): readonly string[] {
  const near = daysCovered(context.name.level, context.name.period).first;
  const read = parseSummary({ lines: lines.map(({ text }) => text), firstLine: 1, spans: [], fallback: [], near });
  const index = createLineIndex(context.sources);
  const known = new KnownTopics(context.ranked);
  const told = onceEach(read.filter(({ role }) => role !== "preserved").flatMap((passage) => cleaned(passage, known)));
  const placed = told.map((passage) => placedIn(index, passage));
  return printInOrder(context.name, placed);
}

/** A passage with its places. A topic that nobody named is one by the lines that it leads to; without any it is like one that somebody named. */
function placedIn(index: LineIndex, passage: Passage): Passage {
  const refs = refsOf(passage, index);
  return { ...passage, refs, naming: refs.some(({ from }) => from > 0) ? passage.naming : "given" };
}

function refsOf({ role, topic, text }: Passage, index: LineIndex): Passage["refs"] {
  return bestRefs({ topic: role === "entity" ? "" : topic, text: role === "topic" ? `${topic} ${text}` : text }, index);
}

/** A passage as a summary may have it; none when nothing is told. */
function cleaned(passage: Passage, known: KnownTopics): readonly Passage[] {
  const topic = cleanTopicName(tidy(passage.topic));
  const isTopic = passage.role === "topic";
  const text = isTopic ? keywordsIn(passage.text) : tidy(passage.text);
  if (isTopic ? topic === "" : text === "") return [];
  const found = known.of(topic);
  const claimed = isPreserved(passage.type) ? "project" : passage.type;
  const type = found === undefined ? claimed : isPreserved(found.type) && !isTopic ? "project" : found.type;
  const naming = found?.naming ?? (isTopic ? "found" : "given");
  return [{ ...passage, topic, text, type, naming, progress: found?.progress ?? "active", at: [0, 0] }];
}

/** A comma within a number (`4,200`) ends no keyword. */
const keywordEnd = /(?<!\d),|,(?!\d{3}(?!\d))|[，、]/u;

/** At most twelve, together no longer than any other text. */
function keywordsIn(text: string): string {
  const words = tidy(text, text.length)
    .replaceAll(/[[\](){};"\\]/gu, " ")
    .split(keywordEnd)
    .map((word) => word.replaceAll(/\s+/gu, " ").trim());
  const kept: string[] = [];
  let length = 0;
  for (const word of new Set(words)) {
    length += word.length + 2;
    if (kept.length === mostKeywords || length > longestText) break;
    if (word !== "") kept.push(word);
  }
  return kept.join(", ");
}

/** The first of what is said twice. */
function onceEach(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Set<string>();
  return passages.filter(({ role, topic, text }) => {
    const key = role === "topic" ? `topic\n${nameKey(topic)}` : `${role}\n${topicKey(topic)}\n${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

class KnownTopics {
  readonly #byName = new Map<string, Passage>();

  constructor(ranked: readonly Passage[]) {
    for (const passage of ranked.toReversed())
      if (passage.role === "topic") {
        this.#byName.set(nameKey(passage.topic), passage);
        this.#byName.set(`=${topicKey(passage.topic)}`, passage);
      }
  }

  /** The topic of that very name, else one of the same words, unless that is a person's own. */
  of(topic: string): Passage | undefined {
    const own = this.#byName.get(`=${topicKey(topic)}`);
    const alike = own ?? this.#byName.get(nameKey(topic));
    return alike === own || alike === undefined || !isPreserved(alike.type) ? alike : undefined;
  }
}

/** The sections in the order of the format, each with its passages in the order of the answer: what stands last is the first to go where space is short. */
function printInOrder(name: NodeName, passages: readonly Passage[]): readonly string[] {
  const empty = printSummary(name.level, nodeLabel(name), passages).body.filter((line) => line.startsWith("## "));
  const sections = new Map(empty.map((heading): [string, string[]] => [heading, []]));
  for (const passage of passages) {
    const [heading = "", line = ""] = printSummary(name.level, nodeLabel(name), [passage]).body.slice(-2);
    sections.get(heading)?.push(line);
  }
  const parts = Array.from(sections, ([heading, lines]) => [heading, ...lines]);
  return parts.flatMap((part, index) => (index === 0 ? part : ["", ...part]));
}
