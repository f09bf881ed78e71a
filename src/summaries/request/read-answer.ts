import type { NumberedLine } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { type AnswerFinding, refusal } from "../../tree/answers/record.ts";
import { groundingFindings } from "../check/grounding.ts";
import { entryKey, type Outline, outlineOf, readAnswerText } from "./answer-outline.ts";
import { itemWords, repetitiveFindings, unrelatedFindings } from "./item-checks.ts";
import { keptTitle, requiredTitle, type SummaryRequest } from "./request.ts";

interface CheckedAnswer {
  /** The answer is refused if one of them is an error. */
  readonly findings: readonly AnswerFinding[];
  /**
   * The relevant lines, with their 1-based line numbers in the answer: headings as the format spells them and items, without refs; for entries that
   * must be kept, only the headings. Present even if the answer is refused.
   */
  readonly lines: readonly NumberedLine[];
  /** The original text, with secrets redacted. */
  readonly text: string;
  /** o200k tokens in the original text. */
  readonly tokens: number;
}

type Count = (text: string) => number;

/** In bytes; several times the size of any summary, including the model's reasoning. */
const mostBytes = 256 * 1024;
const bytesOfToken = 4;
/** A node needs at least this many UTF-8 bytes. */
const leastBytes = 50;
/** Maximum entries and secrets named individually. */
const mostNamed = 20;

/** Reads and checks the answer to a request. Never throws. Linear time. `count`: counts o200k tokens. */
export function readAnswer(
  request: SummaryRequest,
  given: { readonly text: string; readonly end: "complete" | "cut_off" },
  count: Count,
): CheckedAnswer {
  const { text, found } = redact(given.text);
  const size = Buffer.byteLength(text);
  if (size > mostBytes) {
    // The model did not stop. Checking the answer would take minutes, so its tokens are only estimated.
    const message = `The answer has ${size} bytes; more than ${mostBytes} are not read.`;
    return { findings: [refusal("too_long", message)], lines: [], text, tokens: Math.ceil(size / bytesOfToken) };
  }
  const { kind } = request;
  const read = readAnswerText(text, kind === "thread" ? "with_item" : "with_heading");
  const outline = outlineOf(read.lines, request);
  const tokens = count(text);
  const findings: AnswerFinding[] = [];
  if (given.end === "cut_off")
    findings.push(refusal("cut_off", "The answer is incomplete because the model reached its output limit."));
  for (const { kind: secret, line } of found.slice(0, mostNamed))
    findings.push(
      refusal("secret", `Line ${line} contains a secret (${secret}); an answer must not contain secrets.`, line),
    );
  const { frontMatter: at } = read;
  if (at !== undefined)
    findings.push(refusal("front_matter", `Line ${at} starts front matter; an answer must start with a heading.`, at));
  if (read.lines.length === 0) findings.push(nothingRead(text, kind));
  else {
    pushAll(findings, sizeFindings(outline, request, { tokens, count }));
    pushAll(findings, sectionFindings(outline, kind));
    pushAll(findings, entryFindings(outline, request));
  }
  const isTooLong = findings.some(({ code }) => code === "too_long");
  pushAll(findings, outline.findings);
  if (!isTooLong) pushAll(findings, contentFindings(outline.lines, sourcesOf(request)));
  return { findings, lines: outline.lines, text, tokens };
}

/** Findings about the content of an answer: whether it says anything, relates to the sources, and invents nothing. Linear time. */
export function contentFindings(lines: readonly NumberedLine[], sources: readonly string[]): readonly AnswerFinding[] {
  const items = itemWords(lines.map(({ text }) => text));
  const itemLines = lines.filter((line) => !line.text.startsWith("#"));
  return [...repetitiveFindings(items), ...unrelatedFindings(items, sources), ...groundingFindings(itemLines, sources)];
}

export function isRefused(findings: readonly AnswerFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

/** For an answer with no recognizable beginning; nothing else can be checked. */
function nothingRead(text: string, kind: SummaryRequest["kind"]): AnswerFinding {
  const bytes = Buffer.byteLength(text.trim());
  if (bytes === 0) return refusal("too_short", `The answer is empty; it needs at least ${leastBytes} bytes.`);
  const first =
    kind === "thread" ? 'a list item such as "- #12 user: text"' : `the heading "## ${requiredTitle(kind)}"`;
  const code = bytes < leastBytes ? "too_short" : "missing_section";
  return refusal(code, `The answer (${bytes} bytes) does not start as expected; start it with ${first}.`);
}

function sizeFindings(
  outline: Outline,
  { budgetTokens, space }: SummaryRequest,
  { tokens, count }: { readonly tokens: number; readonly count: Count },
): readonly AnswerFinding[] {
  const counted = outline.counted.filter((line) => line.trim() !== "");
  const bytes = counted.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (bytes < leastBytes)
    return [refusal("too_short", `The answer has ${bytes} bytes; it must have at least ${leastBytes}.`)];
  const own = tokens <= budgetTokens ? tokens : count(counted.join("\n"));
  const sizes = [
    ["tokens", own, budgetTokens],
    ["lines", counted.length, space.lines],
    ["bytes", bytes, space.bytes],
  ] as const;
  return sizes
    .filter(([, has, most]) => has > most)
    .map(([unit, has, most]) => refusal("too_long", `The answer has ${has} ${unit}; at most ${most} are allowed.`));
}

function sectionFindings({ filled }: Outline, kind: SummaryRequest["kind"]): readonly AnswerFinding[] {
  const required = requiredTitle(kind);
  const missing = (message: string): readonly AnswerFinding[] => [refusal("missing_section", message)];
  if (!filled.has(required))
    return missing(
      kind === "thread"
        ? "The answer has no list item; it needs at least one."
        : `The section ## ${required} is missing or has no list item; it is required.`,
    );
  if (kind === "thread" || kind === "root") return [];
  if ([...filled].some((title) => title !== required && title !== keptTitle)) return [];
  return missing(
    `Only ## ${required} has list items; at least one more section, other than ## ${keptTitle}, needs one.`,
  );
}

function entryFindings({ named }: Outline, { mustKeep }: SummaryRequest): readonly AnswerFinding[] {
  const missing = new Map(mustKeep.map((entry) => [entryKey(entry), entry]));
  for (const key of named) missing.delete(key);
  return [...missing.values()].slice(0, mostNamed).map(({ topic, type }) => {
    const heading = `${shown(topic, 80)} [${type}]`;
    const message = `The entry "${heading}" is missing; write its heading "### ${heading}" below ## ${keptTitle}.`;
    return refusal("entry_missing", message);
  });
}

function sourcesOf({ sources, mustKeep, label }: SummaryRequest): readonly string[] {
  return [
    label,
    ...sources.flatMap(({ name, lines }) => [name, ...lines.map(({ text }) => text)]),
    ...mustKeep.flatMap(({ topic, lines }) => [topic, ...lines]),
  ];
}
