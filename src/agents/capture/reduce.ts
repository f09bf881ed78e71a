import { textLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import type { SourceLine } from "../../base/passage.ts";
import { diffAt, gitLogAt, traceAt } from "../../text/extract/noise.ts";
import { pushAll } from "../../base/lists.ts";

/** Characters of one side of an entry; the thread has the whole. */
export const longestSide = 4_000;
/** What stands behind them cannot come into an entry. */
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
  /** What stands for it; `undefined`: it stays. */
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
