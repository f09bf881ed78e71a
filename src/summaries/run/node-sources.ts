import { MemoryError } from "../../base/errors.ts";
import { scanLines } from "../../base/markdown.ts";
import type { Passage, SourceLine, SourceSection } from "../../base/passage.ts";
import { parseRefSuffix, type Ref } from "../../base/refs.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import type { Files } from "../../platform/files.ts";
import type { KeptEntry } from "../request/request.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";
import { CollectedLines, type PassageWorth, weighLines, withHeadings, worthByRank } from "../request/source-lines.ts";
import { sendableSections, sendableItem } from "../request/sendable-lines.ts";
import { builtInSummarizer, type NodeSummarizer } from "../../tree/extract/built-in-summarizer.ts";
import { withoutNoise } from "../../text/extract/noise.ts";
import { basisOf } from "../../tree/plan/status.ts";
import { DayComposer, logName } from "../../tree/compose/compose-day.ts";
import { type Composed, composeParent } from "../../tree/compose/compose-summary.ts";
import { contentDigest, type Node, spanAt } from "../../tree/model/node-format.ts";
import { daysCovered, nodeLabel, nodeLevels, type NodeName, nodePath, parseNodeFile } from "../../tree/model/period.ts";
import { type Part, partsOf, readPassages, sectionsOf, wholeDays } from "../../tree/model/node-passages.ts";
import type { Source } from "../../tree/model/node-sections.ts";
import type { NodeFacts } from "../../tree/model/tree-state.ts";
import { splitTopicLine } from "../../tree/model/summary-format.ts";
import { composeDay } from "../../tree/run/compose-node.ts";
import { readNodeFile } from "../../tree/run/tree-files.ts";
import type { Call } from "../../base/operation.ts";
import { scanLog } from "../../tree/logs/raw-logs.ts";

/** What a summary of a node is made from. */
export interface NodeSources {
  /** Filtered, with the weight of each line. */
  readonly texts: readonly SourceText[];
  /** Lines that were too many to be held. */
  readonly leftOut: number;
  /** What the built-in summarizer would tell, the most valuable first. */
  readonly ranked: readonly Passage[];
  /** Entries of `user` and `feedback` as the built-in summary has them. */
  readonly mustKeep: readonly KeptEntry[];
}

interface SourcesToRead {
  readonly facts: NodeFacts;
  readonly basis: string;
  /** Bytes of text that are held. */
  readonly mostBytes: number;
  readonly call: Call;
}

/** Reads the sources of a node again, in bounded memory. Errors: those of reading; `changed_by_other` when they are not what the node was made from. */
export async function readNodeSources(files: Files, input: SourcesToRead): Promise<NodeSources> {
  return input.facts.name.level === "daily" ? readLogs(files, input) : readChildren(files, input);
}

async function readLogs(files: Files, { facts, basis, mostBytes, call }: SourcesToRead): Promise<NodeSources> {
  let watched = new WatchedSummarizer(mostBytes);
  let read: Source[] = [];
  const make = (known: SecretValues): DayComposer => {
    watched = new WatchedSummarizer(mostBytes);
    return new DayComposer(facts.name, watched.summarizer, known);
  };
  const composer = await composeDay(make, async (into) => {
    read = [];
    for (const source of facts.sources) {
      call.signal?.throwIfAborted();
      const part = source.kind === "raw" ? source.part : [];
      into.begin({ path: source.path, name: logName(source.path), part, secrets: "unknown" });
      const end = await scanLog(files, source.path, { onWindow: (window) => into.add(window) });
      if (end !== undefined) read.push({ ...end.source, part });
    }
  });
  checkBasis(facts.name, { read, basis });
  return watched.sources(facts.name, composer.end().composed);
}

async function readChildren(files: Files, { facts, basis, mostBytes, call }: SourcesToRead): Promise<NodeSources> {
  const children: Node[] = [];
  for (const { path } of facts.sources) {
    call.signal?.throwIfAborted();
    const name = nameOf(path);
    const file = name === undefined ? undefined : await readNodeFile(files, name);
    if (file?.node !== undefined) children.push(file.node);
  }
  const read = children.map((child): Source => ({
    kind: "node",
    path: nodePath(child.name),
    sha256: contentDigest(child),
  }));
  checkBasis(facts.name, { read, basis });
  const watched = new WatchedSummarizer(mostBytes);
  const composed = composeParent(facts.name, children, { summarizer: watched.summarizer });
  const worth = worthByRank(watched.ranked);
  const lines = new CollectedLines(mostBytes);
  for (const child of children) lines.add(nodeLabel(child.name), childLines(child, worth));
  return { ...watched.sources(facts.name, composed), texts: lines.sources(), leftOut: lines.leftOut };
}

function checkBasis(
  name: NodeName,
  { read, basis }: { readonly read: readonly Source[]; readonly basis: string },
): void {
  if (basisOf(name, read) === basis) return;
  throw new MemoryError(
    "changed_by_other",
    `What ${nodePath(name)} was made from has changed since: run heartwood compact, then ask again.`,
    { path: nodePath(name) },
  );
}

/** `memory/daily/2026-03-15.md` */
function nameOf(path: string): NodeName | undefined {
  const [, folder = "", file = ""] = path.split("/");
  const level = nodeLevels.find((one) => one === folder);
  return level === undefined ? undefined : parseNodeFile(level, file);
}

/** The built-in summarizer, which remembers what went through it: so a day is read once, and nothing of its composing is told twice. */
class WatchedSummarizer {
  readonly #lines: CollectedLines;
  ranked: readonly Passage[] = [];

  constructor(mostBytes: number) {
    this.#lines = new CollectedLines(mostBytes);
  }

  readonly summarizer: NodeSummarizer = {
    ...builtInSummarizer,
    extract: (sections) => {
      const passages = builtInSummarizer.extract(sections);
      this.#collect(sections, passages);
      return passages;
    },
    rank: (passages, space) => {
      this.ranked = builtInSummarizer.rank(passages, space);
      return this.ranked;
    },
  };

  /** While a day is read its lines weigh what their passages weigh on their own. */
  #collect(sections: readonly SourceSection[], passages: readonly Passage[]): void {
    const weighed = weighLines(sendableSections(sections), passages, ({ role, weight }) =>
      role === "topic" || role === "entity" ? 0.5 : role === "preserved" ? 0.25 : weight,
    );
    for (let from = 0, to = 0; from < weighed.length; from = to) {
      const log = weighed[from]?.refs[0]?.log;
      for (to = from + 1; to < weighed.length && weighed[to]?.refs[0]?.log === log;) to += 1;
      this.#lines.add(log ?? "", weighed.slice(from, to));
    }
  }

  sources(name: NodeName, composed: Composed): NodeSources {
    const worth = worthByRank(this.ranked);
    const texts = this.#lines
      .sources()
      .map((source) => ({ ...source, lines: weighLines(source.lines, this.ranked, worth) }));
    return { texts, leftOut: this.#lines.leftOut, ranked: this.ranked, mustKeep: keptIn(name, composed) };
  }
}

/** The entries that the built-in summary holds word for word. */
function keptIn(name: NodeName, composed: Composed): readonly KeptEntry[] {
  return readPassages({ name, ...composed }, builtInSummarizer)
    .filter(({ role }) => role === "preserved")
    .map(({ topic, type, lines }) => ({ topic, type, lines: lines.slice(1).map(({ text }) => text) }));
}

/** The lines of a node's body that may be told, each with the raw lines it comes from and its weight. */
function childLines(node: Node, worthOf: PassageWorth): readonly SourceTextLine[] {
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
    const told = sendableSections(sectionsOf(node, part, days[0]?.log ?? near));
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
      return sendableItem({ text: piece, refs, weight }, near);
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
