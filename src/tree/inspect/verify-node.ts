import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { decodeText, firstDifference, type NumberedLine } from "../../base/lines.ts";
import type { SecretFound } from "../../text/redact/redact.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { takenOut, type SecretValues } from "../../text/redact/known-secrets.ts";
import { builtInSummarizer } from "../extract/built-in-summarizer.ts";
import { type NodeAnswer, composeParent, type Composed } from "../compose/compose-summary.ts";
import { summarySpace, thresholds } from "../compose/limits.ts";
import { readPassages } from "../model/node-passages.ts";
import { DayComposer, logName } from "../compose/compose-day.ts";
import {
  contentDigest,
  nodeLinesInOrder,
  parseNode,
  printNode,
  type Node,
  spanAt,
  foreignRule,
  isInForce,
  answerRule,
} from "../model/node-format.ts";
import { nodeLevels, nodePath, parseNodeFile, daysCovered, memoryFolder } from "../model/period.ts";
import type { RawSource } from "../model/node-sections.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { artifactPath } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";
import { composeDay } from "../run/compose-node.ts";
import { readNodeFile, type NodeFile } from "../run/tree-files.ts";
import { scanLog } from "../logs/raw-logs.ts";
import { parseRefSuffix, type Ref } from "../../base/refs.ts";
import type { SecretFinder } from "../run/known-secrets.ts";
import type { RecordedAnswers } from "../run/answer-store.ts";
import { finding, type Code, type Finding } from "./findings.ts";

/** What a node is looked at with. */
export interface Surroundings {
  readonly state: TreeState;
  /** Paths of others' nodes that the next run rebuilds. */
  readonly adopted: ReadonlySet<string>;
  /** Paths of logs and nodes that are there but cannot be read. */
  readonly unread: ReadonlySet<string>;
  readonly answers: Pick<RecordedAnswers, "byDigest">;
  readonly secrets: SecretFinder;
}

/** Everything that can be wrong with one node by itself. */
export async function verifyNode(
  memory: TreeMemory,
  facts: NodeFacts,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const { adopted } = surroundings;
  const path = nodePath(facts.name);
  if (facts.reading === "broken")
    return [
      finding(
        "front_matter",
        [path, facts.problem?.line ?? 1],
        `the front matter of ${path} makes no sense: ${facts.problem?.message ?? "unreadable"}`,
      ),
    ];
  const file = await readNodeFile(memory.files, facts.name);
  if (file?.node === undefined) return [finding("unreadable", path, `${path} can no longer be read`)];
  const secrets = secretFindings(path, surroundings.secrets(path, file.text));
  if (facts.reading === "unknown")
    return [
      ...secrets,
      finding(
        "not_ours",
        path,
        `${path} was not made by heartwood; ${adopted.has(path) ? "the next run adopts it, or archives it and rebuilds it from its sources" : "it stays as it is"}`,
      ),
    ];
  if (facts.recorded !== facts.content)
    return [
      ...secrets,
      finding("foreign_summary", path, `the body of ${path} was written by somebody else; the next run records it`),
    ];
  if (facts.madeBy === foreignRule) return [...secrets, ...(await verifyForeign(memory, file))];
  return [...secrets, ...verifyPlaces(file, surroundings), ...(await verifyMade(memory, file, surroundings))];
}

export function secretFindings(path: string, found: readonly SecretFound[]): readonly Finding[] {
  return found.map(({ kind, line }) =>
    finding(
      "secret",
      [path, line],
      `line ${line} of ${path} holds a secret (${kind}): heartwood doctor --fix redacts it`,
    ),
  );
}

/** A summary of somebody else is replayed from its record: the same topics and body, byte for byte. */
async function verifyForeign(memory: TreeMemory, file: NodeFile): Promise<readonly Finding[]> {
  const path = nodePath(file.facts.name);
  const note = finding("foreign_summary", path, `the body of ${path} was written by somebody else and is recorded`);
  const recorded = await memory.files.read(artifactPath(file.facts.content));
  const replayed = recorded === undefined ? undefined : parseNode(file.facts.name, decodeText(recorded.bytes) ?? "");
  if (replayed?.state !== "ours") {
    const gone = `the record of who wrote ${path} is gone; its bytes are as recorded in it`;
    return [note, finding("artifact_missing", path, gone)];
  }
  if (contentDigest(replayed.node) === file.facts.content) return [note];
  return [finding("artifact_damaged", path, `the record of ${path} does not give the node that stands there`)];
}

type Rebuilt =
  | { readonly state: "rebuilt"; readonly composed: Composed }
  | { readonly state: "cannot"; readonly findings: readonly Finding[] };

/** Composes the node again from what it recorded and compares every byte. */
async function verifyMade(memory: TreeMemory, file: NodeFile, surroundings: Surroundings): Promise<readonly Finding[]> {
  const { node, facts } = file;
  if (node === undefined) return [];
  const path = nodePath(facts.name);
  if (!isInForce(facts, builtInSummarizer.id)) return [ruleFinding(facts, path)];
  const answer = await recordedAnswer(facts, surroundings);
  if (answer === "missing" || answer === "damaged") return [answerFinding(path, answer)];
  const rebuilt =
    facts.name.level === "daily"
      ? await rebuildDay(memory, facts, answer)
      : await rebuildParent(memory, { facts, answer }, surroundings);
  if (rebuilt.state === "cannot") return rebuilt.findings;
  const expected = printNode({ ...node, ...rebuilt.composed });
  const line = firstDifferenceBesideSecrets(expected, nodeLinesInOrder(file.text, node.madeBy));
  if (line === undefined) return [];
  const message = `${path} is not what its recorded sources give; it differs first in line ${line}`;
  return [finding("not_reproducible", [path, line], message)];
}

/** A secret of another day was taken out of the lines that have a marker where the sources have text; then the digest is of what is left. */
export function firstDifferenceBesideSecrets(expected: string, found: readonly NumberedLine[]): number | undefined {
  const first = firstDifference(expected, found);
  if (first === undefined) return undefined;
  const wanted = expected.split("\n");
  const clean = found.map(({ text }, index) => {
    const before = wanted[index] ?? "";
    return text !== before && (isDigestLine(before, text) || takenOut(before, text) !== undefined) ? before : text;
  });
  return wanted.length === clean.length && wanted.every((line, index) => line === clean[index]) ? undefined : first;
}

function isDigestLine(before: string, text: string): boolean {
  return ["content: ", "made-from: "].some((key) => before.startsWith(key) && text.startsWith(key));
}

/** The answer that the node says it was made from, never a newer one. */
async function recordedAnswer(
  { name, answer }: NodeFacts,
  { answers }: Surroundings,
): Promise<NodeAnswer | "missing" | "damaged" | undefined> {
  return answer === undefined ? undefined : answers.byDigest(name, answer.digest);
}

function answerFinding(path: string, state: "missing" | "damaged"): Finding {
  const fact = state === "missing" ? "is no longer there" : "is damaged";
  return finding(
    `answer_${state}`,
    path,
    `the recorded answer of a model from which ${path} was made ${fact}; the node's own digest holds`,
  );
}

function ruleFinding(facts: NodeFacts, path: string): Finding {
  const fixed = facts.status === "fixed";
  return finding(
    "rule_older",
    path,
    `${path} was made by the rule ${facts.madeBy}, which this program no longer has; ${fixed ? "it is fixed and its digest holds" : "the next run makes it anew"}`,
  );
}

async function rebuildDay(memory: TreeMemory, facts: NodeFacts, answer: NodeAnswer | undefined): Promise<Rebuilt> {
  const path = nodePath(facts.name);
  let problem: Rebuilt | undefined;
  const make = (known: SecretValues): DayComposer => new DayComposer(facts.name, builtInSummarizer, known);
  const composer = await composeDay(make, async (into) => {
    for (const source of facts.sources)
      if (source.kind === "raw") problem ??= await readSource(memory, { source, path, into });
  });
  return problem ?? { state: "rebuilt", composed: composer.end(answer).composed };
}

/** Reads one recorded log into the composer; why it cannot be, where it cannot. */
async function readSource(
  memory: TreeMemory,
  { source, path, into }: { readonly source: RawSource; readonly path: string; readonly into: DayComposer },
): Promise<Rebuilt | undefined> {
  into.begin({ path: source.path, name: logName(source.path), part: source.part, secrets: "unknown" });
  const end = await scanLog(memory.files, source.path, {
    upTo: source.bytes,
    onWindow: (window) => into.add(window),
  }).catch((error: unknown) => {
    if (error instanceof MemoryError) return "unread" as const;
    throw error;
  });
  if (end === "unread") return sourceUnread(source.path, path);
  if (end === undefined)
    return cannot(
      "source_missing",
      path,
      `${source.path}, from which ${path} was made, is no longer there; the node's own digest holds`,
    );
  if (end.source.sha256 === source.sha256) return undefined;
  return cannot(
    "source_edited",
    path,
    `${source.path} was changed since ${path} was made from it; the node's own digest holds, and what is new stands in an addendum or is due`,
  );
}

async function rebuildParent(
  memory: TreeMemory,
  { facts, answer }: { readonly facts: NodeFacts; readonly answer: NodeAnswer | undefined },
  { state, unread }: Surroundings,
): Promise<Rebuilt> {
  const path = nodePath(facts.name);
  const children: Node[] = [];
  for (const source of facts.sources) {
    if (unread.has(source.path)) return sourceUnread(source.path, path);
    const known = state.nodes.get(source.path);
    const child = known === undefined ? undefined : (await readNodeFile(memory.files, known.name))?.node;
    if (
      child === undefined ||
      parseNodeFile(levelOfPath(source.path), source.path.split("/").at(-1) ?? "") === undefined
    )
      return cannot(
        "source_missing",
        path,
        `${source.path}, from which ${path} was made, is no longer there; the node's own digest holds`,
      );
    if (contentDigest(child) !== source.sha256)
      return cannot(
        "child_changed",
        path,
        `${source.path} is not what it was when ${path} was made from it; the node's own digest holds`,
      );
    children.push(child);
  }
  return { state: "rebuilt", composed: composeParent(facts.name, children, { summarizer: builtInSummarizer, answer }) };
}

function sourceUnread(source: string, path: string): Rebuilt {
  const message = `${source}, from which ${path} was made, cannot be read now; the node's own digest holds`;
  return cannot("source_unread", path, message);
}

function levelOfPath(path: string): (typeof nodeLevels)[number] {
  return nodeLevels.find((level) => path.includes(`/${level}/`)) ?? "daily";
}

function cannot(code: Code, path: string, message: string): Rebuilt {
  return { state: "cannot", findings: [finding(code, path, message)] };
}

/** Refs and spans point to lines that the raw logs had; summaries keep their limits. */
function verifyPlaces(file: NodeFile, surroundings: Surroundings): readonly Finding[] {
  const { node, facts } = file;
  if (node === undefined) return [];
  const path = nodePath(facts.name);
  const findings: Finding[] = [];
  const isSummary = [builtInSummarizer.id, answerRule(builtInSummarizer.id)].includes(facts.madeBy);
  const near = daysCovered(facts.name.level, facts.name.period).first;
  node.body.forEach((text, index) => {
    if (spanAt(node.spans, index + 1) !== undefined) return;
    for (const ref of parseRefSuffix(text, near).refs)
      if (isSummary && !hasLines(surroundings, ref))
        findings.push(
          finding(
            "dangling_ref",
            [path, file.bodyLine + index],
            `line ${file.bodyLine + index} of ${path} names lines that no node has recorded`,
          ),
        );
  });
  for (const span of node.spans)
    if (
      span.at + span.count - 1 > node.body.length ||
      !hasLines(surroundings, { log: span.log, from: span.from, to: span.from + span.count - 1 })
    )
      findings.push(
        finding(
          "dangling_ref",
          [path, file.bodyLine + span.at - 1],
          `the span ${span.at}+${span.count} of ${path} names lines that no node has recorded`,
        ),
      );
  const most = thresholds[facts.name.level].summary;
  const space = isSummary ? summarySpace(facts.name, readPassages(node, builtInSummarizer)) : most;
  const limit = { lines: Math.max(most.lines, space.lines), bytes: most.bytes };
  // Secrets are taken out after the choice of what fits.
  const bytes = Buffer.byteLength(withoutMarks(node.body.join("\n"), () => "")) + 1;
  if (isSummary && (node.body.length > limit.lines || bytes > limit.bytes))
    findings.push(
      finding(
        "summary_too_long",
        path,
        `the summary in ${path} has ${node.body.length} lines and ${bytes} bytes, more than ${limit.lines} and ${limit.bytes}`,
      ),
    );
  return findings;
}

/** What a node records that cannot be read is not known, and that it cannot be read is told of that node. */
function hasLines({ state, unread }: Surroundings, ref: Ref): boolean {
  const day = ref.log.slice(0, 10);
  if (ref.from === 0 || [...unread].some((path) => path.startsWith(`${memoryFolder}/daily/${day}.`))) return true;
  const sources = state.nodes.of("daily", day).flatMap((node) => node.sources);
  return sources.some((source) => source.kind === "raw" && logName(source.path) === ref.log && ref.to <= source.lines);
}
