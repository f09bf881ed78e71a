import { MemoryError } from "../../base/errors.ts";
import { mostKeywords, nameKey } from "../../text/word-keys.ts";
import type { NumberedLine } from "../../base/lines.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import type { Passage } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";
import { buildRequest } from "../request/build-request.ts";
import { bestRefs, createLineIndex, type LineIndex, type SourceText } from "../../tree/answers/match.ts";
import type { AnswerFinding } from "../../tree/answers/record.ts";
import { longestText, tidy } from "../../text/extract/sentences.ts";
import { summarySpace } from "../../tree/compose/limits.ts";
import { daysCovered, nodeLabel, type NodeName, nodePath } from "../../tree/model/period.ts";
import type { AskableNode } from "../../tree/plan/status.ts";
import type { NodeFacts } from "../../tree/model/tree-state.ts";
import { parseSummary, printSummary } from "../../tree/model/summary-format.ts";
import { cleanTopicName } from "../../tree/model/node-sections.ts";
import { withLogicalLogs } from "../../tree/logs/logical-logs.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { type NodeSources, readNodeSources } from "./node-sources.ts";
import { readWith, type Subject } from "./subject.ts";

/** Text that is held for a request, for each token that it may have; and the least and the most of it. Bytes. */
const held = { perToken: 8, least: 512 * 1024, most: 16 * 1024 * 1024 };

/**
 * A node as something that a summary can be asked for. `memory`: with the raw logs as the tree reads them, or as it was opened. `request` has `not_found` when nothing in
 * the sources may be told.
 */
export function nodeSubject(opened: SummaryMemory, { facts, basis, state }: AskableNode): Subject {
  const { name } = facts;
  const label = nodeLabel(name);
  let last: NodeSources | undefined;
  const readSources = async (mostBytes: number, call: Call): Promise<NodeSources> => {
    const { files } = await withLogicalLogs(opened);
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
      if (!texts.some(({ lines }) => lines.some(({ text }) => !text.startsWith("#")))) throw nothingToTell(facts);
      const told = { sources: texts, leftOut, mustKeep, space: summarySpace(name, []) };
      const count = (text: string): number => opened.tokens.count(text);
      return buildRequest({ kind: name.level, label, basis, contextTokens, notes, ...told }, count);
    },
    read: (request, given) =>
      readWith({ request, given, memory: opened }, async (lines) => {
        const { ranked } = last ?? (await readSources(held.least, {}));
        const summary = summaryOfAnswer(lines, { name, sources: request.sources, ranked });
        return { summary, refusals: thinNode(summary, { name, ranked }) };
      }),
    next: state === "fixed" ? `heartwood compact --reopen ${name.period}` : "heartwood compact",
  };
}

function nothingToTell(facts: NodeFacts): MemoryError {
  const path = nodePath(facts.name);
  return new MemoryError(
    "not_found",
    `Nothing that ${path} was made from can be told to a model: it has only code, output or passing notes.`,
    { path },
  );
}

/** What an answer is read against. */
interface AnswerContext {
  readonly name: NodeName;
  readonly sources: readonly SourceText[];
  /** What the built-in summarizer would tell: it knows the types of topics. */
  readonly ranked: readonly Passage[];
}

/**
 * The lines of a checked answer as they are recorded: the passages that it says, printed as a summary prints them, each with the source lines that fit it best. Without
 * the entries that must be kept, which the program writes. An answer gives no topic the type `user` or `feedback` that the sources do not give it.
 */
function summaryOfAnswer(lines: readonly NumberedLine[], context: AnswerContext): readonly string[] {
  const near = daysCovered(context.name.level, context.name.period).first;
  const read = parseSummary({ lines: lines.map(({ text }) => text), firstLine: 1, spans: [], fallback: [], near });
  const index = createLineIndex(context.sources);
  const known = topicsByName(context.ranked);
  const told = onceEach(read.filter(({ role }) => role !== "preserved").flatMap((passage) => cleaned(passage, known)));
  const placed = told.map((passage) => placedIn(index, passage));
  return printInOrder(context.name, placed);
}

/** From so many decisions and open items on, an answer has to tell one of them: many alike are told in a few lines. */
const minWanted = 3;

/** Refuses an answer that says so little that the built-in summary would be the better one: it has neither a decision nor an open item, and none of its lines leads to one. */
function thinNode(
  summary: readonly string[],
  { name, ranked }: Pick<AnswerContext, "name" | "ranked">,
): readonly AnswerFinding[] {
  const wanted = ranked.filter(isWanted);
  const near = daysCovered(name.level, name.period).first;
  const read = parseSummary({ lines: summary, firstLine: 1, spans: [], fallback: [], near });
  const told = read.filter(({ role }) => role !== "topic").flatMap(({ refs }) => refs);
  const isTold =
    read.some(isWanted) || wanted.some(({ refs }) => refs.some((ref) => told.some((one) => isShared(one, ref))));
  if (wanted.length < minWanted || isTold) return [];
  const message = `The built-in summary has ${wanted.length} decisions and open items, and the answer tells none of them; tell the most important ones.`;
  return [{ code: "too_thin", severity: "error", message, line: null }];
}

function isWanted({ role }: Passage): boolean {
  return role === "decision" || role === "open";
}

/** A ref to a whole log leads to no line of it. */
function isShared(one: Ref, other: Ref): boolean {
  return one.log === other.log && one.from > 0 && one.from <= other.to && other.from <= one.to;
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

/** The built-in topics by name: the topic of that very name, else one of the same words, unless that is a person's own. */
function topicsByName(ranked: readonly Passage[]): (topic: string) => Passage | undefined {
  const exact = new Map<string, Passage>();
  const alike = new Map<string, Passage>();
  for (const passage of ranked.toReversed())
    if (passage.role === "topic") {
      exact.set(topicKey(passage.topic), passage);
      alike.set(nameKey(passage.topic), passage);
    }
  return (topic) => {
    const similar = alike.get(nameKey(topic));
    return exact.get(topicKey(topic)) ?? (similar !== undefined && !isPreserved(similar.type) ? similar : undefined);
  };
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
