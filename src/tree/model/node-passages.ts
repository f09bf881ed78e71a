import { greatest, least, pushAll } from "../../base/lists.ts";
import { scanLines } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import { type Passage, plainPassage, type SourceSection } from "../../base/passage.ts";
import { dayOfRef, mergeRefs, type Ref } from "../../base/refs.ts";
import { type Node, type Span, spanAt } from "./node-format.ts";
import {
  childrenOf,
  daysCovered,
  type NodeLevel,
  nodeLevels,
  type NodeName,
  ownDays,
  parseNodeLabel,
} from "./period.ts";
import { extractPassages } from "../extract/built-in-summarizer.ts";
import { isSummaryTitle, parseSummary } from "./summary-format.ts";
import { SectionCutter } from "./section-cutter.ts";

export interface PlacedPassage extends Passage {
  readonly path: string;
}

/** The content of a node as passages with their places in its body. Higher levels read lower ones only through this function. */
export function readPassages(node: Pick<Node, "name" | "body" | "spans" | "topics">): readonly Passage[] {
  const covered = daysCovered(node.name.level, node.name.period);
  const near = covered.first;
  const parts = partsOf(node).map((part) => {
    const lines = node.body.slice(part.from, part.to);
    const fallback = wholeDays(part.of.level, part.of.period);
    if (part.kind === "summary") {
      const read = parseSummary({ lines, firstLine: part.from + 1, spans: node.spans, fallback, near });
      return { days: fallback, passages: read.map((passage) => withOwnRefs(passage, covered, fallback)) };
    }
    const sections = sectionsOf(node, part, fallback[0]?.log ?? near);
    const passages = extractPassages(sections).map((passage) => {
      const at = placeOf(passage, node.spans, part);
      if (part.of.late === 0) return { ...passage, at };
      // An addendum contains the current heading and what is new, but not the lines in between.
      const inside = linesIn(passage.refs, node.spans, part).map(({ ref, from, to }): Ref => ({ ...ref, from, to }));
      return { ...passage, at, refs: inside.length === 0 ? passage.refs : inside, late: part.of.late };
    });
    return { days: fallback, passages };
  });
  const passages = parts.flatMap((part) => part.passages);
  // A note about a topic does not make it an indexed topic.
  const named = new Set(passages.filter(({ role }) => role === "topic").map(({ topic }) => topicKey(topic)));
  return [...passages, ...onlyInFront(node, parts, named)];
}

/** Drops refs to days outside the node's period. Only other tools write them. */
function withOwnRefs(
  passage: Passage,
  { first, last }: ReturnType<typeof daysCovered>,
  fallback: readonly Ref[],
): Passage {
  const refs = passage.refs.filter((ref) => first <= dayOfRef(ref) && dayOfRef(ref) <= last);
  return refs.length === passage.refs.length ? passage : { ...passage, refs: refs.length > 0 ? refs : fallback };
}

/** Topics listed only in the front matter, without line refs. Only foreign nodes have them. */
function onlyInFront(
  node: Pick<Node, "body" | "topics">,
  parts: readonly { readonly days: readonly Ref[]; readonly passages: readonly Passage[] }[],
  named: ReadonlySet<string>,
): readonly Passage[] {
  const byOthers = parts.filter(
    ({ passages }) => passages.length > 0 && passages.every(({ refs }) => refs.every(({ from }) => from === 0)),
  );
  const isSilent = parts.every(({ passages }) => passages.length === 0);
  const refs = mergeRefs((isSilent ? parts : byOthers).flatMap(({ days }) => days));
  if (refs.length === 0) return [];
  return node.topics
    .filter(({ name }) => !named.has(topicKey(name)))
    .map(({ name, type }) => ({ ...plainPassage, role: "topic", topic: name, type, refs, at: [1, node.body.length] }));
}

export interface Part {
  readonly kind: "summary" | "text";
  /** The child node the text belongs to, as given by the heading in a concatenation. */
  readonly of: NodeName;
  /** 0-based, `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Splits a body into parts, one per child in a concatenation. A part with summary sections is parsed as a summary. */
export function partsOf(node: Pick<Node, "name" | "body" | "spans">): readonly Part[] {
  const starts = [0];
  node.body.forEach((line, index) => {
    if (index > 0 && line.startsWith("# ") && spanAt(node.spans, index + 1) === undefined) starts.push(index);
  });
  const hasSpans = node.spans.length > 0;
  let of = node.name;
  return starts.map((from, index) => {
    of = childNamed(node.name, node.body[from] ?? "") ?? of;
    const to = starts[index + 1] ?? node.body.length;
    const isSummary = node.body.slice(from, to).some((line, offset) => {
      const isOwn = !hasSpans || spanAt(node.spans, from + offset + 1) === undefined;
      return isOwn && line.startsWith("## ") && isSummaryTitle(line.slice(3).trim());
    });
    return { kind: isSummary ? "summary" : "text", of, from, to };
  });
}

/** The child named in a heading of a concatenation, if its period lies within this node's. */
function childNamed(node: NodeName, line: string): NodeName | undefined {
  const named = nodeLevels.map((level) => parseNodeLabel(level, line.slice(2))).find((name) => name !== undefined);
  if (named === undefined) return undefined;
  const [outer, inner] = [daysCovered(node.level, node.period), daysCovered(named.level, named.period)];
  return inner.first >= outer.first && inner.last <= outer.last ? named : undefined;
}

/** The raw sections in a verbatim part. A foreign part without spans refers to its whole day. */
export function sectionsOf(
  node: Pick<Node, "body" | "spans">,
  part: Part,
  fallbackLog: string,
): readonly SourceSection[] {
  const hasSpans = node.spans.some((span) => span.at > part.from && span.at <= part.to);
  const placed = node.body.slice(part.from, part.to).flatMap((text, offset) => {
    const ref = spanAt(node.spans, part.from + offset + 1);
    if (ref !== undefined) return [{ text, log: ref.log, number: ref.from }];
    return hasSpans ? [] : [{ text, log: fallbackLog, number: 0 }];
  });
  const kinds = scanLines(placed.map((row) => row.text)).lines;
  const rows = placed.map((row, index) => ({ ...row, kind: kinds[index]?.kind ?? "text" }));
  const sections: SourceSection[] = [];
  for (let from = 0; from < rows.length;) {
    const { log } = rows[from] as (typeof rows)[number];
    const other = rows.findIndex((row, index) => index > from && row.log !== log);
    const to = other < 0 ? rows.length : other;
    pushAll(sections, new SectionCutter(log).cut(rows.slice(from, to)));
    from = to;
  }
  return sections;
}

/** The subset of these lines that lies in the part. */
function linesIn(refs: readonly Ref[], spans: readonly Span[], part: Part) {
  const own = spans.filter(({ at }) => at > part.from && at <= part.to);
  return refs.flatMap((ref) =>
    own.flatMap((span) => {
      const [from, to] = [Math.max(ref.from, span.from), Math.min(ref.to, span.from + span.count - 1)];
      return span.log === ref.log && from <= to ? [{ ref, span, from, to }] : [];
    }),
  );
}

function placeOf(passage: Passage, spans: readonly Span[], part: Part): readonly [number, number] {
  const places = linesIn(passage.refs, spans, part).map(({ span, from, to }) => {
    return [span.at + from - span.from, span.at + to - span.from] as const;
  });
  if (places.length === 0) return [part.from + 1, part.to];
  return [least(places.map(([first]) => first)), greatest(places.map(([, last]) => last))];
}

/** The days of a node without line refs: all that is known of its origin. */
export function wholeDays(level: NodeLevel, period: string): readonly Ref[] {
  if (level === "daily") return [{ log: period, from: 0, to: 0 }];
  const days = level === "weekly" ? childrenOf(level, period) : [ownDays(level, period).last];
  return days.map((day) => ({ log: day, from: 0, to: 0 }));
}
