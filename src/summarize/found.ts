import { topicKey } from "../base/memory-type.ts";
import type { Passage } from "../base/passage.ts";
import { mergeRefs, refsOverlap, type Ref } from "../base/refs.ts";
import { indexLines, rankKeywords, type FoundTopic, type TopicLine } from "../base/topic-lines.ts";
import type { Space } from "./space.ts";
import { bytesOfLine } from "./space.ts";
import { contentWords } from "./words.ts";

/** Keywords of a line for one found topic, and for several. */
const mostKeywords = 11;
const mostTogether = 16;
/** Places that a line leads to. */
const mostPlaces = 8;

/**
 * The topics that nobody named, each with its best keywords among those of all; in a space too small for a line each, those that share a word share
 * a line. What is told of them gets the name that they have in the end; what is told of a topic that did not fit is left out.
 */
export function rankFound(
  topics: readonly Passage[],
  details: readonly Passage[],
  space: Space,
): { readonly topics: readonly Passage[]; readonly details: readonly Passage[] } {
  if (topics.length === 0) return { topics: [], details: [] };
  const lines = linesOf(topics, space);
  const byLog = new Map<string, Passage[]>();
  for (const line of lines)
    for (const log of new Set(line.refs.map((ref) => ref.log))) {
      const list = byLog.get(log);
      if (list === undefined) byLog.set(log, [line]);
      else list.push(line);
    }
  const renamed = details.flatMap((detail): readonly Passage[] => {
    const from = byLog.get(detail.refs[0]?.log ?? "") ?? [];
    const line = from.find((candidate) => refsOverlap(candidate.refs, detail.refs));
    return line === undefined ? [] : [{ ...detail, topic: line.topic }];
  });
  return { topics: lines, details: renamed };
}

function linesOf(passages: readonly Passage[], space: Space): readonly Passage[] {
  const topics = passages.map(foundTopic);
  const single = oneEach(passages, topics);
  const bytes = single.reduce((sum, line) => sum + bytesOfLine(line), 0);
  if (single.length <= space.lines && bytes <= space.bytes) return single;
  const lines = indexLines(topics, {
    keysOf,
    lineCost: (name, of) => bytesOfLine(lineFor(passages, { name, keywords: [], topics: of })),
    keywordCost: (keyword) => Buffer.byteLength(keyword) + 2,
    room: space.bytes,
    mostLines: space.lines,
    mostKeywords: mostTogether - 1,
    mostPlaces,
  });
  return lines.map((line, index) => ({
    ...lineFor(passages, line),
    weight: 1 + (lines.length - index) / lines.length,
  }));
}

function foundTopic(passage: Passage): FoundTopic {
  const keywords = passage.text.split(", ").filter((word) => word !== "");
  const scores = passage.scores === undefined ? undefined : [passage.scores[0] ?? 1, ...passage.scores];
  const size = passage.refs.length;
  return { keywords: [passage.topic, ...keywords], scores, value: Math.max(0.5, passage.weight) * size ** 0.8, size };
}

/** A line for each topic, the weightiest first. Topics of the same name are one when they share another word. */
function oneEach(passages: readonly Passage[], topics: readonly FoundTopic[]): readonly Passage[] {
  const ranked = rankKeywords(topics, keysOf);
  const order = passages
    .map((_, index) => index)
    .toSorted((a, b) => (passages[b]?.weight ?? 0) - (passages[a]?.weight ?? 0) || a - b);
  const lines = new Map<string, Passage>();
  for (const index of order) {
    const passage = passages[index] as Passage;
    const [name = passage.topic, ...keywords] = (ranked[index] ?? []).slice(0, mostKeywords);
    const known = lines.get(topicKey(name));
    if (known === undefined)
      lines.set(topicKey(name), { ...passage, topic: name, text: keywords.join(", "), scores: undefined });
    else if (sharesWord(known.text, keywords)) lines.set(topicKey(name), together(known, passage, keywords));
    else {
      const other = keywords.find((word) => !lines.has(topicKey(word))) ?? `${name} ${keywords[0] ?? ""}`.trim();
      const rest = [name, ...keywords].filter((word) => word !== other);
      if (!lines.has(topicKey(other)))
        lines.set(topicKey(other), { ...passage, topic: other, text: rest.join(", "), scores: undefined });
      else lines.set(topicKey(name), together(known, passage, keywords));
    }
  }
  return [...lines.values()];
}

function sharesWord(text: string, keywords: readonly string[]): boolean {
  const words = new Set(keysOf(text));
  return keywords.some((keyword) => keysOf(keyword).some((key) => words.has(key)));
}

function together(known: Passage, passage: Passage, keywords: readonly string[]): Passage {
  const words = new Set(keysOf(known.text));
  const other = keywords.filter((keyword) => !keysOf(keyword).some((key) => words.has(key)));
  const own = known.text.split(", ");
  const text = [...own.slice(0, Math.max(mostKeywords - 1, mostTogether - 1 - other.length)), ...other]
    .slice(0, mostTogether - 1)
    .join(", ");
  return {
    ...known,
    text,
    refs: mergeRefs([...known.refs, ...passage.refs]),
    weight: Math.max(known.weight, passage.weight),
  };
}

function lineFor(passages: readonly Passage[], line: TopicLine): Passage {
  const of = line.topics.map((index) => passages[index] as Passage);
  const refs: readonly Ref[] = mergeRefs(of.flatMap((passage) => passage.refs));
  return { ...(of[0] as Passage), topic: line.name, text: line.keywords.join(", "), scores: undefined, refs };
}

/** The words of a text in the form in which they are compared. */
export function keysOf(text: string): readonly string[] {
  return contentWords(text).map((word) => word.key);
}
