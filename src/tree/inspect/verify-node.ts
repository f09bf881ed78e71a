import { Buffer } from "node:buffer";
import { ifMemoryError } from "../../base/errors.ts";
import { greatest } from "../../base/lists.ts";
import { decodeText, firstDifference, type NumberedLine } from "../../base/lines.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { type SecretValues, takenOut } from "../../text/redact/known-secrets.ts";
import { composeParent, type Composed, type NodeAnswer } from "../compose/compose-summary.ts";
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
} from "../model/node-format.ts";
import { daysCovered, memoryFolder, nodePath } from "../model/period.ts";
import { answersFor, isSummary } from "../plan/status.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { artifactPath } from "../../base/known-paths.ts";
import type { TreeMemory } from "../memory.ts";
import { composeDay } from "../run/compose-node.ts";
import { readNodeFile, type NodeFile } from "../run/tree-files.ts";
import { scanLog } from "../logs/raw-logs.ts";
import { parseRefSuffix, type Ref } from "../../base/refs.ts";
import type { SecretFinder } from "../run/redact-nodes.ts";
import { recordedAnswer } from "../run/answer-store.ts";
import type { SecretFound } from "../../text/redact/redact.ts";

export interface Surroundings {
  readonly state: TreeState;
  /** Paths of foreign nodes that the next run adopts or rebuilds. */
  readonly adopted: ReadonlySet<string>;
  /** Paths of logs and nodes that exist but cannot be read. */
  readonly unread: ReadonlySet<string>;
  readonly secrets: SecretFinder;
}

export async function verifyNode(
  memory: TreeMemory,
  facts: NodeFacts,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const path = nodePath(facts.name);
  if (facts.reading === "broken") {
    const { line, message } = facts.problem ?? { line: 1, message: "unreadable" };
    return [finding("front_matter", [path, line], `invalid front matter in ${path}: ${message}`)];
  }
  const file = await readNodeFile(memory.files, facts.name);
  if (file?.node === undefined) return [finding("unreadable", path, `${path} can no longer be read`)];
  const secrets = secretFindings(path, surroundings.secrets(path, file.text));
  if (facts.reading === "unknown") {
    const isAdopted = surroundings.adopted.has(path);
    const next = isAdopted
      ? "the next run adopts it, or archives it and rebuilds it from its sources"
      : "it stays as it is";
    return [...secrets, finding("not_ours", path, `${path} was not made by heartwood; ${next}`)];
  }
  if (facts.recorded !== facts.content) {
    const message = `the body of ${path} was not written by heartwood; the next run records it`;
    return [...secrets, finding("foreign_summary", path, message)];
  }
  if (facts.madeBy === foreignRule) return [...secrets, ...(await verifyForeign(memory, file))];
  const made = await verifyMade(memory, file, file.node, surroundings);
  return [...secrets, ...verifyPlaces(file, file.node, surroundings), ...made];
}

/** Compares a foreign summary with its recorded copy: the topics and body must be byte-identical. */
async function verifyForeign(memory: TreeMemory, { facts }: NodeFile): Promise<readonly Finding[]> {
  const path = nodePath(facts.name);
  const note = finding("foreign_summary", path, `the body of ${path} was not written by heartwood and is recorded`);
  const recorded = await memory.files.read(artifactPath(facts.content, "md"));
  const replayed = recorded === undefined ? undefined : parseNode(facts.name, decodeText(recorded.bytes) ?? "");
  if (replayed?.state !== "ours") {
    const gone = `the record of who wrote ${path} is missing, but its bytes match the digest it contains`;
    return [note, finding("artifact_missing", path, gone)];
  }
  if (contentDigest(replayed.node) === facts.content) return [note];
  return [finding("artifact_damaged", path, `the record of ${path} does not match the node`)];
}

async function verifyMade(
  memory: TreeMemory,
  file: NodeFile,
  node: Node,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const { facts } = file;
  const path = nodePath(facts.name);
  if (!isInForce(facts)) {
    const next = facts.status === "fixed" ? "it is fixed and its digest matches" : "the next run rebuilds it";
    const rules = [facts.madeBy, facts.redactedBy].filter((rule) => rule !== undefined).join(", ");
    const message = `${path} was made by rules that this program does not use (${rules}); ${next}`;
    return [finding("rule_older", path, message)];
  }
  // The answer named in the node, never a newer one.
  const { answer: mark, name } = facts;
  const records = answersFor(surroundings.state.answers, facts);
  const answer = mark === undefined ? undefined : await recordedAnswer(memory, records, mark.digest);
  if (answer === "missing" || answer === "damaged") {
    const fact = answer === "missing" ? "is missing" : "is damaged";
    return [cannot(`answer_${answer}`, path, `the recorded model answer that ${path} was made from ${fact}`)];
  }
  const isDay = name.level === "daily";
  const composed = await (isDay
    ? rebuildDay(memory, facts, answer)
    : rebuildParent(memory, facts, answer, surroundings));
  if ("code" in composed) return [composed];
  const now = printNode({ ...node, ...composed });
  const line = firstDifferenceBesideSecrets(now, nodeLinesInOrder(file.text, node.madeBy));
  if (line === undefined) return [];
  const message = `${path} differs from what its recorded sources produce, first on line ${line}`;
  return [finding("not_reproducible", [path, line], message)];
}

function cannot(code: Code, path: string, why: string): Finding {
  return finding(code, path, `${why}; the node's own digest matches`);
}

async function rebuildDay(
  memory: TreeMemory,
  facts: NodeFacts,
  answer: NodeAnswer | undefined,
): Promise<Composed | Finding> {
  const path = nodePath(facts.name);
  let problem: Finding | undefined;
  const make = (known: SecretValues): DayComposer => new DayComposer(facts.name, known);
  const composer = await composeDay(make, async (into) => {
    for (const source of facts.sources) {
      if (source.kind !== "raw" || problem !== undefined) continue;
      into.begin({ path: source.path, name: logName(source.path), part: source.part, secrets: "unknown" });
      const onWindow = into.add.bind(into);
      const end = await scanLog(memory.files, source.path, { upTo: source.bytes, onWindow }).catch(
        ifMemoryError(() => "unread" as const),
      );
      if (end === "unread") problem = sourceUnread(source.path, path);
      else if (end === undefined) problem = sourceMissing(source.path, path);
      else if (end.source.sha256 !== source.sha256) {
        const message = `${source.path} was changed after ${path} was made from it; what is new is in an addendum or due`;
        problem = cannot("source_edited", path, message);
      }
    }
  });
  return problem ?? composer.end(answer).composed;
}

async function rebuildParent(
  memory: TreeMemory,
  facts: NodeFacts,
  answer: NodeAnswer | undefined,
  { state, unread }: Surroundings,
): Promise<Composed | Finding> {
  const path = nodePath(facts.name);
  const children: Node[] = [];
  for (const source of facts.sources) {
    if (unread.has(source.path)) return sourceUnread(source.path, path);
    const known = state.nodes.get(source.path);
    const child = known === undefined ? undefined : (await readNodeFile(memory.files, known.name))?.node;
    if (child === undefined) return sourceMissing(source.path, path);
    if (contentDigest(child) !== source.sha256)
      return cannot("child_changed", path, `${source.path} was changed after ${path} was made from it`);
    children.push(child);
  }
  return composeParent(facts.name, children, answer);
}

function sourceUnread(source: string, path: string): Finding {
  return cannot("source_unread", path, `${source}, which ${path} was made from, cannot be read now`);
}

function sourceMissing(source: string, path: string): Finding {
  return cannot("source_missing", path, `${source}, which ${path} was made from, no longer exists`);
}

/** Checks that refs and spans point to existing lines of raw logs, and that summaries are within their limits. */
function verifyPlaces(file: NodeFile, node: Node, surroundings: Surroundings): readonly Finding[] {
  const { name } = file.facts;
  const path = nodePath(name);
  const findings: Finding[] = [];
  const dangling = (bodyLine: number, span = ""): void => {
    const line = file.bodyLine - 1 + bodyLine;
    const message = `${span || `line ${line}`} of ${path} refers to lines that no node has recorded`;
    findings.push(finding("dangling_ref", [path, line], message));
  };
  const isMade = isSummary(file.facts);
  const near = daysCovered(name.level, name.period).first;
  if (isMade)
    node.body.forEach((text, index) => {
      if (spanAt(node.spans, index + 1) !== undefined) return;
      for (const ref of parseRefSuffix(text, near).refs) if (!hasLines(surroundings, ref)) dangling(index + 1);
    });
  for (const { at, count, log, from } of node.spans)
    if (at + count - 1 > node.body.length || !hasLines(surroundings, { log, from, to: from + count - 1 }))
      dangling(at, `the span ${at}+${count}`);
  if (!isMade) return findings;
  const most = thresholds[name.level].summary;
  const space = summarySpace(name, readPassages(node));
  const limit = { lines: greatest([most.lines, space.lines]), bytes: greatest([most.bytes, space.bytes]) };
  // Secrets are redacted after choosing what fits.
  const bytes = Buffer.byteLength(withoutMarks(node.body.join("\n"), () => "")) + 1;
  if (node.body.length > limit.lines || bytes > limit.bytes) {
    const message = `the summary in ${path} has ${node.body.length} lines and ${bytes} bytes, more than the limits of ${limit.lines} and ${limit.bytes}`;
    findings.push(finding("summary_too_long", path, message));
  }
  return findings;
}

/** Returns true if an unreadable node may have recorded the lines; that node has its own finding. */
function hasLines({ state, unread }: Surroundings, ref: Ref): boolean {
  const day = ref.log.slice(0, 10);
  if (ref.from === 0 || [...unread].some((path) => path.startsWith(`${memoryFolder}/daily/${day}.`))) return true;
  const sources = state.nodes.of("daily", day).flatMap((node) => node.sources);
  return sources.some((source) => source.kind === "raw" && logName(source.path) === ref.log && ref.to <= source.lines);
}

/** A finding of `verify` in a file. */
export interface Finding {
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}

const severities = {
  answer_damaged: "error",
  answer_missing: "warning",
  artifact_damaged: "error",
  artifact_missing: "info",
  child_changed: "info",
  dangling_ref: "error",
  due: "info",
  fixed_before_child: "error",
  fixed_too_early: "error",
  foreign_summary: "info",
  front_matter: "error",
  late_source: "info",
  not_in_parent: "info",
  not_ours: "info",
  not_reproducible: "error",
  not_traceable: "error",
  over_cap: "error",
  over_loaders_limit: "error",
  root_missing: "info",
  rule_older: "info",
  secret: "error",
  source_edited: "info",
  source_missing: "warning",
  source_unread: "info",
  summary_too_long: "error",
  unreadable: "error",
} as const;
type Code = keyof typeof severities;

/** `at`: a file, or a line of one. */
export function finding(
  code: Code,
  at: string | readonly [path: string, line: number | null],
  message: string,
): Finding {
  const [path, line] = typeof at === "string" ? [at, null] : at;
  return { code, severity: severities[code], path, line, message };
}

export function secretFindings(path: string, found: readonly SecretFound[]): readonly Finding[] {
  return found.map(({ kind, line }) => {
    const message = `line ${line} of ${path} contains a secret (${kind}): heartwood doctor --fix redacts it`;
    return finding("secret", [path, line], message);
  });
}

/**
 * Like `firstDifference`, but ignores differences due to later redaction: markers in place of text, and the changed
 * digests.
 */
export function firstDifferenceBesideSecrets(expected: string, found: readonly NumberedLine[]): number | undefined {
  const first = firstDifference(expected, found);
  if (first === undefined) return undefined;
  const wanted = expected.split("\n");
  const isExplained = (line: string, text: string): boolean =>
    text === line ||
    ["content: ", "made-from: "].some((key) => line.startsWith(key) && text.startsWith(key)) ||
    takenOut(line, text) !== undefined;
  return wanted.length === found.length && found.every(({ text }, index) => isExplained(wanted[index] ?? "", text))
    ? undefined
    : first;
}
