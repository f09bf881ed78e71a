import type { Ref } from "../../base/refs.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { scanLines } from "../../base/markdown.ts";
import type { SourceLine } from "../../base/passage.ts";
import type { SourceTextLine } from "../../summarize/answers/request.ts";
import { tellable, tellableItem } from "../../summarize/answers/tellable.ts";
import { type PassageWorth, weighLines, withHeadings } from "../../summarize/answers/source-lines.ts";
import { builtInSummarizer } from "../../summarize/built-in.ts";
import { withoutNoise } from "../../summarize/exclude.ts";
import { spanAt, type Node } from "../../tree/node-format.ts";
import { daysCovered } from "../../tree/period.ts";
import { partsOf, readPassages, sectionsOf, wholeDays, type Part } from "../../tree/reading.ts";
import { splitTopicLine } from "../../tree/summary-line.ts";

/** The lines of a node's body that may be told, each with the raw lines it comes from and its weight. */
export function childLines(node: Node, worthOf: PassageWorth): readonly SourceTextLine[] {
  const passages = readPassages(node, builtInSummarizer);
  const byLine = new Map<number, number>();
  for (const passage of passages) {
    const worth = worthOf(passage);
    for (let line = passage.at[0]; line <= passage.at[1]; line++)
      byLine.set(line, Math.max(byLine.get(line) ?? 0, worth));
  }
  return partsOf(node).flatMap((part): readonly SourceTextLine[] => {
    if (part.kind === "summary") return summaryLines(node, part, byLine);
    const days = wholeDays(part.of.level, part.of.period);
    const near = daysCovered(node.name.level, node.name.period).first;
    const told = tellable(sectionsOf(node, part, days[0]?.log ?? near));
    const weighed = weighLines(told, passages, worthOf);
    return withHeadings([...headingOf(node, part), ...weighed]);
  });
}

/** The line with the name of a child that a part of a concatenation begins with. */
function headingOf(node: Node, part: Part): readonly SourceTextLine[] {
  const text = node.body[part.from] ?? "";
  return text.startsWith("# ") && spanAt(node.spans, part.from + 1) === undefined ? [{ text, refs: [] }] : [];
}

function summaryLines(node: Node, part: Part, byLine: ReadonlyMap<number, number>): readonly SourceTextLine[] {
  const near = daysCovered(node.name.level, node.name.period).first;
  const texts = node.body.slice(part.from, part.to);
  const kinds = scanLines(texts).lines;
  const rows = texts.map((text, at): SourceLine => ({
    number: part.from + at + 1,
    text,
    kind: kinds[at]?.kind ?? "text",
  }));
  const days = wholeDays(part.of.level, part.of.period);
  const lines = withoutNoise(rows).flatMap(({ number, text }) => {
    const span = spanAt(node.spans, number);
    const weight = byLine.get(number) ?? 0;
    return piecesOf(text, near).flatMap((piece) => {
      const refs = span === undefined ? refsOf(piece, { near, days }) : [span];
      return tellableItem({ text: piece, refs, weight }, near);
    });
  });
  return withHeadings(lines);
}

/** Each topic of a line of several as a line of its own. */
function piecesOf(text: string, near: string): readonly string[] {
  if (!text.startsWith("- ")) return [text];
  return splitTopicLine(text.slice(2), near).map((piece) => `- ${piece}`);
}

/** A heading comes from nowhere; an item that names no lines from any of its days. */
function refsOf(text: string, of: { readonly near: string; readonly days: readonly Ref[] }): readonly Ref[] {
  const { refs } = parseRefSuffix(text.trimEnd(), of.near);
  return refs.length > 0 || text.startsWith("#") ? refs : of.days;
}
