import { type Day, isDay } from "../../base/calendar.ts";
import { detached, type NumberedLine, joinLines, textLines } from "../../base/lines.ts";
import { sha256 } from "../../base/digest.ts";
import { isDigest } from "../../base/json.ts";
import {
  type FrontMatter,
  foreignLines,
  itemsOf,
  readFrontMatter,
  valueOf,
  withForeignLast,
} from "../../base/front-matter.ts";
import type { Topic } from "../../base/memory-type.ts";
import type { Ref } from "../../base/refs.ts";
import { type NodeName, type Period, daysCovered, nodeLabel } from "./period.ts";
import { type Source, parseParts, parseSource, printSource, parseTopics, printTopics } from "./node-sections.ts";
import { ruleSetId } from "../../text/redact/redact.ts";

export type Status = "tentative" | "fixed";

export interface Node {
  readonly name: NodeName;
  readonly status: Status;
  readonly topics: readonly Topic[];
  /** The ISO weeks covered by a monthly node. */
  readonly weeks: readonly Period[];
  /** The rule that made the body: `copy-1`, `concat-1`, a summarizer's id, `foreign`. */
  readonly madeBy: string;
  /** In a daily node: the rule set used to redact it. */
  readonly redactedBy: string | undefined;
  /** In a model-written summary: the recorded answer it was made from. */
  readonly answer?: AnswerMark | undefined;
  /** In an addendum: the local day on which it was first written. */
  readonly since: Day | undefined;
  /** Verbatim lines in the body and their places in the raw logs. */
  readonly spans: readonly Span[];
  readonly sources: readonly Source[];
  readonly body: readonly string[];
  /** Front matter not written by heartwood: unknown keys, and comments. */
  readonly foreign: readonly string[];
}

export interface AnswerMark {
  /** The request digest, 64 digits. */
  readonly digest: string;
  readonly model: string;
}

/** Maps `count` body lines starting at `at` to lines starting at `from` in the raw log `log` (a file name without `.md`). */
export interface Span {
  readonly at: number;
  readonly count: number;
  readonly log: string;
  readonly from: number;
}

type NodeReading =
  /** `recorded`: the content digest in the file; differs from `contentDigest(node)` if the file was edited. */
  | { readonly state: "ours"; readonly node: Node; readonly recorded: string; readonly bodyLine: number }
  /** A foreign file, without our front matter. */
  | { readonly state: "unknown"; readonly topics: readonly Topic[]; readonly body: readonly string[] }
  | { readonly state: "broken"; readonly line: number; readonly message: string };

/** The digest of the content that a parent uses: period, topics, spans and body. */
export function contentDigest(node: Pick<Node, "name" | "topics" | "spans" | "body">): string {
  const known = digests.get(node);
  if (known !== undefined) return known;
  const head = `${node.name.level}\n${nodeLabel(node.name)}\n${printTopics(node.topics)}\n${printSpans(node.spans)}\n\n`;
  const digest = sha256(head, joinLines(node.body));
  digests.set(node, digest);
  return digest;
}

/** Nodes are immutable, so each digest is computed once. */
const digests = new WeakMap<object, string>();

export function printNode(node: Node): string {
  const { level, period, late } = node.name;
  const covered = daysCovered(level, period);
  const lines = ["---", `type: ${level}`, `status: ${node.status}`, `period: ${period}`];
  if (late > 0) lines.push(`late: ${late}`, `since: ${node.since ?? ""}`);
  if (level === "weekly") lines.push(`dates: ${covered.first} to ${covered.last}`);
  if (level === "monthly") lines.push(`weeks: ${node.weeks.join(", ")}`);
  lines.push(`source-files: [${node.sources.map((source) => source.path).join(", ")}]`);
  lines.push(`topics: ${printTopics(node.topics)}`.trimEnd());
  lines.push(`made-by: ${node.madeBy}`);
  if (node.redactedBy !== undefined) lines.push(`redacted-by: ${node.redactedBy}`);
  if (node.answer !== undefined) lines.push(`answer: ${node.answer.digest}`, `model: ${node.answer.model}`.trimEnd());
  if (node.spans.length > 0) lines.push(`spans: ${printSpans(node.spans)}`);
  const sources = node.sources.map((source) => `  - ${printSource(source)}`);
  const own = [...lines, "sources:", ...sources, `content: ${contentDigest(node)}`];
  return joinLines([...own, ...node.foreign, "---", ...node.body]);
}

export const ownKeys: ReadonlySet<string> = new Set(
  "type status period late since dates weeks source-files topics made-by redacted-by spans sources content".split(" "),
);

/** Keys of a node made from an answer. In other nodes `answer` and `model` are foreign keys. */
const keysWithAnswer: ReadonlySet<string> = new Set([...ownKeys, "answer", "model"]);

function keysOf(madeBy: string): ReadonlySet<string> {
  return isAnswerRule(madeBy) ? keysWithAnswer : ownKeys;
}

/** The lines of a node file in the order of `printNode`, which writes foreign front matter after ours. */
export function nodeLinesInOrder(text: string, madeBy: string): readonly NumberedLine[] {
  return withForeignLast(text, keysOf(madeBy));
}

/** Parses a node file. A file that contradicts its name is broken. */
export function parseNode(name: NodeName, text: string): NodeReading {
  const lines = textLines(text);
  const reading = readFrontMatter(lines);
  if (reading.state === "broken") return reading;
  if (reading.state === "none") return { state: "unknown", topics: [], body: reading.body };
  const { front, body } = reading;
  if (valueOf(front, "made-by") === undefined || valueOf(front, "content") === undefined)
    return { state: "unknown", topics: parseTopics(valueOf(front, "topics") ?? ""), body };
  const broken = (key: string, message: string) => ({ state: "broken", line: lineOf(front, key), message }) as const;
  const wrong = wrongKey(front, name);
  if (wrong !== undefined) return broken(wrong, `the value of ${wrong} does not fit this file`);
  const sources = itemsOf(front, "sources").map((item) => parseSource(detached(item)));
  const spans = parseSpanList(valueOf(front, "spans") ?? "");
  if (sources.includes(undefined)) return broken("sources", "a source does not have the form that heartwood writes");
  if (spans === undefined) return broken("spans", "the spans do not have the form that heartwood writes");
  const since = valueOf(front, "since") ?? "";
  const madeBy = detached(valueOf(front, "made-by") ?? "");
  const node: Node = {
    name,
    status: valueOf(front, "status") === "fixed" ? "fixed" : "tentative",
    topics: parseTopics(valueOf(front, "topics") ?? ""),
    weeks: name.level === "monthly" ? (valueOf(front, "weeks") ?? "").split(", ").filter((week) => week !== "") : [],
    madeBy,
    redactedBy: valueOf(front, "redacted-by"),
    answer: isAnswerRule(madeBy) ? answerOf(front) : undefined,
    since: isDay(since) ? since : undefined,
    spans,
    sources: sources.filter((source) => source !== undefined),
    body,
    foreign: foreignLines(front, keysOf(madeBy)),
  };
  return { state: "ours", node, recorded: detached(valueOf(front, "content") ?? ""), bodyLine: front.lines + 1 };
}

function wrongKey(front: FrontMatter, name: NodeName): string | undefined {
  if (valueOf(front, "type") !== name.level) return "type";
  if (valueOf(front, "period") !== name.period) return "period";
  if ((valueOf(front, "late") ?? "0") !== String(name.late)) return "late";
  if (name.late > 0 && !isDay(valueOf(front, "since") ?? "")) return "since";
  if (!isDigest(valueOf(front, "content") ?? "")) return "content";
  if (isAnswerRule(valueOf(front, "made-by") ?? "") && !isDigest(valueOf(front, "answer") ?? "")) return "answer";
  return undefined;
}

function answerOf(front: FrontMatter): AnswerMark | undefined {
  const digest = detached(valueOf(front, "answer") ?? "");
  return isDigest(digest) ? { digest, model: detached(valueOf(front, "model") ?? "") } : undefined;
}

function lineOf(front: FrontMatter, key: string): number {
  let line = 2;
  for (const block of front.blocks) {
    if (block.key === key) return line;
    line += block.lines.length;
  }
  return 1;
}

function printSpans(spans: readonly Span[]): string {
  return spans.map((span) => `${span.at}+${span.count}=${span.log}:${span.from}`).join(" ");
}

function parseSpanList(text: string): readonly Span[] | undefined {
  const form = /^(\d{1,9})\+(\d{1,9})=(\d{4}-\d{2}-\d{2}(?:-[^ :]+)?):(\d{1,15})$/u;
  const spans = parseParts(text, form, ([, at, count, log = "", from]): Span => {
    return { at: Number(at), count: Number(count), log, from: Number(from) };
  });
  return spans?.every(({ log }) => isDay(log.slice(0, 10))) === true ? spans : undefined;
}

/** The raw line that a body line was copied from; `undefined` if the line is not verbatim. */
export function spanAt(spans: readonly Span[], bodyLine: number): Ref | undefined {
  const span = spans.find((candidate) => bodyLine >= candidate.at && bodyLine < candidate.at + candidate.count);
  if (span === undefined) return undefined;
  const line = span.from + bodyLine - span.at;
  return { log: span.log, from: line, to: line };
}

/** Maps line `at` of a body to this raw line. Call it in line order. */
export function addSpan(spans: Span[], at: number, { log, from }: Pick<Ref, "log" | "from">): void {
  const last = spans.at(-1);
  if (last !== undefined && last.log === log && last.at + last.count === at && last.from + last.count === from)
    spans[spans.length - 1] = { ...last, count: last.count + 1 };
  else spans.push({ at, count: 1, log, from });
}

/** Rules that make bodies. The id changes whenever the rule would make different bytes from the same sources. */
export const copyRule = "copy-1";
export const concatRule = "concat-1";
export const rootRule = "root-4";
export const foreignRule = "foreign";

/** The summarizer that needs no model. The number changes whenever its output does. */
export const builtInRule = "built-in-4";
/** Combines a recorded answer with passages of the built-in summarizer. */
export const answerRule = `answer-1+${builtInRule}`;

function isAnswerRule(madeBy: string): boolean {
  return madeBy.startsWith("answer-");
}

export const redactionRule = ruleSetId;

/** Whether the current rules made the node's body. */
export function isInForce(node: Pick<Node, "madeBy" | "redactedBy">): boolean {
  const rules = [copyRule, concatRule, foreignRule, builtInRule, answerRule];
  return rules.includes(node.madeBy) && (node.redactedBy ?? redactionRule) === redactionRule;
}
