import { isOnlyCourtesy, saysSomething } from "./courtesy.ts";
import { scanLines } from "../../base/markdown.ts";
import { isTurn } from "../../text/extract/said.ts";
import { escapeLine } from "../../tree/model/entry-format.ts";
import { textLines } from "../../base/lines.ts";
import type { SourceLine } from "../../base/passage.ts";
import { diffAt, gitLogAt, traceAt } from "../../text/extract/noise.ts";
import { pushAll } from "../../base/lists.ts";

/** A user message and what the model has said since. All texts are redacted and reduced. */
export interface Turn {
  /** The client's id of the user's message. */
  readonly message: string;
  readonly at_ms: number;
  /** When the sitting of the message started. */
  readonly sitting_at_ms: number;
  readonly user: string;
  /** The last thing the model said; empty if it has said nothing yet. */
  readonly assistant: string;
  /** What the model did last. A finished turn ends with words, since tools are called before. */
  readonly last: "words" | "work";
  /** `courtesy`: so far there was only thanks, agreement or "go on", and no work. */
  readonly holds: "courtesy" | "content";
}

/** The turn that a user message starts; `undefined` if the message has no words. The text must be redacted. */
export function turnOf(begun: Pick<Turn, "message" | "at_ms" | "sitting_at_ms">, text: string): Turn | undefined {
  const user = reduced(text);
  const holds = isOnlyCourtesy(text) ? "courtesy" : "content";
  return user === "" ? undefined : { ...begun, user, assistant: "", last: "work", holds };
}

/** The turn after the model says something. The text must be redacted. */
export function answered(turn: Turn, text: string): Turn {
  const assistant = reduced(text);
  if (assistant === "") return turn;
  const holds = turn.holds === "courtesy" && !saysSomething(text) ? "courtesy" : "content";
  return { ...turn, assistant, last: "words", holds };
}

/** The turn after something that is or may be work. */
export function worked(turn: Turn, what: "tool" | "unsure"): Turn {
  return { ...turn, last: what === "tool" ? "work" : turn.last, holds: "content" };
}

/** A longer pause between two messages starts a new sitting. In milliseconds. */
const longestPause = 6 * 3_600_000;

/** When the sitting of a message started. The first starts with the session, a new one after each long pause. Depends only on the times in the transcript. */
export function sittingAt(
  at: number,
  known: {
    readonly sitting_at_ms: number | undefined;
    /** The time of the previous message. */
    readonly last_at_ms: number | undefined;
    readonly started_at_ms: number | undefined;
  },
): number {
  const before = known.last_at_ms ?? known.started_at_ms;
  if (before === undefined || at - before >= longestPause) return at;
  return known.sitting_at_ms ?? before;
}

/** The lines of a turn's entry: what the user said, and the last thing the model said. No line starts an entry or looks like a speaker. */
export function bodyOfTurn({ user, assistant }: Pick<Turn, "user" | "assistant">): readonly string[] {
  return [...side("User", user), ...(assistant === "" ? [] : side("Assistant", assistant))];
}

function side(name: string, text: string): readonly string[] {
  const [first = "", ...more] = text.split("\n").map(inert);
  // A code fence must stay at the start of its line.
  const lines = /^\s*(?:```|~~~)/u.test(first) ? [`${name}:`, first, ...more] : [`${name}: ${first}`, ...more];
  const open = scanLines(lines.map(escapeLine)).unclosed.at(-1);
  const mark = open === undefined ? undefined : /^ {0,3}(`{3,}|~{3,})/u.exec(lines[open] ?? "")?.[1];
  if (mark === undefined) return lines;
  const last = lines.at(-1) ?? "";
  if (!last.endsWith(" (cut)")) return [...lines, mark];
  return [...lines.slice(0, -1), last.slice(0, -" (cut)".length), mark, "(cut)"];
}

/** Escapes a line that `printEntry` does not escape but that looks like a heading, one of our comments or another speaker's line. */
function inert(line: string): string {
  const quiet = line.replaceAll(/(?<!^|\\)<!--(?=\s*(?:hw|heartwood)\b)/giu, "\\<!--");
  return isTurn(quiet) || /^\s*(?:#{3,6}(?:\s|$)|<!--\s*heartwood\b|<!--(?:hw|\s{2,}hw)\b)/iu.test(quiet)
    ? `\\${quiet}`
    : quiet;
}

/** Maximum characters per side of an entry; the thread has the full text. */
export const longestSide = 4_000;
/** Text beyond this never becomes part of an entry. */
const longestRead = 64 * longestSide;
/** Characters at the start of a line that are checked for noise. */
const longestLook = 1_000;
const longestCode = 5;
/** Fewer lines are not treated as program output. */
const shortestOutput = 3;

/** The part of a text worth an entry: long code and program output are replaced by one line each, and the rest is cut to size. May be empty. */
export function reduced(text: string): string {
  const lines = textLines(text.slice(0, longestRead).toWellFormed().replaceAll("\0", ""));
  const kept = withoutOutput(lines).join("\n").trim();
  if (kept.length <= longestSide && text.length <= longestRead) return kept;
  const most = kept
    .slice(0, longestSide)
    .toWellFormed()
    .replace(/\uFFFD$/u, "");
  // Cut at a line end if there is one in the second half.
  const end = kept.length <= longestSide ? most.length : most.lastIndexOf("\n");
  return `${(end > longestSide / 2 ? most.slice(0, end) : most).trimEnd()} (cut)`;
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
    const { end, text } = source[index]?.kind === "fence" ? codeAt(source, index) : outputAt(source, index);
    pushAll(kept, text === undefined ? lines.slice(index, end) : [text]);
    index = end;
  }
  return kept;
}

interface Run {
  /** The index after the last line. */
  readonly end: number;
  /** The replacement; `undefined` keeps the lines. */
  readonly text: string | undefined;
}

function codeAt(lines: readonly SourceLine[], start: number): Run {
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

function outputAt(lines: readonly SourceLine[], start: number): Run {
  const runOf = (end: number, print: (count: string) => string): Run => {
    const count = end - start;
    if (count < shortestOutput) return { end: start + 1, text: undefined };
    return { end, text: print(`${count} lines`) };
  };
  const said = ({ text }: { readonly text: string }): string => text.replace(/^- /u, "");
  const diff = diffAt(lines, start);
  if (diff !== undefined) return runOf(diff.end, (count) => `(diff, ${count})`);
  const log = gitLogAt(lines, start);
  if (log !== undefined) return runOf(log.end, (count) => `(git log, ${count}, ${said(log)})`);
  const trace = traceAt(lines, start);
  if (trace !== undefined) return runOf(trace.end, (count) => `(trace, ${count}) ${said(trace)}`.trim());
  const end = endOf(lines, start, ({ text }) => listed.test(text));
  return runOf(end, (count) => `(listing, ${count})`);
}

const listed = /^(?:\s*(?:[│├└]|\|--|`--)|[-dlcbps][rwxsStT-]{9}[@+.]?\s|total \d+$)/u;

function endOf(lines: readonly SourceLine[], start: number, belongs: (line: SourceLine) => boolean): number {
  let end = start;
  for (let line = lines[end]; line !== undefined && belongs(line); line = lines[end]) end += 1;
  return end;
}
