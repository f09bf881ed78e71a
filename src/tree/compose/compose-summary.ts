import { chooseWithin, isOverThreshold, summarySpace, thresholds } from "./limits.ts";
import { isPreserved, type MemoryType, type Topic, topicKey } from "../../base/memory-type.ts";
import type { Passage } from "../../base/passage.ts";
import { exactForm, holds, limitRefs, mergeRefs, mostRefs, type Ref } from "../../base/refs.ts";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import { cleared } from "./secrets.ts";
import { type AnswerMark, answerRule, builtInRule, concatRule, type Node, type Span } from "../model/node-format.ts";
import { daysCovered, nodeLabel, type NodeName } from "../model/period.ts";
import { readPassages } from "../model/node-passages.ts";
import { rankPassages } from "../extract/rank.ts";
import { parseSummary, printSummary } from "../model/summary-format.ts";
import { chooseTopics } from "../model/node-sections.ts";
import { mergeKeywords, mostKeywords, nameKey } from "../../text/word-keys.ts";
import { redact } from "../../text/redact/redact.ts";

/** The result of composing: a node without status, sources and foreign front matter. */
export interface Composed extends Pick<
  Node,
  "topics" | "weeks" | "madeBy" | "redactedBy" | "answer" | "spans" | "body"
> {
  /** Topics of `user` and `feedback` entries that did not fit whole. */
  readonly shortened: readonly string[];
  /** In a summary: the passages selected by the built-in summarizer, most valuable first. */
  readonly ranked: readonly Passage[];
}

export function composeParent(name: NodeName, children: readonly Node[], answer?: NodeAnswer): Composed {
  const weeks = name.level === "monthly" ? [...new Set(children.map((child) => child.name.period))] : [];
  if (!isOverThreshold(name, children)) {
    const topics = children.toReversed().flatMap((child) => child.topics);
    const composed: Composed = {
      ...concatenate(children),
      madeBy: concatRule,
      redactedBy: undefined,
      answer: undefined,
      topics: chooseTopics(topics, thresholds[name.level].topics),
      weeks,
      shortened: [],
      ranked: [],
    };
    return cleared(composed, new SecretValues());
  }
  const passages = children.flatMap((child) => readPassages(child));
  const spans = children.flatMap((child) => child.spans);
  const copied = spans.map(({ log, from, count }): Ref => ({ log, from, to: from + count - 1 }));
  const lines = [...copied, ...passages.flatMap(({ refs }) => refs)];
  const summary = composeSummary(name, { passages, lines }, answer);
  return cleared({ ...summary, redactedBy: undefined, weeks }, new SecretValues());
}

function concatenate(children: readonly Node[]): { readonly body: readonly string[]; readonly spans: readonly Span[] } {
  const body: string[] = [];
  const spans: Span[] = [];
  for (const child of children) {
    if (body.length > 0) body.push("");
    body.push(`# ${nodeLabel(child.name)}`, "");
    for (const span of child.spans) spans.push({ ...span, at: span.at + body.length });
    for (const line of child.body) body.push(line);
  }
  return { body, spans };
}

/** Composes a summary within the limits of the level. `lines`: the raw lines it covers. */
export function composeSummary(
  name: NodeName,
  sources: { readonly passages: readonly Passage[]; readonly lines: readonly Ref[] },
  answer?: NodeAnswer,
): Omit<Composed, "weeks" | "redactedBy"> {
  const space = summarySpace(name, sources.passages);
  const own = rankPassages(sources.passages, space);
  const ranked =
    answer === undefined ? own : passagesOfAnswer(answer, { name, ranked: own, lines: sources.lines.map(exactForm) });
  const { chosen, shortened } = chooseWithin(ranked, space);
  const { body, spans } = printSummary(name.level, nodeLabel(name), chosen);
  const topics = topicsOf(ranked, thresholds[name.level].topics);
  const madeBy = answer === undefined ? builtInRule : answerRule;
  const mark = answer === undefined ? undefined : markOfAnswer(answer);
  return { body, spans, topics, madeBy, answer: mark, shortened, ranked: own };
}

/** The topics of a node for its front matter. */
export function topicsOf(passages: readonly Passage[], most: number): readonly Topic[] {
  const heads = passages.filter(({ role }) => role === "topic");
  return chooseTopics(
    heads.map(({ topic, type }) => ({ name: topic, type })),
    most,
  );
}

export interface NodeAnswer {
  /** The request digest, 64 digits. */
  readonly digest: string;
  readonly model: string;
  readonly summary: readonly string[];
}

interface AnswerGround {
  readonly name: NodeName;
  /** The passages selected by the built-in summarizer, most valuable first. */
  readonly ranked: readonly Passage[];
  /** The raw lines that the node covers: refs to other lines are dropped. */
  readonly lines: readonly Ref[];
}

/**
 * The passages of a node made from an answer, most important first: `user` and `feedback` entries and the user's words,
 * as selected by the built-in summarizer; the answer's topics, then named topics missing from it; the rest of the
 * answer; missing URLs; and last, missing found topics.
 * An answer only supplies text: types and exact refs come from the built-in summarizer, and no line of the answer
 * counts as verbatim.
 */
export function passagesOfAnswer(answer: NodeAnswer, ground: AnswerGround): readonly Passage[] {
  const { ranked } = ground;
  const known = new KnownTopics(ranked);
  const given = readAnswer(answer, ground);
  const topics = topicsOfAnswer(given, known);
  const missing = known.without(topics);
  const [first, ...found] = missing.filter(({ naming }) => naming === "found");
  return [
    ...ranked.filter(({ role }) => role === "preserved" || role === "said"),
    ...topics,
    ...missing.filter(({ naming }) => naming === "given"),
    ...given
      .filter(({ role }) => role !== "topic" && role !== "preserved" && role !== "said")
      .map((passage): Passage => ({ ...passage, type: toldType(known.of(passage.topic)) })),
    ...pointersLeftOut(given, ranked),
    ...(first === undefined ? [] : [{ ...first, place: "own_line" as const }]),
    ...found,
  ];
}

function addressesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/https?:\/\/[^\s<>()"'`\]、。，]+/gu), ([one]) => one.replace(/[.,;:!?]+$/u, ""));
}

/**
 * The point of a `reference` is its URL: for each one whose URLs are all missing from the answer, the line that the
 * built-in summarizer ranks highest.
 */
function pointersLeftOut(given: readonly Passage[], ranked: readonly Passage[]): readonly Passage[] {
  const said = new Set(given.flatMap(({ text }) => addressesIn(text)));
  const pointers = ranked.filter(
    ({ type, role, text }) => type === "reference" && role !== "topic" && addressesIn(text).length > 0,
  );
  const left = [...Map.groupBy(pointers, ({ topic }) => topicKey(topic)).values()].filter(
    (own) => !own.some(({ text }) => addressesIn(text).some((one) => said.has(one))),
  );
  return left.flatMap((own) => own.slice(0, 1));
}

/** A model's words never get a preserved type. */
function toldType(topic: Passage | undefined): MemoryType {
  return topic === undefined || isPreserved(topic.type) ? "project" : topic.type;
}

/** The topics known to the built-in summarizer, by name; those of `user` and `feedback` by exact name. */
class KnownTopics {
  readonly #topics: readonly Passage[];
  readonly #exact: ReadonlySet<string>;
  readonly #byKey = new Map<string, Passage>();

  constructor(ranked: readonly Passage[]) {
    this.#topics = ranked.filter(({ role }) => role === "topic");
    this.#exact = new Set(this.#topics.filter(({ type }) => isPreserved(type)).map(({ topic }) => topicKey(topic)));
    for (const passage of this.#topics.toReversed()) this.#byKey.set(this.keyOf(passage.topic), passage);
  }

  keyOf(topic: string): string {
    const own = topicKey(topic);
    return this.#exact.has(own) ? `=${own}` : nameKey(topic);
  }

  of(topic: string): Passage | undefined {
    return this.#byKey.get(this.keyOf(topic));
  }

  without(topics: readonly Passage[]): readonly Passage[] {
    const named = new Set(topics.map(({ topic }) => this.keyOf(topic)));
    return this.#topics.filter(({ topic }) => !named.has(this.keyOf(topic)));
  }
}

function markOfAnswer({ digest, model }: NodeAnswer): AnswerMark {
  const printable = redact(model).text.replace(/[^\x21-\x7e]+/gu, "-");
  const plain = printable.replace(/^[^A-Za-z0-9]+|:+$/gu, "").slice(0, longestModel);
  return { digest, model: plain === "" ? "unknown" : plain };
}

/** In characters. */
const longestModel = 128;

/**
 * Parses the recorded lines into passages. All their refs are approximate, whatever the record says, because they were
 * found by matching.
 */
function readAnswer(answer: NodeAnswer, { name, lines }: AnswerGround): readonly Passage[] {
  const near = daysCovered(name.level, name.period).first;
  const split = answer.summary.join("\n").split(/\r\n?|[\n\u2028\u2029]/u);
  const texts = split.map((line) => line.replace(/\p{Cc}+/gu, " "));
  const read = parseSummary({
    lines: redact(texts.join("\n")).text.split("\n"),
    firstLine: 1,
    spans: [],
    fallback: [],
    near,
  });
  const known = mergeRefs(lines);
  return read.filter(isInert).map((passage) => {
    const inside = passage.refs.filter((ref) => known.some((one) => holds(one, ref)));
    const refs = (inside.length > 0 ? inside : known).map((ref): Ref => ({ ...ref, found: "by_match" }));
    return { ...passage, refs: limitRefs(refs, mostRefs), at: [0, 0], progress: "active" };
  });
}

/** Comments and fences would hide the text below them when Markdown is rendered. The checks refuse them, but a record may come from anywhere. */
function isInert({ topic, text }: Passage): boolean {
  return ![topic, text].some((part) => part.includes("<!--") || /^\s*(?:```|~~~)/u.test(part));
}

/** One passage per topic, combined with what the built-in summarizer knows about it. */
function topicsOfAnswer(given: readonly Passage[], known: KnownTopics): readonly Passage[] {
  const topics = given.filter(({ role, topic }) => role === "topic" && topic !== "");
  return [...Map.groupBy(topics, ({ topic }) => known.keyOf(topic)).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const topic = topicOf(first, known.of(first.topic));
    return [{ ...topic, text: keywordsOf([topic, ...others]) }];
  });
}

/** A topic known only to the model has no type of its own. A `user` or `feedback` topic keeps its exact name. */
function topicOf(passage: Passage, known: Passage | undefined): Passage {
  if (known === undefined) return { ...passage, type: "project", place: "own_line", text: keywordsOf([passage]) };
  const topic = isPreserved(known.type) ? known.topic : passage.topic;
  return { ...known, topic, place: "own_line", text: keywordsOf([passage, known]), scores: undefined };
}

function keywordsOf(passages: readonly Passage[]): string {
  const words = passages.flatMap(({ text }) => text.split(", ")).map((word) => word.trim());
  return mergeKeywords([words.filter((word) => word !== "")], mostKeywords).join(", ");
}
