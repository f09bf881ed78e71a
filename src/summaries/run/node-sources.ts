import { MemoryError } from "../../base/errors.ts";
import { scanLines } from "../../base/markdown.ts";
import type { Call } from "../../base/operation.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import type { Files } from "../../platform/files.ts";
import { withoutNoise } from "../../text/extract/noise.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";
import { DayComposer, logName } from "../../tree/compose/compose-day.ts";
import { type Composed, composeParent } from "../../tree/compose/compose-summary.ts";
import { scanLog } from "../../tree/logs/raw-logs.ts";
import { contentDigest, type Node, spanAt } from "../../tree/model/node-format.ts";
import { type Part, partsOf, readPassages, sectionsOf, wholeDays } from "../../tree/model/node-passages.ts";
import type { Source } from "../../tree/model/node-sections.ts";
import { daysCovered, nodeLabel, type NodeName, nodePath, parseNodePath } from "../../tree/model/period.ts";
import { splitTopicLine } from "../../tree/model/summary-format.ts";
import type { NodeFacts } from "../../tree/model/tree-state.ts";
import { basisOf } from "../../tree/plan/status.ts";
import { composeDay } from "../../tree/run/compose-node.ts";
import { readNodeFile } from "../../tree/run/tree-files.ts";
import type { KeptEntry } from "../request/request.ts";
import { sendableItem, sendableSections } from "../request/sendable-lines.ts";
import { CollectedLines, type PassageWorth, weighLines, withHeadings, worthByRank } from "../request/source-lines.ts";

export interface NodeSources {
  /** Filtered, with a weight for each line. */
  readonly texts: readonly SourceText[];
  /** Lines dropped because there were too many. */
  readonly leftOut: number;
  /** The passages the built-in summarizer would choose from, most valuable first. */
  readonly ranked: readonly Passage[];
  /** Entries of type `user` and `feedback`, as in the built-in summary. */
  readonly mustKeep: readonly KeptEntry[];
}

interface SourcesToRead {
  readonly facts: NodeFacts;
  readonly basis: string;
  /** Maximum bytes of text to keep. */
  readonly mostBytes: number;
  readonly call: Call;
}

/** Rereads the sources of a node in bounded memory. Errors: read errors; `changed_by_other` if they are no longer what the node was made from. */
export async function readNodeSources(files: Files, input: SourcesToRead): Promise<NodeSources> {
  return input.facts.name.level === "daily" ? readLogs(files, input) : readChildren(files, input);
}

async function readLogs(files: Files, { facts, basis, mostBytes, call }: SourcesToRead): Promise<NodeSources> {
  const { name } = facts;
  let lines = new CollectedLines(mostBytes);
  let read: Source[] = [];
  const composer = await composeDay(
    (known) => {
      lines = new CollectedLines(mostBytes);
      const onExtract = (sections: readonly SourceSection[]): void => lines.add(sendableSections(sections));
      return new DayComposer(name, known, { onExtract });
    },
    async (into) => {
      read = [];
      for (const source of facts.sources) {
        call.signal?.throwIfAborted();
        const part = source.kind === "raw" ? source.part : [];
        into.begin({ path: source.path, name: logName(source.path), part, secrets: "unknown" });
        const end = await scanLog(files, source.path, { onWindow: (window) => into.add(window) });
        if (end !== undefined) read.push({ ...end.source, part });
      }
    },
  );
  checkBasis(name, { read, basis });
  const { composed } = composer.end();
  const { ranked } = composed;
  const worth = worthByRank(ranked);
  const texts = lines.sources().map((source) => ({ ...source, lines: weighLines(source.lines, ranked, worth) }));
  return { texts, leftOut: lines.leftOut, ranked, mustKeep: keptIn(name, composed) };
}

async function readChildren(files: Files, { facts, basis, call }: SourcesToRead): Promise<NodeSources> {
  const { name } = facts;
  const children: Node[] = [];
  for (const { path } of facts.sources) {
    call.signal?.throwIfAborted();
    const child = parseNodePath(path);
    const file = child === undefined ? undefined : await readNodeFile(files, child);
    if (file?.node !== undefined) children.push(file.node);
  }
  const read = children.map((child): Source => ({
    kind: "node",
    path: nodePath(child.name),
    sha256: contentDigest(child),
  }));
  checkBasis(name, { read, basis });
  const composed = composeParent(name, children);
  const { ranked } = composed;
  const worth = worthByRank(ranked);
  const texts = children.map((child) => ({ name: nodeLabel(child.name), lines: childLines(child, worth) }));
  return { texts, leftOut: 0, ranked, mustKeep: keptIn(name, composed) };
}

function checkBasis(
  name: NodeName,
  { read, basis }: { readonly read: readonly Source[]; readonly basis: string },
): void {
  if (basisOf(name, read) === basis) return;
  const path = nodePath(name);
  const message = `The sources of ${path} have changed since: run heartwood compact, then try again.`;
  throw new MemoryError("changed_by_other", message, { path });
}

function keptIn(name: NodeName, composed: Composed): readonly KeptEntry[] {
  return readPassages({ name, ...composed })
    .filter(({ role }) => role === "preserved")
    .map(({ topic, type, lines }) => ({ topic, type, lines: lines.slice(1).map(({ text }) => text) }));
}

/** The lines in a node's body that may be sent, each with its weight and the raw lines it comes from. */
function childLines(node: Node, worthOf: PassageWorth): readonly SourceTextLine[] {
  const passages = readPassages(node);
  const byLine = new Map<number, number>();
  for (const passage of passages)
    for (let line = passage.at[0]; line <= passage.at[1]; line++)
      byLine.set(line, Math.max(byLine.get(line) ?? 0, worthOf(passage)));
  const near = daysCovered(node.name.level, node.name.period).first;
  return partsOf(node).flatMap((part): readonly SourceTextLine[] => {
    if (part.kind === "summary") return summaryLines(node, part, byLine);
    const [day] = wholeDays(part.of.level, part.of.period);
    const lines = weighLines(sendableSections(sectionsOf(node, part, day?.log ?? near)), passages, worthOf);
    // A part of a concatenated body begins with the child's name.
    const text = node.body[part.from] ?? "";
    const isName = text.startsWith("# ") && spanAt(node.spans, part.from + 1) === undefined;
    return withHeadings(isName ? [{ text, refs: [] }, ...lines] : lines);
  });
}

function summaryLines(node: Node, part: Part, byLine: ReadonlyMap<number, number>): readonly SourceTextLine[] {
  const near = daysCovered(node.name.level, node.name.period).first;
  const texts = node.body.slice(part.from, part.to);
  const kinds = scanLines(texts).lines;
  const rows = texts.map((text, at) => ({ number: part.from + at + 1, text, kind: kinds[at]?.kind ?? "text" }));
  const days = wholeDays(part.of.level, part.of.period);
  const lines = withoutNoise(rows).flatMap(({ number, text }) => {
    const span = spanAt(node.spans, number);
    const weight = byLine.get(number) ?? 0;
    // A line with several topics becomes one line per topic.
    const pieces = text.startsWith("- ") ? splitTopicLine(text.slice(2), near).map((piece) => `- ${piece}`) : [text];
    return pieces.flatMap((piece) => {
      const own = span === undefined ? parseRefSuffix(piece.trimEnd(), near).refs : [span];
      // A heading has no source; an item without refs may come from any of its days.
      const refs = own.length > 0 || piece.startsWith("#") ? own : days;
      return sendableItem({ text: piece, refs, weight }, near);
    });
  });
  return withHeadings(lines);
}
