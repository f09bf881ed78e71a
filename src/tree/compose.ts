import { Buffer } from "node:buffer";
import { isPreserved, type Topic } from "../base/memory-type.ts";
import type { Passage } from "../base/passage.ts";
import type { Node, Span } from "./node-format.ts";
import { nodeLabel, type NodeLevel, type NodeName } from "./period.ts";
import { readPassages } from "./reading.ts";
import { concatRule } from "./rules.ts";
import type { NodeSummarizer } from "./summarizer.ts";
import { printSummary, sizeOfPassage } from "./summary-format.ts";
import { uniqueTopics } from "./topic-format.ts";

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
export type Composed = Pick<Node, "topics" | "weeks" | "madeBy" | "redactedBy" | "spans" | "body">;

/** Whether so much text is taken over as it is. */
export function fitsVerbatim(level: NodeLevel, size: { readonly lines: number; readonly bytes: number }): boolean {
  return size.lines <= thresholds[level].lines && size.bytes <= thresholds[level].bytes;
}

/** A weekly or monthly node from the nodes one level down, oldest first. */
export function composeParent(name: NodeName, children: readonly Node[], summarizer: NodeSummarizer): Composed {
  const bytes = children.reduce((sum, child) => sum + bytesOf(child.body), 0);
  const lines = children.reduce((sum, child) => sum + child.body.length, 0);
  const weeks = name.level === "monthly" ? [...new Set(children.map((child) => child.name.period))] : [];
  if (fitsVerbatim(name.level, { lines, bytes })) {
    const topics = uniqueTopics(children.toReversed().flatMap((child) => child.topics));
    return {
      ...concatenate(children),
      madeBy: concatRule,
      redactedBy: undefined,
      topics: topics.slice(0, thresholds[name.level].topics),
      weeks,
    };
  }
  const passages = children.flatMap((child) => readPassages(child, summarizer));
  return { ...composeSummary(name, passages, summarizer), redactedBy: undefined, weeks };
}

/** Each child's body verbatim below a heading with its name. */
function concatenate(children: readonly Node[]): { readonly body: readonly string[]; readonly spans: readonly Span[] } {
  const body: string[] = [];
  const spans: Span[] = [];
  for (const child of children) {
    if (body.length > 0) body.push("");
    body.push(`# ${nodeLabel(child.name)}`, "");
    for (const span of child.spans) spans.push({ ...span, at: span.at + body.length });
    body.push(...child.body);
  }
  return { body, spans };
}

/** A summary of passages within the limits of the level. */
export function composeSummary(
  name: NodeName,
  passages: readonly Passage[],
  summarizer: NodeSummarizer,
): Omit<Composed, "weeks" | "redactedBy"> {
  const ranked = summarizer.rank(passages, name.level);
  const chosen = choose(ranked, thresholds[name.level].summary);
  const { body, spans } = printSummary(name.level, nodeLabel(name), chosen);
  return { body, spans, topics: topicsOf(ranked, thresholds[name.level].topics), madeBy: summarizer.id };
}

/** The topics among passages, as ranked. */
export function topicsOf(ranked: readonly Passage[], most: number): readonly Topic[] {
  const named = ranked
    .filter((passage) => passage.role === "topic")
    .map((passage) => ({ name: passage.topic, type: passage.type }));
  const preserved = named.filter((topic) => isPreserved(topic.type));
  return uniqueTopics([...preserved.slice(0, Math.ceil(most / 2)), ...named]).slice(0, most);
}

/** Section headings and the title take this much of the limits. */
const overhead = { lines: 2 + 8 * 2, bytes: 400 };

/** As many of the ranked passages, from the first on, as fit; a preserved entry that does not fit is shortened before it is left out. */
function choose(
  ranked: readonly Passage[],
  limit: { readonly lines: number; readonly bytes: number },
): readonly Passage[] {
  let lines = limit.lines - overhead.lines;
  let bytes = limit.bytes - overhead.bytes;
  const chosen: Passage[] = [];
  for (const passage of ranked) {
    const form = [passage, ...shorter(passage)].find((candidate) => {
      const size = sizeOfPassage(candidate);
      return size.lines <= lines && size.bytes <= bytes;
    });
    if (form === undefined) continue;
    const size = sizeOfPassage(form);
    lines -= size.lines;
    bytes -= size.bytes;
    chosen.push(form);
    if (lines <= 0 || bytes <= 0) break;
  }
  return chosen;
}

function shorter(passage: Passage): readonly Passage[] {
  if (passage.role !== "preserved" || passage.lines.length <= 2) return [];
  return [8, 4, 2]
    .filter((count) => count < passage.lines.length)
    .map((count) => ({ ...passage, lines: passage.lines.slice(0, count) }));
}

function bytesOf(body: readonly string[]): number {
  return body.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
