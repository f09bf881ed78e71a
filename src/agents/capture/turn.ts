import { isOnlyCourtesy, saysSomething } from "./courtesy.ts";
import { scanLines } from "../../base/markdown.ts";
import { isTurn } from "../../text/extract/said.ts";
import { escapeLine } from "../../tree/model/entry-format.ts";
import { textLines } from "../../base/lines.ts";
import type { SourceLine } from "../../base/passage.ts";
import { diffAt, gitLogAt, traceAt } from "../../text/extract/noise.ts";
import { pushAll } from "../../base/lists.ts";

/** A message of the person and what the model said up to now. All texts are redacted and reduced. */
export interface Turn {
  /** The client's id of the person's message. */
  readonly message: string;
  readonly at_ms: number;
  /** When the sitting began in which the person said it. */
  readonly sitting_at_ms: number;
  readonly user: string;
  /** The last thing that the model said; empty while it has said nothing. */
  readonly assistant: string;
  /** What the model did last: tools are called before its last word. */
  readonly last: "words" | "work";
  /** `courtesy`: up to now nothing but thanks, agreement or going on was said, and nothing was done. */
  readonly holds: "courtesy" | "content";
}

/** The turn that a message of the person begins; `undefined` of one without words. The text must be redacted. */
export function turnOf(message: {
  readonly id: string;
  readonly text: string;
  readonly at_ms: number;
  readonly sitting_at_ms: number;
}): Turn | undefined {
  const { id, text, at_ms, sitting_at_ms } = message;
  const user = reduced(text);
  const holds = isOnlyCourtesy(text) ? "courtesy" : "content";
  return user === "" ? undefined : { message: id, at_ms, sitting_at_ms, user, assistant: "", last: "work", holds };
}

/** The turn after words of the model, which must be redacted. */
export function answered(turn: Turn, text: string): Turn {
  const assistant = reduced(text);
  if (assistant === "") return turn;
  const holds = turn.holds === "courtesy" && !saysSomething(text) ? "courtesy" : "content";
  return { ...turn, assistant, last: "words", holds };
}

/** The turn after something that is no word of the model: it was done, or may have been. */
export function worked(turn: Turn, what: "tool" | "unsure"): Turn {
  return { ...turn, last: what === "tool" ? "work" : turn.last, holds: "content" };
}

/** After so long between two messages a new sitting begins. Milliseconds. */
const longestPause = 6 * 3_600_000;

/** When the sitting of a message began: with the session, and anew after a pause. It follows from the times of the transcript alone. */
export function sittingAt(
  at: number,
  known: {
    readonly sitting_at_ms: number | undefined;
    /** Of the message before. */
    readonly last_at_ms: number | undefined;
    readonly started_at_ms: number | undefined;
  },
): number {
  const before = known.last_at_ms ?? known.started_at_ms;
  if (before === undefined || at - before >= longestPause) return at;
  return known.sitting_at_ms ?? before;
}

/** The lines of a turn's entry: what the person said, and the last thing that the model said. Nothing in them begins an entry or speaks as one. */
export function bodyOfTurn({ user, assistant }: Pick<Turn, "user" | "assistant">): readonly string[] {
  return [...side("User", user), ...(assistant === "" ? [] : side("Assistant", assistant))];
}

function side(name: string, text: string): readonly string[] {
  const given = text.split("\n").map(inert);
  const first = given[0] ?? "";
  // A mark of code is one at the start of a line only.
  const lines = /^\s*(?:```|~~~)/u.test(first) ? [`${name}:`, ...given] : [`${name}: ${first}`, ...given.slice(1)];
  const open = scanLines(lines.map(escapeLine)).unclosed.at(-1);
  const mark = open === undefined ? undefined : /^ {0,3}(`{3,}|~{3,})/u.exec(lines[open] ?? "")?.[1];
  return mark === undefined ? lines : closed(lines, mark);
}

function closed(lines: readonly string[], mark: string): readonly string[] {
  const last = lines.at(-1) ?? "";
  if (!last.endsWith(" (cut)")) return [...lines, mark];
  return [...lines.slice(0, -1), last.slice(0, -" (cut)".length), mark, "(cut)"];
}

/** What `printEntry` leaves alone and still looks like a heading, a comment of ours or another speaker. */
function inert(line: string): string {
  const quiet = line.replaceAll(/(?<!^|\\)<!--(?=\s*(?:hw|heartwood)\b)/giu, "\\<!--");
  return isTurn(quiet) || /^\s*(?:#{3,6}(?:\s|$)|<!--\s*heartwood\b|<!--(?:hw|\s{2,}hw)\b)/iu.test(quiet)
    ? `\\${quiet}`
    : quiet;
}

/** Characters of one side of an entry; the thread has the whole. */
export const longestSide = 4_000;
/** The rest cannot become part of an entry. */
const longestRead = 64 * longestSide;
/** Characters of a line by which noise is known. */
const longestLook = 1_000;
const longestCode = 5;
/** A run of fewer lines is no output. */
const shortestOutput = 3;

/** What is worth an entry of a text: long code and output of programs become one line each, and the rest is cut. May be empty. */
export function reduced(text: string): string {
  const lines = textLines(text.slice(0, longestRead).toWellFormed().replaceAll("\0", ""));
  const cut = text.length > longestRead ? "cut" : "whole";
  return cutTo(withoutOutput(lines).join("\n").trim(), cut);
}

function withoutOutput(lines: readonly string[]): readonly string[] {
  const kinds = scanLines(lines).lines;
  const source = lines.map((line, index): SourceLine => ({
    number: index + 1,
    text: line.slice(0, longestLook),
    kind: kinds[index]?.kind ?? "text",
  }));
  const kept: string[] = [];
  for (let index = 0; index < lines.length;) {
    const run = source[index]?.kind === "fence" ? codeAt(source, index) : outputAt(source, index);
    if (run === undefined) kept.push(lines[index] ?? "");
    else if (run.text === undefined) pushAll(kept, lines.slice(index, run.end));
    else kept.push(run.text);
    index = run?.end ?? index + 1;
  }
  return kept;
}

interface Found {
  /** The index after its last line. */
  readonly end: number;
  /** What replaces it; `undefined`: it stays. */
  readonly text: string | undefined;
}

function codeAt(lines: readonly SourceLine[], start: number): Found {
  const code = endOf(lines, start + 1, ({ kind }) => kind === "code");
  const end = lines[code]?.kind === "fence" ? code + 1 : code;
  const count = code - start - 1;
  if (count <= longestCode) return { end, text: undefined };
  const above = lines.slice(0, start).findLast(({ text }) => text.trim() !== "");
  const path = pathIn(lines[start]?.text) ?? pathIn(lines[start + 1]?.text) ?? pathIn(above?.text);
  return { end, text: `(code, ${count} lines${path === undefined ? "" : `, ${path}`})` };
}

function pathIn(text: string | undefined): string | undefined {
  return /(?:^|[\s`~("'])((?:[\w.@-]+\/|\/)+[\w.@-]+\.\w{1,8}(?::\d+(?:-\d+)?)?)/u.exec(
    (text ?? "").slice(0, 200),
  )?.[1];
}

function outputAt(lines: readonly SourceLine[], start: number): Found | undefined {
  const diff = diffAt(lines, start);
  if (diff !== undefined) return outputOf(diff.end, start, (count) => `(diff, ${count} lines)`);
  const log = gitLogAt(lines, start);
  if (log !== undefined)
    return outputOf(log.end, start, (count) => `(git log, ${count} lines, ${log.text.replace(/^- /u, "")})`);
  const trace = traceAt(lines, start);
  if (trace !== undefined)
    return outputOf(trace.end, start, (count) => `(trace, ${count} lines) ${trace.text.replace(/^- /u, "")}`.trim());
  return outputOf(endOf(lines, start, isListed), start, (count) => `(listing, ${count} lines)`);
}

function outputOf(end: number, start: number, text: (count: number) => string): Found | undefined {
  return end - start < shortestOutput ? undefined : { end, text: text(end - start) };
}

const listed = /^(?:\s*(?:[│├└]|\|--|`--)|[-dlcbps][rwxsStT-]{9}[@+.]?\s|total \d+$)/u;

function isListed({ text }: SourceLine): boolean {
  return listed.test(text);
}

function endOf(lines: readonly SourceLine[], start: number, belongs: (line: SourceLine) => boolean): number {
  let end = start;
  for (let line = lines[end]; line !== undefined && belongs(line); line = lines[end]) end += 1;
  return end;
}

/** At the end of a line in the second half where there is one. */
function cutTo(text: string, cut: "cut" | "whole"): string {
  if (text.length <= longestSide && cut === "whole") return text;
  const most = text
    .slice(0, longestSide)
    .toWellFormed()
    .replace(/\uFFFD$/u, "");
  const end = text.length <= longestSide ? most.length : most.lastIndexOf("\n");
  return `${(end > longestSide / 2 ? most.slice(0, end) : most).trimEnd()} (cut)`;
}
