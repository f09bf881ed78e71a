import { MemoryError } from "../../base/errors.ts";
import type { NumberedLine } from "../../base/lines.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import type { Call } from "../../base/operation.ts";
import type { Passage } from "../../base/passage.ts";
import { longestText, tidy } from "../../text/extract/sentences.ts";
import { mostKeywords, nameKey } from "../../text/word-keys.ts";
import { bestRefs, createLineIndex, type SourceText } from "../../tree/answers/match.ts";
import { type AnswerFinding, refusal } from "../../tree/answers/record.ts";
import { summarySpace } from "../../tree/compose/limits.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { cleanTopicName } from "../../tree/model/node-sections.ts";
import { daysCovered, nodeLabel, type NodeName, nodePath } from "../../tree/model/period.ts";
import { parseSummary, printSummary } from "../../tree/model/summary-format.ts";
import type { AskableNode } from "../../tree/plan/status.ts";
import type { SummaryMemory } from "../memory.ts";
import { buildRequest } from "../request/build-request.ts";
import { type NodeSources, readNodeSources } from "./node-sources.ts";
import { readWith, type Subject } from "./subject.ts";

/** Bytes of text kept for a request: per token of the limit, and the minimum and maximum in total. */
const held = { perToken: 8, least: 512 * 1024, most: 16 * 1024 * 1024 };

/** A node as a subject of a summary request. `request` throws `not_found` if nothing in the sources may be sent. */
export function nodeSubject(memory: SummaryMemory, { facts, basis, state }: AskableNode): Subject {
  const { name } = facts;
  const label = nodeLabel(name);
  let last: NodeSources | undefined;
  const readSources = async (mostBytes: number, call: Call): Promise<NodeSources> => {
    const { files } = await withLogicalLogs(memory);
    return (last = await readNodeSources(files, { facts, basis, mostBytes, call }));
  };
  return {
    kind: name.level,
    label,
    basis,
    state,
    request: async ({ contextTokens, notes }, call) => {
      const mostBytes = Math.min(held.most, Math.max(held.least, contextTokens * held.perToken));
      const { texts, leftOut, mustKeep } = await readSources(mostBytes, call);
      if (!texts.some(({ lines }) => lines.some(({ text }) => !text.startsWith("#")))) {
        const path = nodePath(name);
        const message = `The sources of ${path} have nothing to send to a model: they contain only code, output or passing notes.`;
        throw new MemoryError("not_found", message, { path });
      }
      const space = summarySpace(name, []);
      const asked = { kind: name.level, label, basis, contextTokens, notes, sources: texts, leftOut, mustKeep, space };
      return buildRequest(asked, (text) => memory.tokens.count(text));
    },
    read: (request, given) =>
      readWith(memory, [request, given], async (lines) => {
        const { ranked } = last ?? (await readSources(held.least, {}));
        const summary = summaryOfAnswer(lines, { name, sources: request.sources, ranked });
        return { summary, findings: thinNode(readSummary(name, summary), ranked) };
      }),
    next: state === "fixed" ? `heartwood compact --reopen ${name.period}` : "heartwood compact",
  };
}

function readSummary({ level, period }: NodeName, lines: readonly string[]): readonly Passage[] {
  return parseSummary({ lines, firstLine: 1, spans: [], fallback: [], near: daysCovered(level, period).first });
}

/**
 * Turns a checked answer into the lines to record: its passages in the summary format, each with the best-matching source lines. Omits entries that
 * must be kept, because the program writes those itself. A topic gets the type `user` or `feedback` only if the sources give it that type.
 * `ranked`: what the built-in summarizer would choose from, with the types of topics.
 */
function summaryOfAnswer(
  lines: readonly NumberedLine[],
  of: { readonly name: NodeName; readonly sources: readonly SourceText[]; readonly ranked: readonly Passage[] },
): readonly string[] {
  const index = createLineIndex(of.sources);
  const known = topicsByName(of.ranked);
  const passages = readSummary(
    of.name,
    lines.map(({ text }) => text),
  )
    .filter(({ role }) => role !== "preserved")
    .flatMap((passage) => cleaned(passage, known));
  const placed = onceEach(passages).map((passage): Passage => {
    const { role, topic, text } = passage;
    const isTopic = role === "topic";
    const refs = bestRefs({ topic: role === "entity" ? "" : topic, text: isTopic ? `${topic} ${text}` : text }, index);
    // A found topic is identified by the lines it links to; without any, treat it as given.
    return { ...passage, refs, naming: refs.some(({ from }) => from > 0) ? passage.naming : "given" };
  });
  return printInOrder(of.name, placed);
}

/** With at least this many decisions and open items, an answer has to include one. Similar items need few lines, so one is enough. */
const minWanted = 3;

/** Refuses an answer that is worse than the built-in summary: it contains no decision and no open item, and none of its lines links to one. */
function thinNode(read: readonly Passage[], ranked: readonly Passage[]): readonly AnswerFinding[] {
  const isWanted = ({ role }: Passage): boolean => role === "decision" || role === "open";
  const wanted = ranked.filter(isWanted);
  if (wanted.length < minWanted || read.some(isWanted)) return [];
  // A ref to a whole log does not link to any particular line.
  const led = read.flatMap(({ role, refs }) => (role === "topic" ? [] : refs.filter(({ from }) => from > 0)));
  const isLedTo = ({ refs }: Passage): boolean =>
    refs.some((ref) => led.some(({ log, from, to }) => log === ref.log && from <= ref.to && ref.from <= to));
  if (wanted.some(isLedTo)) return [];
  const message = `The built-in summary has ${wanted.length} decisions and open items, and the answer omits all of them; include the most important ones.`;
  return [refusal("too_thin", message)];
}

/** The passage normalized for a summary; empty if nothing remains. */
function cleaned(passage: Passage, known: (topic: string) => Passage | undefined): readonly Passage[] {
  const topic = cleanTopicName(tidy(passage.topic));
  const isTopic = passage.role === "topic";
  const text = isTopic ? keywordsIn(passage.text) : tidy(passage.text);
  if (isTopic ? topic === "" : text === "") return [];
  const found = known(topic);
  const claimed = isPreserved(passage.type) ? "project" : passage.type;
  const type = found === undefined ? claimed : isPreserved(found.type) && !isTopic ? "project" : found.type;
  const naming = found?.naming ?? (isTopic ? "found" : "given");
  return [{ ...passage, topic, text, type, naming, progress: found?.progress ?? "active", at: [0, 0] }];
}

/** A comma within a number (`4,200`) does not end a keyword. */
const keywordEnd = /(?<!\d),|,(?!\d{3}(?!\d))|[，、]/u;

/** At most twelve keywords, together within the length limit for texts. */
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

/** Keeps the first of any duplicates. */
function onceEach(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Set<string>();
  return passages.filter(({ role, topic, text }) => {
    const key = role === "topic" ? `topic\n${nameKey(topic)}` : `${role}\n${topicKey(topic)}\n${text}`;
    return seen.size < seen.add(key).size;
  });
}

/** Looks up built-in topics by name: the exact name, else one with the same words, unless that one has type `user` or `feedback`. */
function topicsByName(ranked: readonly Passage[]): (topic: string) => Passage | undefined {
  const topics = ranked.filter(({ role }) => role === "topic").toReversed();
  const exact = new Map(topics.map((passage) => [topicKey(passage.topic), passage]));
  const alike = new Map(topics.map((passage) => [nameKey(passage.topic), passage]));
  return (topic) => {
    const similar = alike.get(nameKey(topic));
    return exact.get(topicKey(topic)) ?? (similar !== undefined && !isPreserved(similar.type) ? similar : undefined);
  };
}

/** Prints the sections in the order of the format, and their passages in the order of the answer. When space is short, the last passages are dropped first. */
function printInOrder(name: NodeName, passages: readonly Passage[]): readonly string[] {
  const print = (some: readonly Passage[]): readonly string[] => printSummary(name.level, nodeLabel(name), some).body;
  const headings = print(passages).filter((line) => line.startsWith("## "));
  const sections = new Map(headings.map((heading): [string, string[]] => [heading, []]));
  for (const passage of passages) {
    const [heading = "", line = ""] = print([passage]).slice(-2);
    sections.get(heading)?.push(line);
  }
  return Array.from(sections, ([heading, lines]) => ["", heading, ...lines])
    .flat()
    .slice(1);
}
