import { addSpan, type Span, spanAt } from "./node-format.ts";
import {
  isPreserved,
  type MemoryType,
  topicKey,
  parseTag,
  parseTaggedTopic,
  tagPattern,
} from "../../base/memory-type.ts";
import type { Day } from "../../base/calendar.ts";
import { type Passage, plainPassage, type Progress, type Role, type VerbatimLine } from "../../base/passage.ts";
import { compareRefs, mergeRefs, parseRefSuffix, printRefSuffix, type Ref } from "../../base/refs.ts";
import { once } from "../../base/lines.ts";
import type { NodeLevel } from "./period.ts";
import { cleanTopicName, parseTopics, unquoteName } from "./node-sections.ts";
import { pushAll } from "../../base/lists.ts";

type Section = readonly [Role, string];
const heads: readonly Section[] = [
  ["topic", "Topics"],
  ["preserved", "User and Feedback"],
  ["said", "Said by the User"],
];
const states: readonly Section[] = [
  ["outcome", "Outcomes"],
  ["blocked", "Blocked"],
  ["failed", "Failed"],
  ["abandoned", "Abandoned"],
];
const happened: readonly Section[] = [...heads, ["decision", "Key Decisions"], ["done", "Tasks Completed"], ...states];
const left: readonly Section[] = [
  ["lesson", "Lessons Learned"],
  ["open", "Open Items"],
];

/** The sections in a summary, in order. */
const titles: Readonly<Record<NodeLevel, readonly Section[]>> = {
  daily: [...happened, ...left, ["entity", "Entities Referenced"], ["note", "Notes"]],
  weekly: [...happened, ["entity", "Entities Referenced"], ...left, ["note", "Notes"]],
  monthly: [
    ...heads,
    ["note", "Key Themes"],
    ["decision", "Major Decisions"],
    ["done", "Completed Work"],
    ...states,
    ["entity", "Recurring Entities"],
    ["lesson", "Lessons & Patterns"],
    ["open", "Carried Forward"],
  ],
};

const roleByTitle = once(
  () => new Map(Object.values(titles).flatMap((own) => own.map(([role, title]): [string, Role] => [title, role]))),
);

/** The sections allowed in a model's answer, in order: all except quotations of the user, which the program writes. */
export function answerTitles(level: NodeLevel): readonly string[] {
  return titles[level].flatMap(([role, title]) => (role === "said" ? [] : [title]));
}

export function isSummaryTitle(title: string): boolean {
  return roleByTitle().has(title);
}

/**
 * Prints the body of a summary: sections in order, topics and preserved entries as given, everything else in source
 * order.
 */
export function printSummary(level: NodeLevel, label: string, passages: readonly Passage[]) {
  const body: string[] =
    level === "daily" ? [] : [`# ${level === "weekly" ? "Weekly" : "Monthly"} Summary: ${label}`, ""];
  const spans: Span[] = [];
  for (const [role, title] of titles[level]) {
    const own = passages.filter((passage) => passage.role === role);
    if (own.length === 0) continue;
    body.push(`## ${title}`);
    // The user's own statements are ranked newest first: a later rule may override an earlier one.
    const isRanked = role === "topic" || role === "preserved";
    let begun: number | undefined;
    for (const passage of isRanked ? own : own.toSorted(bySource)) {
      // A topic with a line of its own may come between topics that share one.
      if (passage.place === "same_line" && begun !== undefined && isLean(passage)) {
        body[begun] += `; ${printLine(passage).slice(2)}`;
        continue;
      }
      if (isLean(passage)) begun = body.length;
      printPassage(passage, body, spans);
    }
    body.push("");
  }
  if (body.at(-1) === "") body.pop();
  return { body, spans };
}

/** Lines and UTF-8 bytes of a passage, without its section heading. */
export function sizeOfPassage(passage: Passage): { readonly lines: number; readonly bytes: number } {
  const body: string[] = [];
  printPassage(passage, body, []);
  const bytes = body.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return { lines: passage.place === "same_line" && isLean(passage) ? 0 : body.length, bytes };
}

function bySource(a: Passage, b: Passage): number {
  const [x, y] = [a.refs[0], b.refs[0]];
  return x === undefined || y === undefined ? 0 : compareRefs(x, y);
}

function printPassage(passage: Passage, body: string[], spans: Span[]): void {
  if (passage.role !== "preserved") {
    body.push(printLine(passage));
    return;
  }
  passage.lines.forEach((line, index) => {
    body.push(index === 0 ? `### ${line.text}${printRefSuffix(passage.refs)}` : line.text);
    if (line.ref !== undefined) addSpan(spans, body.length, line.ref);
  });
}

/** A summary within a node's body. */
interface SummaryPart {
  readonly lines: readonly string[];
  /** 1-based line of the body. */
  readonly firstLine: number;
  readonly spans: readonly Span[];
  /** The refs for lines that have none. */
  readonly fallback: readonly Ref[];
  /** Any day of the node's period. */
  readonly near: Day;
}

/**
 * Parses a summary into passages; `at` is each passage's place in the body. Also parses what agents write without list
 * items: comma-separated topics, and lines like `users: a, b` under entities.
 */
export function parseSummary(part: SummaryPart): readonly Passage[] {
  const passages: Passage[] = [];
  let role: Role = "note";
  for (let index = 0; index < part.lines.length; index++) {
    const line = part.lines[index] ?? "";
    if (line.startsWith("## ")) role = roleByTitle().get(line.slice(3).trim()) ?? "note";
    else if (line === "---") role = "note";
    else if (role === "preserved" && isPreservedHeading(line, part.near)) {
      const end = endOfPreserved(part, index);
      passages.push(readPreserved(part, index, end));
      index = end - 1;
    } else if (item.test(line) || (isPlain(line) && (role === "topic" || (role === "entity" && namesTopic(line))))) {
      const text = line.replace(item, "");
      const at: Passage["at"] = [part.firstLine + index, part.firstLine + index];
      for (const piece of role === "topic" ? splitTopicLine(text, part.near) : [text])
        pushAll(passages, readPiece(part, { piece, at, role }));
    }
  }
  const topics = passages.filter((passage) => passage.role === "topic");
  const types = new Map(topics.map(({ topic, type }) => [topicKey(topic), type]));
  let rank = 0;
  return passages.map((passage) => {
    // Topics are ordered by weight: 2 for the first, decreasing toward 1.
    if (passage.role === "topic") return { ...passage, weight: 1 + (topics.length - rank++) / topics.length };
    // A foreign line without refs gets the type of its topic.
    const isOfOthers = passage.refs === part.fallback && passage.type === "project";
    const type = isOfOthers ? types.get(topicKey(passage.topic)) : undefined;
    return type === undefined ? passage : { ...passage, type };
  });
}

const item = /^\s*[-*] /u;

/** A line that is not blank, a heading, a comment, a quotation or `(none)`. */
function isPlain(line: string): boolean {
  return /^\s*[^\s#<>|(]/u.test(line);
}

function isPreservedHeading(line: string, near: Day): boolean {
  return line.startsWith("### ") && isPreserved(parseTaggedTopic(parseRefSuffix(line.slice(4), near).text).type);
}

function endOfPreserved({ lines, near }: SummaryPart, start: number): number {
  let end = start + 1;
  while (end < lines.length && !isPreservedHeading(lines[end] ?? "", near) && !(lines[end] ?? "").startsWith("## "))
    end += 1;
  while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
  return end;
}

function readPreserved(part: SummaryPart, start: number, end: number): Passage {
  const lines = part.lines.slice(start, end).map((text, offset): VerbatimLine => ({
    text: offset === 0 ? parseRefSuffix(text.slice(4), part.near).text : text,
    ref: spanAt(part.spans, part.firstLine + start + offset),
  }));
  const { name, type, tag } = parseTaggedTopic(lines[0]?.text ?? "");
  const refs = mergeRefs(lines.map((line) => line.ref).filter((ref) => ref !== undefined));
  return {
    ...plainPassage,
    role: "preserved",
    topic: cleanTopicName(name),
    type,
    tag,
    lines,
    refs: refs.length > 0 ? refs : part.fallback,
    at: [part.firstLine + start, part.firstLine + end - 1],
  };
}

/**
 * The weight of a line by its section, close to its weight in the log, so that higher levels prefer decisions to notes.
 */
const weights: Partial<Record<Role, number>> = { decision: 3, done: 2.5, lesson: 2.5, open: 2.5, note: 1, said: 4 };

const openKey = "open: ";

/** Turns an open item into a note about its day, which makes no claim about later days. */
export function asNote(item: Passage): Passage {
  return { ...item, role: "note", text: `${openKey}${item.text}` };
}

function readPiece(
  { near, fallback }: SummaryPart,
  { piece, at, role }: { readonly piece: string; readonly at: Passage["at"]; readonly role: Role },
): readonly Passage[] {
  const { text, refs } = parseRefSuffix(piece, near);
  const isTopic = role === "topic";
  return (isTopic ? readTopics(text, refs) : [readText(text)]).map((one): Passage => {
    const isOpen = role === "note" && one.text.startsWith(openKey);
    return {
      ...plainPassage,
      role: isOpen ? "open" : role,
      topic: cleanTopicName(one.topic),
      type: one.type ?? "project",
      tag: one.tag,
      text: isOpen ? one.text.slice(openKey.length) : one.text,
      progress: one.progress ?? "active",
      weight: weights[isOpen ? "open" : role] ?? 0,
      refs: refs.length > 0 ? refs : fallback,
      at,
      naming: isTopic && one.type === undefined && hasLines(refs) ? "found" : "given",
    };
  });
}

function hasLines(refs: readonly Ref[]): boolean {
  return refs.some((ref) => ref.from > 0);
}

function printLine(passage: Passage): string {
  const { role, topic, type, text } = passage;
  const refs = printRefSuffix(passage.refs);
  if (role === "topic") {
    const tag = isLean(passage) ? "" : ` [${passage.tag ?? type}${passage.progress === "done" ? ", done" : ""}]`;
    return `- ${printName(topic)}${tag}${text === "" ? "" : `: ${text}`}${refs}`;
  }
  if (topic === "") return `- ${namesTopic(text) || text.startsWith("\\") ? "\\" : ""}${text}${refs}`;
  const tag = type === "project" ? "" : ` [${type}]`;
  return text === "" ? `- ${JSON.stringify(topic)}${tag}:${refs}` : `- ${printName(topic)}${tag}: ${text}${refs}`;
}

/** A found topic without a type: its line is just its name and keywords. */
export function isLean({ naming, topic, type, progress, text, refs }: Passage): boolean {
  const isFound = naming === "found" && type === "project" && progress === "active" && refs.length > 0;
  return isFound && bareName.test(topic) && !/[;[\]()]/u.test(text);
}

const bareName = /^[\p{L}\p{N}][^,;:"[\]()\\]*$/u;

/** Splits a line of topics: `a: b, c (03-15:1); d: e (03-16:2-4)` becomes two topics. Returns any other line whole. */
export function splitTopicLine(line: string, near: string): readonly string[] {
  if (!line.includes("); ")) return [line];
  const pieces = line.split(/(?<=\)); /u);
  const all = pieces.every((piece) => {
    const { text, refs } = parseRefSuffix(piece, near);
    return refs.length > 0 && /^[\p{L}\p{N}][^,;:"[\]()\\]*(?:: [^;[\]()]+)?$/u.test(text);
  });
  return all ? pieces : [line];
}

function printName(name: string): string {
  return /: |:$|[[\]"(]|^\\/u.test(name) ? JSON.stringify(name) : name;
}

const topicLine = new RegExp(
  String.raw`^("(?:[^"\\]|\\.)*"|[^[\]]*?)\s*\[(${tagPattern})(?:, (done))?[^\]]*\](?:: (.*))?$`,
  "su",
);
/** A bare name ends before the first colon followed by a space. It cannot begin with a quote, a bracket or a backslash. */
const namedLine =
  /^(?:("(?:[^"\\]|\\.)*")|([^"[\\].*?))(?: \[(project|feedback|user|reference)\])?(?:: (.+)|(?<=^"[^]*):)$/su;

/** Whether a text would be parsed as `topic: text`. */
function namesTopic(text: string): boolean {
  return namedLine.test(text);
}

interface ReadText {
  readonly topic: string;
  readonly type?: MemoryType | undefined;
  readonly tag?: string | undefined;
  readonly text: string;
  readonly progress?: Progress | undefined;
}

function readText(text: string): ReadText {
  const match = namedLine.exec(text);
  if (match === null) return { topic: "", text: text.replace(/^\\/u, "") };
  const [, quoted, bare, type, told] = match;
  return { topic: unquoteName((quoted ?? bare ?? "").trim()), type: type as MemoryType | undefined, text: told ?? "" };
}

/** Parses a topic with its keywords, or a list of topics without refs or keywords. */
function readTopics(text: string, refs: readonly Ref[]): readonly ReadText[] {
  const match = topicLine.exec(text);
  const [, name = "", tag = "", done, told] = match ?? [];
  const progress = done === "done" ? "done" : "active";
  if (match !== null && (refs.length > 0 || told !== undefined))
    return [{ topic: unquoteName(name.trim()), ...parseTag(tag), text: told ?? "", progress }];
  if (namesTopic(text)) return [readText(text)];
  // A name with line refs is one topic. Lists written by agents cite a day at most.
  if (hasLines(refs) && bareName.test(text)) return [{ topic: text, text: "" }];
  return parseTopics(text).map(({ name, type }) => ({ topic: name, type, text: "", progress }));
}
