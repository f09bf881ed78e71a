import { type Day, isDay } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { type FrontMatter, foreignLines, readFrontMatter, valueOf, withForeignLast } from "../../base/front-matter.ts";
import { type NumberedLine, joinLines, textLines } from "../../base/lines.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import { parseTag, tagPattern } from "../../base/memory-type.ts";
import { type AnswerMark, rootRule } from "../model/node-format.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";

export const rootSections = [
  "Active Context (recent ~7 days)",
  "Recent Patterns",
  "Historical Summary",
  "Topics Index",
] as const;
export type RootSection = (typeof rootSections)[number];

/** A parsed ROOT.md. */
export interface RootDocument {
  readonly lastUpdated: Day;
  /** 16 hex digits of the digest of its inputs and body. */
  readonly madeFrom: string;
  /** The recorded answer that rewords its first three sections. */
  readonly answer?: AnswerMark | undefined;
  readonly foreign: readonly string[];
  /** Lines without line endings, starting after the front matter. */
  readonly body: readonly string[];
}

type RootReading =
  | { readonly state: "ours"; readonly root: RootDocument; readonly bodyLine: number }
  | { readonly state: "unknown"; readonly body: readonly string[] }
  | { readonly state: "broken"; readonly line: number; readonly message: string };

export function printRoot(root: RootDocument): string {
  const front = [
    "---",
    "type: root",
    "status: tentative",
    `last-updated: ${root.lastUpdated}`,
    `made-by: ${rootRule}`,
    ...(root.answer === undefined ? [] : [`answer: ${root.answer.digest}`, `model: ${root.answer.model}`]),
    `made-from: ${root.madeFrom}`,
  ];
  return joinLines([...front, ...root.foreign, "---", ...root.body]);
}

const ownKeys: ReadonlySet<string> = new Set(["type", "status", "last-updated", "made-by", "made-from"]);
const answeredKeys: ReadonlySet<string> = new Set([...ownKeys, "answer", "model"]);

/** The lines of a ROOT.md in the order of `printRoot`, which writes foreign front matter last. */
export function rootLinesInOrder(text: string): readonly NumberedLine[] {
  const reading = readFrontMatter(textLines(text));
  const isAnswered = reading.state === "read" && answerMark(reading.front) !== undefined;
  return withForeignLast(text, isAnswered ? answeredKeys : ownKeys);
}

/** `answer` and `model` in any other form are another program's keys. */
function answerMark(front: FrontMatter): AnswerMark | undefined {
  const digest = valueOf(front, "answer") ?? "";
  const model = valueOf(front, "model") ?? "";
  return /^[0-9a-f]{64}$/u.test(digest) && isModelName(model) ? { digest, model } : undefined;
}

/** Whether a model name is allowed in front matter: 1 to 256 characters without spaces. */
export function isModelName(model: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]{1,256}$/u.test(model);
}

export function parseRoot(text: string): RootReading {
  const reading = readFrontMatter(textLines(text));
  if (reading.state === "broken") return reading;
  if (reading.state === "none") return { state: "unknown", body: reading.body };
  const { front, body } = reading;
  const lastUpdated = valueOf(front, "last-updated") ?? "";
  const madeFrom = valueOf(front, "made-from") ?? "";
  if (valueOf(front, "made-by") === undefined || !/^[0-9a-f]{16}$/u.test(madeFrom)) return { state: "unknown", body };
  if (!isDay(lastUpdated)) return { state: "broken", line: 1, message: "last-updated is not a date" };
  const answer = answerMark(front);
  const foreign = foreignLines(front, answer === undefined ? ownKeys : answeredKeys);
  return {
    state: "ours",
    root: { lastUpdated, madeFrom, answer, foreign, body },
    bodyLine: front.lines + 1,
  };
}

/** Eight digits of the digest of the inputs, and eight of that of the body. */
export function rootDigest(inputs: string, body: readonly string[]): string {
  return sha256(inputs).slice(0, 8) + bodyDigits(body);
}

/** Whether the body is as heartwood wrote it, here or in another clone. */
export function isUntouched({ madeFrom, body }: Pick<RootDocument, "madeFrom" | "body">): boolean {
  return madeFrom.slice(8) === bodyDigits(body);
}

function bodyDigits(body: readonly string[]): string {
  return sha256(joinLines(body)).slice(0, 8);
}

/** A line of the Topics Index, or any other list line: `- topic [type, Nd, ?]: text`. */
interface RootEntryLine {
  readonly topic: string;
  readonly type: MemoryType;
  readonly text: string;
}

const taggedLine = new RegExp(String.raw`^(.*?)\s*\[(${tagPattern})(?![a-z])([^\]]*)\]\s*(?::\s*(.*))?$`, "su");
const leadingTag = new RegExp(String.raw`^\[(${tagPattern})(?![a-z])([^\]]*)\]\s*(.+)$`, "su");

/** The type given by a tag and the marks after it in the brackets. */
function typeOf(tag: string, marks: string): MemoryType {
  const by = /, (by (?:agent|tool|import|file))$/u.exec(marks)?.[1];
  return parseTag(by === undefined ? tag : `${tag} ${by}`).type;
}

/** Parses a list line or heading that a user may have added to ROOT.md; `project` if untagged. */
export function parseRootLine(line: string): RootEntryLine {
  const text = line.replace(/^\s*(?:[-*+]|#{1,6})\s+/u, "").trim();
  const match = taggedLine.exec(text);
  if (match !== null)
    return { topic: (match[1] ?? "").trim(), type: typeOf(match[2] ?? "", match[3] ?? ""), text: match[4] ?? "" };
  const leading = leadingTag.exec(text);
  if (leading !== null) return { ...parseRootLine(leading[3] ?? ""), type: typeOf(leading[1] ?? "", leading[2] ?? "") };
  const colon = text.indexOf(": ");
  return colon > 0 && colon < 80
    ? { topic: text.slice(0, colon), type: "project", text: text.slice(colon + 2) }
    : { topic: "", type: "project", text };
}

/** Our section of MEMORY.md. */
export const compactionRoot = "Compaction Root";
const taken: ReadonlySet<string> = new Set(["Active Context (recent ~7 days)", "Recent Patterns", "Topics Index"]);

/**
 * Replaces the section `## Compaction Root` of MEMORY.md with Active Context, Recent Patterns and Topics Index of
 * ROOT.md, headings demoted by one. The section ends at the next `##` heading outside a fence and is appended if
 * missing. Keeps the file's line endings.
 */
export function replaceCompactionRoot(text: string, rootBody: readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const section = [`## ${compactionRoot}`, ...sectionBody(rootBody)];
  const lines = text.split("\n");
  const plain = lines.map((line) => line.replace(/\r$/u, ""));
  const kinds = scanLines(plain).lines;
  const isHeading = (index: number): boolean => kinds[index]?.kind === "heading" && (kinds[index]?.level ?? 9) <= 2;
  const start = plain.findIndex(
    (line, index) => isHeading(index) && kinds[index]?.level === 2 && parseHeading(line)?.text === compactionRoot,
  );
  if (start < 0) {
    const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
    return text + gap + section.join(end) + end;
  }
  let stop = start + 1;
  while (stop < lines.length && !isHeading(stop)) stop += 1;
  const before = lines
    .slice(0, start)
    .map((line) => `${line}\n`)
    .join("");
  const after = lines.slice(stop).join("\n");
  return before + section.join(end) + end + (stop < lines.length ? end + after : "");
}

function sectionBody(rootBody: readonly string[]): readonly string[] {
  const body: string[] = [];
  let keeping = false;
  for (const line of rootBody) {
    const heading = line.startsWith("## ") ? line.slice(3) : undefined;
    if (heading !== undefined) keeping = taken.has(heading);
    if (heading !== undefined && keeping) body.push("", `### ${heading}`);
    else if (keeping && line !== "") body.push(line);
  }
  return body;
}
