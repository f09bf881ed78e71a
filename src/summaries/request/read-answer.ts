import type { NumberedLine } from "../../base/lines.ts";
import { redact, type SecretFound } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { groundingFindings } from "../check/grounding.ts";
import { entryKey, type Outline, outlineOf, readAnswerText } from "./answer-outline.ts";
import { itemWords, repetitiveFindings, unrelatedFindings } from "./item-checks.ts";
import { type AnswerCode, type AnswerFinding } from "../../tree/answers/record.ts";
import { keptTitle, requiredTitle, type SummaryRequest } from "./request.ts";

/** An answer as it was read and checked. */
interface CheckedAnswer {
  /** Refused when one of them is an error. */
  readonly findings: readonly AnswerFinding[];
  /**
   * What counts of it, with the 1-based lines of the answer: headings as the format has them and items, without refs; of the entries that must be kept the
   * headings alone. Also there when the answer is refused.
   */
  readonly lines: readonly NumberedLine[];
  /** As it came, with secrets replaced. */
  readonly text: string;
  /** o200k tokens of the answer as it came. */
  readonly tokens: number;
}

/** Several times what any summary may have, with what a model thought before it. Bytes. */
const mostBytes = 256 * 1024;
const bytesOfToken = 4;
/** Fewer UTF-8 bytes than a node may have. */
const leastBytes = 50;
/** Entries and secrets that are named one by one. */
const mostNamed = 20;

/** Reads and checks the answer to a request. Never throws. Linear. `count`: o200k tokens. */
export function readAnswer(
  request: SummaryRequest,
  given: { readonly text: string; readonly end: "complete" | "cut_off" },
  count: (text: string) => number,
): CheckedAnswer {
  const { text, found } = redact(given.text);
  const size = Buffer.byteLength(text);
  if (size > mostBytes) return endless(text, size);
  const read = readAnswerText(text, request.kind === "thread" ? "with_item" : "with_heading");
  const outline = outlineOf(read.lines, request);
  const tokens = count(text);
  const sizes = sizeFindings(outline, { request, tokens, count });
  const isTooLong = sizes.some(({ code }) => code === "too_long");
  const findings = [
    ...(given.end === "cut_off"
      ? [error("cut_off", "The answer breaks off, because the model reached its own limit; it has to be complete.")]
      : []),
    ...secretsFound(found),
    ...(read.frontMatter === undefined
      ? []
      : [
          error(
            "front_matter",
            `Line ${read.frontMatter} begins front matter; an answer begins with a heading.`,
            read.frontMatter,
          ),
        ]),
    ...(read.lines.length === 0
      ? nothingRead(text, request)
      : [...sizes, ...sectionFindings(outline, request), ...entryFindings(outline, request)]),
    ...outline.findings,
    ...(isTooLong ? [] : contentFindings(outline.lines, sourcesOf(request))),
  ];
  return { findings, lines: outline.lines, text, tokens };
}

/** What is said of the content of an answer as it was read: whether it says something, of the sources, and invents nothing. Linear. */
export function contentFindings(lines: readonly NumberedLine[], sources: readonly string[]): readonly AnswerFinding[] {
  const items = itemWords(lines.map(({ text }) => text));
  return [
    ...repetitiveFindings(items),
    ...unrelatedFindings(items, sources),
    ...groundingFindings(
      lines.filter((line) => !line.text.startsWith("#")),
      sources,
    ),
  ];
}

/** Of a model that did not stop nothing is read: checking it would take minutes. Its tokens are estimated. */
function endless(text: string, size: number): CheckedAnswer {
  const message = `The answer has ${size} bytes; of more than ${mostBytes} nothing is read.`;
  return { findings: [error("too_long", message)], lines: [], text, tokens: Math.ceil(size / bytesOfToken) };
}

/** Whether one of the findings refuses the answer. */
export function isRefused(findings: readonly AnswerFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function error(code: AnswerCode, message: string, line: number | null = null): AnswerFinding {
  return { code, severity: "error", message, line };
}

function secretsFound(found: readonly SecretFound[]): readonly AnswerFinding[] {
  return found
    .slice(0, mostNamed)
    .map(({ kind, line }) => error("secret", `Line ${line} holds a secret (${kind}); an answer must hold none.`, line));
}

/** Of what has no beginning nothing else can be said. */
function nothingRead(text: string, { kind }: SummaryRequest): readonly AnswerFinding[] {
  const bytes = Buffer.byteLength(text.trim());
  if (bytes === 0) return [error("too_short", `The answer is empty; it needs at least ${leastBytes} bytes.`)];
  const first = kind === "thread" ? 'a list item, as "- #12 user: text"' : `the heading "## ${requiredTitle(kind)}"`;
  const code = bytes < leastBytes ? "too_short" : "missing_section";
  return [error(code, `The answer (${bytes} bytes) has no beginning that could be found; begin it with ${first}.`)];
}

function sizeFindings(
  outline: Outline,
  {
    request,
    tokens,
    count,
  }: { readonly request: SummaryRequest; readonly tokens: number; readonly count: (text: string) => number },
): readonly AnswerFinding[] {
  const counted = outline.counted.filter((line) => line.trim() !== "");
  const bytes = counted.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  const { budgetTokens, space } = request;
  if (bytes < leastBytes)
    return [error("too_short", `The answer has ${bytes} bytes; it needs at least ${leastBytes}.`)];
  const findings: AnswerFinding[] = [];
  const own = tokens <= budgetTokens ? tokens : count(counted.join("\n"));
  if (own > budgetTokens)
    findings.push(error("too_long", `The answer has ${own} tokens; at most ${budgetTokens} are allowed.`));
  if (counted.length > space.lines)
    findings.push(error("too_long", `The answer has ${counted.length} lines; at most ${space.lines} are allowed.`));
  if (bytes > space.bytes)
    findings.push(error("too_long", `The answer has ${bytes} bytes; at most ${space.bytes} are allowed.`));
  return findings;
}

function sectionFindings({ items }: Outline, { kind }: SummaryRequest): readonly AnswerFinding[] {
  const required = requiredTitle(kind);
  if ((items.get(required) ?? 0) === 0)
    return [
      error(
        "missing_section",
        kind === "thread"
          ? "The answer has no list item; it needs at least one."
          : `The section ## ${required} is missing or has no list item; it is required.`,
      ),
    ];
  if (kind === "thread" || kind === "root") return [];
  const others = [...items.keys()].some((title) => title !== required && title !== keptTitle);
  return others
    ? []
    : [
        error(
          "missing_section",
          `Only ## ${required} has list items; at least one more section, other than ## ${keptTitle}, needs one.`,
        ),
      ];
}

function entryFindings({ named }: Outline, { mustKeep }: SummaryRequest): readonly AnswerFinding[] {
  const missing = new Map(mustKeep.map((entry) => [entryKey(entry), entry]));
  for (const key of named) missing.delete(key);
  return [...missing.values()]
    .slice(0, mostNamed)
    .map(({ topic, type }) =>
      error(
        "entry_missing",
        `The entry "${shown(topic, 80)} [${type}]" is not named; write its heading "### ${shown(topic, 80)} [${type}]" below ## ${keptTitle}.`,
      ),
    );
}

/** Everything that an answer may draw from. */
export function sourcesOf({ sources, mustKeep, label }: SummaryRequest): readonly string[] {
  return [
    label,
    ...sources.flatMap(({ name, lines }) => [name, ...lines.map(({ text }) => text)]),
    ...mustKeep.flatMap(({ topic, lines }) => [topic, ...lines]),
  ];
}
