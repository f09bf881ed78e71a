import { sha256 } from "../../base/digest.ts";
import { redact } from "../../text/redact/redact.ts";
import type { SourceText } from "../../tree/answers/match.ts";
import type { SummaryKind } from "../../tree/answers/record.ts";
import {
  type KeptEntry,
  type PrintedPrompt,
  type SummaryRequest,
  keptTitle,
  requiredTitle,
  titlesOf,
} from "./request.ts";
import { fitSources, printSourceLine, printSources, withoutMarks } from "./source-lines.ts";
import { promptTexts } from "./prompt-texts.ts";

/** The input of a request. The sources are filtered by `sendableSections` but not yet bounded; each is redacted again here, as one text. */
export interface RequestFacts extends Pick<
  SummaryRequest,
  "kind" | "label" | "basis" | "sources" | "mustKeep" | "space"
> {
  /** Lines already dropped from the sources because there were too many. Default 0. */
  readonly leftOut?: number;
  /** Maximum o200k tokens in the answer, if less than its kind allows. */
  readonly budgetTokens?: number;
  /** Token limit for request and answer together. */
  readonly contextTokens: number;
  /** Agent notes for a job. */
  readonly notes?: string | undefined;
}

type Count = (text: string) => number;

const budgets: Readonly<Record<SummaryKind, number>> = {
  daily: 2_500,
  weekly: 3_500,
  monthly: 5_000,
  root: 2_000,
  thread: 4_000,
};

/** Maximum o200k tokens in an answer: at most a quarter of the limit for request and answer together. */
export function budgetOf(kind: SummaryKind, contextTokens: number): number {
  return Math.min(budgets[kind], Math.floor(contextTokens / 4));
}

/** Tokens around the sources in the prompt, and for the model's own control tokens. */
const frameTokens = 200;

/**
 * Builds the request for a summary; the same facts give the same request. If `count` counts o200k tokens, instructions, prompt and answer together
 * stay within `contextTokens`.
 */
export function buildRequest(facts: RequestFacts, count: Count): SummaryRequest {
  const { kind, label, basis, space, contextTokens, leftOut: before = 0 } = facts;
  const subject = { kind, label, basis, space };
  const sources = facts.sources.map(withoutSecrets);
  const budgetTokens = Math.min(facts.budgetTokens ?? Number.POSITIVE_INFINITY, budgetOf(kind, contextTokens));
  const mustKeep = boundKept(facts.mustKeep, Math.floor(budgetTokens / 2), count);
  const notes = boundNotes(facts.notes ?? "", Math.floor(contextTokens / 8), count);
  const instructionsFor = (leftOut: number): string =>
    printInstructions({ ...subject, budgetTokens, mustKeep, notes, leftOut });
  const all = sources.reduce((sum, { lines }) => sum + lines.length, before);
  const room = contextTokens - budgetTokens - count(instructionsFor(all)) - frameTokens;
  const fitted = fitSources(sources, room, count);
  const leftOut = before + fitted.leftOut;
  const instructions = redact(instructionsFor(leftOut)).text;
  return {
    ...subject,
    promptRule: ruleOf(kind),
    instructions,
    sources: fitted.sources,
    leftOut,
    mustKeep,
    budgetTokens,
  };
}

/** Redacts a part of the sources as one text, since a secret may span lines, and defuses lines that look like our marks. Never adds or removes lines. */
function withoutSecrets({ name, lines }: SourceText): SourceText {
  const text = lines.map((line) => line.text).join("\n");
  const texts = withoutMarks(redact(text).text).split("\n");
  // For a log `2026-03-15-<slug>`, redact only the slug: after a date, it would not be recognized as a secret.
  const [, day = "", slug = name] = /^(\d{4}-\d{2}-\d{2}-)(.+)$/su.exec(name) ?? [];
  return {
    name: `${day}${redact(slug).text}`,
    lines: lines.map((line, at) => ({ ...line, text: texts[at] ?? "" })),
  };
}

/** Redacted entries whose headings fit in these answer tokens. The program keeps the others too, but the answer need not name them. */
function boundKept(entries: readonly KeptEntry[], tokens: number, count: Count): readonly KeptEntry[] {
  let left = tokens;
  return entries.flatMap(({ topic: named, type, lines }) => {
    const topic = redact(named).text;
    left -= count(`### ${topic} [${type}]\n`);
    return left < 0 ? [] : [{ topic, type, lines: redact(lines.join("\n")).text.split("\n") }];
  });
}

/** UTF-8 bytes. */
const mostNotes = 8 * 1024;

/** The redacted notes, cut at a line break; `undefined` if nothing remains. */
function boundNotes(notes: string, tokens: number, count: Count): string | undefined {
  const kept: string[] = [];
  let left = { bytes: mostNotes, tokens };
  for (const line of redact(notes.slice(0, mostNotes * 2)).text.split(/\r\n|[\n\r]/u)) {
    left = { bytes: left.bytes - Buffer.byteLength(line) - 1, tokens: left.tokens - count(`${line}\n`) };
    if (left.bytes < 0 || left.tokens < 0) break;
    kept.push(line);
  }
  return kept.join("").trim() === "" ? undefined : kept.join("\n");
}

/** Digits of the sources' digest in the marks around them. */
const digitsOfMark = 8;

/** The two texts that are sent. The marks around the sources contain a digest of them, so the sources cannot contain the closing mark. */
export function printPrompt({ kind, sources, instructions }: SummaryRequest): PrintedPrompt {
  const text = redact(withoutMarks(printSources(sources))).text;
  const id = sha256(text).slice(0, digitsOfMark);
  const { before, after } = printFrame({ kind, id });
  const prompt = `${before}\n\n<sources ${id}>\n${text}</sources ${id}>\n\n${after}\n`;
  return { instructions, prompt: redact(prompt).text };
}

/** The sources as shown in a job, one entry per part. */
export function printedSources(request: SummaryRequest): readonly { readonly name: string; readonly text: string }[] {
  return request.sources.map(({ name, lines }) => ({
    name,
    text: redact(withoutMarks(lines.map((line) => `${printSourceLine(line)}\n`).join(""))).text,
  }));
}

/** Digest of the request and the model, 64 digits. `model`: `pull`, or the id of the summarizer. */
export function requestDigest(request: SummaryRequest, model: string, printed = printPrompt(request)): string {
  const { instructions, prompt } = printed;
  return sha256(JSON.stringify(["heartwood.request.v1", request.promptRule, model, instructions, prompt]));
}

interface AskedFor extends Pick<SummaryRequest, "kind" | "label" | "space" | "budgetTokens" | "mustKeep" | "leftOut"> {
  readonly notes: string | undefined;
}

/** The version of the prompt. Any change to a text needs a new version, because answers are identified by their request. */
export function ruleOf(kind: SummaryKind): string {
  return kind === "root" || kind === "thread" ? `${kind}-prompt-1` : "node-prompt-2";
}

/** The instructions, without a trailing newline. */
export function printInstructions(asked: AskedFor): string {
  const { kind, mustKeep, leftOut, notes } = asked;
  const { shared, sections, task, node } = promptTexts;
  const own = kind === "root" || kind === "thread" ? promptTexts[kind] : node;
  const titles = titlesOf(kind).filter((title) => title !== keptTitle || mustKeep.length > 0);
  const headings = titles.map((title) => `- \`## ${title}\`: ${sections[title]}`);
  const rules = [...own.types, shared.exclude, shared.exact, shared.invent, shared.language, shared.data];
  const isKept = mustKeep.length > 0 && own === node;
  const values = {
    period: asked.label,
    tokens: String(asked.budgetTokens),
    lines: String(asked.space.lines),
    count: String(leftOut),
  };
  const fill = (text: string): string => fillPrompt(text, values);
  const parts = [
    fill(task[kind]),
    shared.output,
    [own.headings, ...headings].join("\n"),
    fill(`${own.item} ${own.budget}`),
    own.choice,
    [shared.rules, ...rules.map((rule) => `- ${rule}`)].join("\n"),
    ...(isKept ? [shared.mustKeep, mustKeep.map(({ topic, type }) => `### ${topic} [${type}]`).join("\n")] : []),
    leftOut > 0 ? fill(shared.leftOut) : "",
    ...(notes === undefined ? [] : [shared.notes, notes]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export function printFrame({ kind, id }: { readonly kind: SummaryKind; readonly id: string }): {
  readonly before: string;
  readonly after: string;
} {
  const { before, after } = promptTexts.shared;
  const first = kind === "thread" ? "- #" : `## ${requiredTitle(kind)}`;
  return { before: fillPrompt(before, { id }), after: fillPrompt(after, { first }) };
}

/** Inserts values into a text. Values are inserted verbatim, even if they contain braces. */
function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/gu, (mark, name: string) => values[name] ?? mark);
}
