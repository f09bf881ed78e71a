import { sha256 } from "../../base/digest.ts";
import { redact } from "../../text/redact/redact.ts";
import { printFrame, printInstructions, ruleOf } from "../prompts/instructions.ts";
import { languageOf } from "../prompts/language.ts";
import type { KeptEntry, PrintedPrompt, SummaryRequest } from "./request.ts";
import type { SourceText } from "../../tree/answers/match.ts";
import type { SummaryKind } from "../../tree/answers/record.ts";
import { fitSources, printSourceLine, printSources, textsOf, withoutMarks } from "./source-lines.ts";

/** What a request is made from. */
export interface RequestFacts {
  readonly kind: SummaryKind;
  readonly label: string;
  readonly basis: string;
  /** Filtered by `sendableSections`, not yet bounded. They are redacted here once more, as one text. */
  readonly sources: readonly SourceText[];
  /** Lines that are not among the sources, because there were too many to be held. Default 0. */
  readonly leftOut?: number;
  readonly mustKeep: readonly KeptEntry[];
  /** Lines and UTF-8 bytes that the answer may have. */
  readonly space: { readonly lines: number; readonly bytes: number };
  /** o200k tokens that the answer may have, where that is less than its kind may. */
  readonly budgetTokens?: number;
  /** Tokens of request and answer together. */
  readonly contextTokens: number;
  /** The notes of agents, of a job. */
  readonly notes?: string | undefined;
}

const budgets: Readonly<Record<SummaryKind, number>> = {
  daily: 2_500,
  weekly: 3_500,
  monthly: 5_000,
  root: 2_000,
  thread: 4_000,
};

/** o200k tokens that an answer may have: at most a quarter of what request and answer may have together. */
export function budgetOf(kind: SummaryKind, contextTokens: number): number {
  return Math.min(budgets[kind], Math.floor(contextTokens / 4));
}

/** Tokens that stand around the sources in the prompt, and those that a model's own marks may take. */
const frameTokens = 200;

/** The request for a summary: the same facts give the same request. With `count` of o200k, instructions, prompt and answer together stay within `contextTokens`. */
export function buildRequest(facts: RequestFacts, count: (text: string) => number): SummaryRequest {
  const { kind, label, basis, space, contextTokens } = facts;
  const sources = withoutSecrets(facts.sources);
  const budgetTokens = Math.min(facts.budgetTokens ?? Number.POSITIVE_INFINITY, budgetOf(kind, contextTokens));
  const mustKeep = boundKept(facts.mustKeep.map(redactedEntry), Math.floor(budgetTokens / 2), count);
  const language = languageOf(textsOf(sources));
  const asked = { kind, label, space, budgetTokens, mustKeep, notes: boundNotes(facts.notes, contextTokens, count) };
  const before = facts.leftOut ?? 0;
  const all = sources.reduce((sum, { lines }) => sum + lines.length, before);
  const longest = printInstructions({ ...asked, leftOut: all }, language);
  const room = contextTokens - budgetTokens - count(longest) - frameTokens;
  const fitted = fitSources(sources, room, count);
  const leftOut = before + fitted.leftOut;
  const instructions = redact(printInstructions({ ...asked, leftOut }, language)).text;
  const asking = { kind, label, basis, promptRule: ruleOf(kind), instructions };
  return { ...asking, sources: fitted.sources, leftOut, mustKeep, budgetTokens, space };
}

/** The sources redacted as one text, since a secret may reach over lines, and without marks of ours: lines are never added or removed by that. */
function withoutSecrets(sources: readonly SourceText[]): readonly SourceText[] {
  return sources.map((source) => {
    const text = source.lines.map((line) => line.text).join("\n");
    const redacted = withoutMarks(redact(text).text);
    const name = redactedName(source.name);
    if (redacted === text) return { ...source, name };
    const texts = redacted.split("\n");
    return { name, lines: source.lines.map((line, at) => ({ ...line, text: texts[at] ?? "" })) };
  });
}

function redactedEntry(entry: KeptEntry): KeptEntry {
  return { ...entry, topic: redact(entry.topic).text, lines: redact(entry.lines.join("\n")).text.split("\n") };
}

/** Entries whose headings take so many tokens of the answer. The program keeps the others too; they are only not asked for. */
function boundKept(
  entries: readonly KeptEntry[],
  tokens: number,
  count: (text: string) => number,
): readonly KeptEntry[] {
  let left = tokens;
  return entries.filter(({ topic, type }) => {
    left -= count(`### ${topic} [${type}]\n`);
    return left >= 0;
  });
}

const mostNotes = 8 * 1024;

/** The notes without secrets, cut at a line: at most 8 KiB, and an eighth of the tokens. */
function boundNotes(
  notes: string | undefined,
  contextTokens: number,
  count: (text: string) => number,
): string | undefined {
  if (notes === undefined || notes.trim() === "") return undefined;
  const kept: string[] = [];
  let [bytes, tokens] = [mostNotes, Math.floor(contextTokens / 8)];
  for (const line of redact(notes.slice(0, mostNotes * 2)).text.split(/\r\n|[\n\r]/u)) {
    bytes -= Buffer.byteLength(line) + 1;
    if (bytes < 0) break;
    tokens -= count(`${line}\n`);
    if (tokens < 0) break;
    kept.push(line);
  }
  return kept.join("\n").trim() === "" ? undefined : kept.join("\n");
}

/** Of a log `2026-03-15-<slug>` the slug alone: what is glued to a date does not look like a secret. */
function redactedName(name: string): string {
  const [, day = "", slug = name] = /^(\d{4}-\d{2}-\d{2}-)(.+)$/su.exec(name) ?? [];
  return `${day}${redact(slug).text}`;
}

/** Digits of the digest of the sources that their marks carry. */
const digitsOfMark = 8;

/** The two texts that go out. The sources stand between marks that carry a digest of them, so that no text within can end them. */
export function printPrompt(request: SummaryRequest): PrintedPrompt {
  const text = redact(withoutMarks(printSources(request.sources))).text;
  const id = sha256(text).slice(0, digitsOfMark);
  const frame = printFrame({ kind: request.kind, id }, languageOf(textsOf(request.sources)));
  const prompt = `${frame.before}\n\n<sources ${id}>\n${text}</sources ${id}>\n\n${frame.after}\n`;
  return { instructions: request.instructions, prompt: redact(prompt).text };
}

/** The sources as a job shows them, part by part. */
export function printedSources(request: SummaryRequest): readonly { readonly name: string; readonly text: string }[] {
  return request.sources.map(({ name, lines }) => ({
    name,
    text: redact(withoutMarks(lines.map((line) => `${printSourceLine(line)}\n`).join(""))).text,
  }));
}

/** What was asked of whom, as 64 digits. `model`: `pull`, or the id of the summarizer. */
export function requestDigest(request: SummaryRequest, model: string, printed = printPrompt(request)): string {
  const { instructions, prompt } = printed;
  return sha256(JSON.stringify(["heartwood.request.v1", request.promptRule, model, instructions, prompt]));
}
