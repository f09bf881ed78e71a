import type { SourceLine } from "../base/passage.ts";

/** A line that a summary may use. `kind` `item` begins a list item, `text` anything else. */
export interface KeptLine {
  readonly number: number;
  /** Last line that it stands for, where several became one. */
  readonly to: number;
  readonly text: string;
}

/**
 * What not to save: fenced code (a named file becomes `path:lines`), stack traces (one line), diffs and logs (the commit hash), file trees,
 * comments. The rest in order, with its places.
 */
export function withoutNoise(lines: readonly SourceLine[]): readonly KeptLine[] {
  const kept: KeptLine[] = [];
  for (let index = 0; index < lines.length;) {
    const end = endOfNoise(lines, index);
    const line = lines[index];
    if (line === undefined) break;
    if (end > index) {
      const last = lines[end - 1] ?? line;
      const text = standIn(lines.slice(index, end));
      if (text !== "") kept.push({ number: line.number, to: last.number, text });
      index = end;
      continue;
    }
    if (!isComment(line.text)) kept.push({ number: line.number, to: line.number, text: line.text });
    index += 1;
  }
  return kept;
}

const noiseStart = /^\s*(?:[│├└|`]|diff |index |---|\+\+\+|@@|commit |at |File "|\.\.\.|goroutine|Traceback|panic)/u;

/** What every kind of noise has; most lines have none of it. */
function mayBeNoise(text: string): boolean {
  return noiseStart.test(text) || text.includes("Error") || text.includes("Exception");
}

const frame = /^\s*(?:at .+(?::\d+|\)|>)$|File ".+", line \d+|\.\.\. \d+ more$|goroutine \d+)/u;
const errorLine = /^\s*(?:Traceback \(most recent call last\)|(?:[\w.]*(?:Error|Exception)|panic)\b.*:)/u;
const treeLine = /^\s*(?:[│├└]|\|--|`--)/u;
const diffLine = /^(?:diff --git |index [0-9a-f]{7,}|--- a?\/|\+\+\+ b?\/|@@ -\d)/u;
const commitLine = /^commit ([0-9a-f]{7,40})\b/u;

/** The index after a run of noise that begins here; the index itself when none does. */
function endOfNoise(lines: readonly SourceLine[], start: number): number {
  const first = lines[start];
  if (first === undefined) return start;
  if (first.kind === "fence") return endOfFence(lines, start);
  if (first.kind === "code") return runWhile(lines, start, (line) => line.kind === "code");
  if (!mayBeNoise(first.text)) return start;
  if (treeLine.test(first.text)) return runWhile(lines, start, (line) => treeLine.test(line.text));
  if (diffLine.test(first.text))
    return runWhile(lines, start, (line) => diffLine.test(line.text) || /^[ +-]/u.test(line.text));
  if (commitLine.test(first.text))
    return runWhile(
      lines,
      start,
      (line) => commitLine.test(line.text) || /^(?:Author|Date|Merge):|^ {4}|^$/u.test(line.text),
    );
  const next = lines[start + 1];
  const isTrace = frame.test(first.text) || (errorLine.test(first.text) && next !== undefined && frame.test(next.text));
  return isTrace
    ? runWhile(
        lines,
        start,
        (line, offset) =>
          offset === 0 || frame.test(line.text) || /^ {4}\S/u.test(line.text) || errorLine.test(line.text),
      )
    : start;
}

function endOfFence(lines: readonly SourceLine[], start: number): number {
  let end = start + 1;
  while (end < lines.length && lines[end]?.kind === "code") end += 1;
  return lines[end]?.kind === "fence" && end > start + 1
    ? end + 1
    : lines[end]?.kind === "fence" && end === start + 1
      ? end + 1
      : end;
}

function runWhile(
  lines: readonly SourceLine[],
  start: number,
  belongs: (line: SourceLine, offset: number) => boolean,
): number {
  let end = start;
  for (let line = lines[end]; line !== undefined && belongs(line, end - start); line = lines[end]) end += 1;
  return Math.max(end, start + 1);
}

/** The one line that stands for a run of noise; empty when nothing of it is worth keeping. */
function standIn(run: readonly SourceLine[]): string {
  const first = run[0]?.text ?? "";
  const hash = run.map((line) => commitLine.exec(line.text)?.[1]).find((found) => found !== undefined);
  if (hash !== undefined) return `- commit ${hash.slice(0, 12)}`;
  const error = run
    .map((line) => line.text.trim())
    .findLast((text) => errorLine.test(text) && !text.startsWith("Traceback"));
  if (error !== undefined && run.some((line) => frame.test(line.text))) return `- ${error}`;
  const named = /(?:^|[\s`~(])((?:[\w.-]+\/)*[\w-]+\.[A-Za-z]{1,5}(?::\d+(?:-\d+)?)?)/u.exec(
    `${first} ${run[1]?.text ?? ""}`.slice(0, 200),
  );
  return run[0]?.kind === "fence" && named?.[1] !== undefined && /[/:]/u.test(named[1]) ? `- ${named[1]}` : "";
}

/** Also a torn comment of ours. */
function isComment(text: string): boolean {
  return text.includes("<!--") && (text.startsWith("<!-- hw ") || /^\s*<!--.*-->\s*$/u.test(text));
}

const mayBeEphemeral = /temporary|test run|delete later|임시|테스트 중|나중에 삭제/i;
const ephemeral =
  /(?<![\p{L}\p{N}])(?:(?:temporary|test run|delete later)(?![\p{L}\p{N}])|임시|테스트 중|나중에 삭제)/iu;

/** Whether a text carries one of the markers of things that only mattered in their session, as a whole word. */
export function isEphemeral(text: string): boolean {
  return mayBeEphemeral.test(text) && ephemeral.test(text);
}
