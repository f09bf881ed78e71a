import { monthOfWeek } from "../../base/calendar.ts";
import { Buffer } from "node:buffer";
import type { Topic } from "../../base/memory-type.ts";
import type { Passage } from "../../base/passage.ts";
import { exactForm, type Ref } from "../../base/refs.ts";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import type { NodeAnswer } from "./answers.ts";
import { cleared } from "./cleared.ts";
import { markOfAnswer, passagesOfAnswer } from "./compose-answer.ts";
import type { Node, Span } from "../model/node-format.ts";
import { childrenOf, nodeLabel, type NodeLevel, type NodeName } from "../model/period.ts";
import { readPassages } from "../model/reading.ts";
import { answerRule, concatRule } from "../model/rules.ts";
import type { NodeSummarizer } from "../model/summarizer.ts";
import { printSummary } from "../model/summary-format.ts";
import { chooseWithin, type Size } from "./fit.ts";
import { chooseTopics } from "../model/topic-format.ts";

/** Up to these sizes sources are copied or concatenated; above, they are summarised into at most `summary`. */
export interface Threshold {
  readonly lines: number;
  readonly bytes: number;
  readonly summary: { readonly lines: number; readonly bytes: number };
  /** Topics named in the front matter. */
  readonly topics: number;
}

const kib = 1024;

export const thresholds: Readonly<Record<NodeLevel, Threshold>> = {
  daily: { lines: 200, bytes: 64 * kib, summary: { lines: 200, bytes: 16 * kib }, topics: 40 },
  weekly: { lines: 300, bytes: 96 * kib, summary: { lines: 300, bytes: 24 * kib }, topics: 60 },
  monthly: { lines: 500, bytes: 160 * kib, summary: { lines: 500, bytes: 40 * kib }, topics: 80 },
};

/** What composing gives: a node without its status, sources and what others wrote into it. */
export interface Composed extends Pick<
  Node,
  "topics" | "weeks" | "madeBy" | "redactedBy" | "answer" | "spans" | "body"
> {
  /** Topics of `user` and `feedback` entries that did not fit whole. */
  readonly shortened: readonly string[];
}

/** Whether so much text is taken over as it is. */
export function fitsVerbatim(level: NodeLevel, size: { readonly lines: number; readonly bytes: number }): boolean {
  return size.lines <= thresholds[level].lines && size.bytes <= thresholds[level].bytes;
}

/** Whether the bodies of children are summarised, or taken over as they are. */
export function isOverThreshold(name: NodeName, children: readonly Node[]): boolean {
  const bytes = children.reduce((sum, child) => sum + bytesOf(child.body), 0);
  const lines = children.reduce((sum, child) => sum + child.body.length, 0);
  return !fitsVerbatim(name.level, { lines, bytes });
}

/** What makes summaries: the built-in summarizer, and the recorded answer of a model to the node's sources where there is one. */
export interface SummaryTools {
  readonly summarizer: NodeSummarizer;
  readonly answer?: NodeAnswer | undefined;
}

/** A weekly or monthly node from the nodes one level down, oldest first. */
export function composeParent(name: NodeName, children: readonly Node[], tools: SummaryTools): Composed {
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
    };
    return cleared(composed, new SecretValues());
  }
  const passages = children.flatMap((child) => readPassages(child, tools.summarizer));
  const spans = children.flatMap((child) => child.spans);
  const lines = [...spans.map(linesOfSpan), ...passages.flatMap(({ refs }) => refs)];
  const summary = composeSummary(name, { passages, lines }, tools);
  return cleared({ ...summary, redactedBy: undefined, weeks }, new SecretValues());
}

function linesOfSpan({ log, from, count }: Span): Ref {
  return { log, from, to: from + count - 1 };
}

/** Each child's body verbatim below a heading with its name. */
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

/** A summary within the limits of the level. `lines`: the raw lines that it is about. */
export function composeSummary(
  name: NodeName,
  sources: { readonly passages: readonly Passage[]; readonly lines: readonly Ref[] },
  { summarizer, answer }: SummaryTools,
): Omit<Composed, "weeks" | "redactedBy"> {
  const space = summarySpace(name, sources.passages);
  const own = summarizer.rank(sources.passages, space);
  const ranked =
    answer === undefined ? own : passagesOfAnswer(answer, { name, ranked: own, lines: sources.lines.map(exactForm) });
  const { chosen, shortened } = chooseWithin(ranked, space);
  const { body, spans } = printSummary(name.level, nodeLabel(name), chosen);
  const topics = topicsOf(ranked, thresholds[name.level].topics);
  const made = answer === undefined ? summarizer.id : answerRule(summarizer.id);
  const mark = answer === undefined ? undefined : markOfAnswer(answer);
  return { body, spans, topics, madeBy: made, answer: mark, shortened };
}

/**
 * What a summary may have. A week takes its share of the lines that a month may concatenate, so that nothing of it is lost on the way to ROOT.md; for the texts of
 * `user` and `feedback` entries it may take more.
 */
export function summarySpace(name: NodeName, passages: readonly Passage[]): Size {
  const most = thresholds[name.level].summary;
  if (name.level !== "weekly") return most;
  const weeks = childrenOf("monthly", monthOfWeek(name.period)).length;
  const share = Math.floor(thresholds.monthly.lines / weeks) - linesOfChildHeading;
  const preserved = passages.reduce((sum, passage) => sum + passage.lines.length, 0);
  return { lines: Math.min(most.lines, share + preserved), bytes: most.bytes };
}

/** A blank line, the heading and another blank line stand before each child of a concatenation. */
const linesOfChildHeading = 3;

/** The topics among passages, as ranked. */
export function topicsOf(ranked: readonly Passage[], most: number): readonly Topic[] {
  const named = ranked
    .filter((passage) => passage.role === "topic")
    .map((passage) => ({ name: passage.topic, type: passage.type }));
  return chooseTopics(named, most);
}

function bytesOf(body: readonly string[]): number {
  return body.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
