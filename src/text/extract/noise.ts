import { once } from "../../base/lines.ts";
import type { SourceLine } from "../../base/passage.ts";

/** A line that a summary may use: the start of a list item, or text. */
export interface KeptLine {
  readonly number: number;
  /** The last source line, if several were merged. */
  readonly to: number;
  readonly text: string;
}

/**
 * Drops lines that are not worth keeping: fenced code (replaced by its file name, if any), stack traces (replaced by one
 * line), diffs, git logs (replaced by the commit hash), file trees and comments. The other lines keep their order and numbers.
 */
export function withoutNoise(lines: readonly SourceLine[]): readonly KeptLine[] {
  const kept: KeptLine[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    const noise = noiseAt(lines, index);
    if (noise !== undefined) {
      const last = lines[noise.end - 1] ?? line;
      if (noise.text !== "") kept.push({ number: line.number, to: last.number, text: noise.text });
      index = noise.end;
      continue;
    }
    const text = line.text.includes("|") ? rowAsText(line.text, lines[index + 1]?.text ?? "") : line.text;
    if (!isComment(text)) kept.push({ number: line.number, to: line.number, text });
    index += 1;
  }
  return kept;
}

/** The first line of an entry that corrects another one. */
const correctsPlace = /^- corrects: (?:memory\/|thread:)\S+:\d+(?:-\d+)?\s*$/u;

const rule = /^\s*\|[\s:|-]*-[\s:|-]*\|?\s*$/u;

/** Turns a table row into a list item with its first cell as a label; empty for the table head and rule. Other lines are unchanged. */
function rowAsText(text: string, next: string): string {
  if (!/^\s*\|.*\|\s*$/u.test(text)) return text;
  if (rule.test(text) || rule.test(next)) return "";
  const [first = "", ...cells] = text
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
  return cells.length === 0 ? `- ${first}` : `- ${first} – ${cells.join(", ")}`;
}

/** All lines verbatim, except comments and blank lines outside fences. */
export function wordForWord(lines: readonly SourceLine[]): readonly KeptLine[] {
  return lines
    .filter(({ kind, text }) =>
      kind === "code" ? !text.startsWith("<!-- hw ") : text.trim() !== "" && !isComment(text),
    )
    .map(({ number, text }) => ({ number, to: number, text }));
}

/** A quick test: most lines contain none of these. */
const mayBeNoise =
  /^\s*(?:[│├└|`@]|diff |index |---|\+\+\+|commit |at |File "|goroutine|Traceback|panic|thread ')|Error|Exception/u;

const treeLine = /^\s*(?:[│├└]|\|--|`--)/u;

/** The run of noise that starts at this line, if any. */
function noiseAt(lines: readonly SourceLine[], start: number): Run | undefined {
  const first = lines[start];
  if (first === undefined) return undefined;
  if (first.kind === "fence") return fenceAt(lines, start);
  if (first.kind === "code") return { end: endOfRun(lines, start, (line) => line.kind === "code"), text: "" };
  if (!mayBeNoise.test(first.text)) return undefined;
  if (treeLine.test(first.text)) return { end: endOfRun(lines, start, (line) => treeLine.test(line.text)), text: "" };
  return diffAt(lines, start) ?? gitLogAt(lines, start) ?? traceAt(lines, start);
}

function fenceAt(lines: readonly SourceLine[], start: number): Run {
  const code = endOfRun(lines, start + 1, (line) => line.kind === "code");
  const end = lines[code]?.kind === "fence" ? code + 1 : code;
  const named = /(?:^|[\s`~(])((?:[\w.-]+\/)*[\w-]+\.[A-Za-z]{1,5}(?::\d+(?:-\d+)?)?)/u.exec(
    `${lines[start]?.text ?? ""} ${lines[start + 1]?.text ?? ""}`.slice(0, 200),
  )?.[1];
  return { end, text: named !== undefined && /[/:]/u.test(named) ? `- ${named}` : "" };
}

function endOfRun(lines: readonly SourceLine[], start: number, belongs: (line: SourceLine) => boolean): number {
  let end = start;
  for (let line = lines[end]; line !== undefined && belongs(line); line = lines[end]) end += 1;
  return end;
}

/** Whether a line is what heartwood wrote for itself, or a comment of Markdown, even a truncated one. */
function isComment(text: string): boolean {
  if (text.startsWith("- corrects: ")) return correctsPlace.test(text);
  return text.includes("<!--") && (text.startsWith("<!-- hw ") || /^\s*<!--.*-->\s*$/u.test(text));
}

const mayBeEphemeral = /temporary|test run|delete later|임시|테스트 중|나중에 삭제/i;
/** Korean particles and endings that may follow a marker. */
const ending = "은|는|이|가|을|를|의|에|로|도|만|인|임|이다|이며|이고|입니다|이라서?|이므로|에는|에도|로만|으로";
const removal = "할|함|하기|해|하고|하자|한다|합니다|하세요|됨|될|된다|됩니다|예정";
const marker = `(?:(?:temporary|test run|delete later)(?![\\p{L}\\p{N}])|(?:(?:임시|테스트 중)(?:${ending})?|나중에 삭제(?:${ending}|${removal})?)(?!\\p{Script=Hangul}))`;
/** A marker at the start, in brackets, after a colon or dash, or at the end; elsewhere the words are ordinary text (`uses a temporary table`). */
const ephemeral = once(
  () =>
    new RegExp(
      String.raw`^\s*(?:[-*+•] |\d+[.)] )?(?:\[[ xX]\] )?\**(?:(?:an?|the) )?${marker}|[([【:：–—-]\s*${marker}|(?<![\p{L}\p{N}])${marker}[)\]】.。!\s]*(?:\[\p{L}+\])?\s*$`,
      "iu",
    ),
);

/** Whether a text is marked as ephemeral. */
export function isEphemeral(text: string): boolean {
  return mayBeEphemeral.test(text) && ephemeral().test(text);
}

const diffHeader =
  /^(?:diff --git |index [0-9a-f]{7,64}\.\.[0-9a-f]{7,64}|--- (?:a?\/|"a\/)|\+\+\+ (?:b?\/|"b\/)|(?:old|new|deleted file|new file) mode \d|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files )/u;
/** Possible first lines of a diff. */
const diffStart =
  /^(?:diff --git |index [0-9a-f]{7,64}\.\.[0-9a-f]{7,64}|--- (?:a?\/|"a\/)|\+\+\+ (?:b?\/|"b\/)|@@ -\d)/u;
const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;
const listItem = /^\s*[-*+] /u;

/** An unfenced diff that starts at this line; dropped without a replacement. */
export function diffAt(lines: readonly SourceLine[], start: number): Run | undefined {
  if (!diffStart.test(textAt(lines, start))) return undefined;
  let end = start;
  let hunks = 0;
  while (end < lines.length) {
    const text = textAt(lines, end);
    const hunk = hunkHeader.exec(text);
    if (hunk !== null) {
      hunks += 1;
      end = endOfHunk(lines, end + 1, [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)]);
    } else if (diffHeader.test(text) || text.startsWith("@@ -") || text.startsWith("\\ No newline")) end += 1;
    else if (/^[ +-]/u.test(text) && !listItem.test(text) && hunks === 0) end += 1;
    else break;
  }
  return { end, text: "" };
}

/** Reads as many old and new lines as the hunk header states. */
function endOfHunk(lines: readonly SourceLine[], start: number, [old, fresh]: readonly [number, number]): number {
  let end = start;
  for (let [left, right] = [old, fresh]; (left > 0 || right > 0) && end < lines.length; end++) {
    const text = textAt(lines, end);
    const sign = text.charAt(0);
    const isContext = sign === " " || (text === "" && /^[ +-](?! )|^[ +] |^$/u.test(textAt(lines, end + 1)));
    if (sign === "\\") continue;
    if (!isContext && sign !== "-" && sign !== "+") break;
    if (sign !== "+") left -= 1;
    if (sign !== "-") right -= 1;
    if (left < 0 || right < 0) break;
  }
  return end;
}

const commitLine = /^commit ([0-9a-f]{7,40})\b/u;
const logLine =
  /^(?:(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):| {4}|$| .+ \| +(?:\d+(?: [+-]+)?|Bin\b.*)$| \d+ files? changed\b| (?:create|delete) mode \d| rename .*\(\d+%\)$)/u;

/** A git log with its diffstat that starts at this line; replaced by its first commit. */
export function gitLogAt(lines: readonly SourceLine[], start: number): Run | undefined {
  const hash = commitLine.exec(textAt(lines, start))?.[1];
  if (hash === undefined) return undefined;
  const end = endOfRun(lines, start + 1, ({ text }) => commitLine.test(text) || logLine.test(text));
  return { end, text: `- commit ${hash.slice(0, 12)}` };
}

function textAt(lines: readonly SourceLine[], index: number): string {
  return lines[index]?.text ?? "";
}

/** A run of lines that is replaced by one line, or by nothing if `text` is empty. */
interface Run {
  /** Index after its last line. */
  readonly end: number;
  readonly text: string;
}

/** A quick test: most lines cannot be part of a stack trace. */
const traceStart =
  /^\s*(?:at |File "|goroutine \d|Traceback |panic: |thread '|[\w.]*(?:Error|Exception)\b|Uncaught |Caused by: )/u;

/** The following patterns match whole lines; `_` is white space within a line. */
const error = String.raw`_*(?:Traceback \(most recent call last\)|(?:(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception)|panic)\b.*:).*`;
/** `at fn (file:line:col)`, `at file:line:col`, `at a.b.C.m(C.java:12)`, `at A.m() in file:line 12`; `File "x", line n` and the source line below it. */
const sureFrame = String.raw`_*(?:at (?:.+ \(\S.*:\d+:\d+\)|(?:async )?(?=\S*[A-Za-z])\S*[/.\\]\S*:\d+:\d+|[\w$.<>/]+\((?:[\w$]+\.[a-z]+(?::\d+)?|Native Method|Unknown Source)\)|\S.* in \S.*:line \d+)|File ".+", line \d+.*(?:\n {4}.*)?)`;
/** Lines that are frames only after an error or another frame, and the marks that Python puts below a source line. */
const perhapsFrame = String.raw`_*(?:at (?:async )?(?:new )?(?:\S+ (?:\[as \S+\] )?\((?:<anonymous>|native|index \d+)\)|<anonymous>|(?=\S*[A-Za-z])\S+:\d+)|\.\.\. \d+ (?:more|common frames omitted))| {4}_*[~^]+_*`;
const goroutine = String.raw`goroutine \d+ \[.*\]:`;
const goFrame = String.raw`(?:created by )?[\w./*()$[\]-]+(?:\(.*\)| in goroutine \d+)?\n_+\S+:\d+(?: \+0x[0-9a-f]+)?`;
const rustFrame = String.raw`_+\d+: \S.*|_+at \S+:\d+(?::\d+)?|note: .*`;
const traces = once(() =>
  [
    // At least two unmistakable frames, or an error with its frames.
    String.raw`(?:${sureFrame})(?:\n(?:${perhapsFrame}|${error}))*\n(?:${sureFrame})(?:\n(?:${sureFrame}|${perhapsFrame}|${error}))*`,
    String.raw`${error}\n(?:${sureFrame}|${perhapsFrame})(?:\n(?:${sureFrame}|${perhapsFrame}|${error}))*`,
    // `goroutine 1 [running]:` and pairs of a call and its location, possibly after `panic: …`.
    String.raw`(?:panic: .*\n(?:(?:\[signal .*|\tpanic: .*)?\n){0,3})?${goroutine}(?:\n(?:${goroutine}|exit status \d+|${goFrame}|(?=\n${goroutine}(?:\n|$))))*`,
    // `thread 'main' panicked at …`, its message, then `stack backtrace:` with numbered frames.
    String.raw`thread '.*' (?:\(\d+\) )?panicked at .*(?:(?<!:)|(?<=:)\n.*)\nstack backtrace:(?:\n(?:${rustFrame}))*`,
  ].map((source) => new RegExp(String.raw`^(?:${source})(?=\n|$)`.replaceAll("_", String.raw`[^\S\n]`), "u")),
);
const isError = once(() => new RegExp(`^${error}`.replaceAll("_", String.raw`\s`), "u"));

/** Limits, because the patterns take quadratic time on adversarial input. Longer traces are handled in pieces. */
const [longestFrame, fewLines, manyLines] = [1_000, 8, 400];

/**
 * A stack trace that starts at this line: an error with its frames, or at least two unmistakable frames. Replaced by the error.
 */
export function traceAt(lines: readonly SourceLine[], start: number, most = fewLines): Run | undefined {
  if (!traceStart.test(textAt(lines, start))) return undefined;
  const near = lines.slice(start, start + most).map(({ text }) => text.slice(0, longestFrame));
  const found = traces()
    .map((trace) => trace.exec(near.join("\n"))?.[0])
    .find((text) => text !== undefined);
  if (found === undefined) return undefined;
  const all = found.split("\n");
  const [count, first = "", second = ""] = [all.length, ...all];
  if (count === most && most < manyLines) return traceAt(lines, start, manyLines);
  const run = (said: string | undefined): Run => ({ end: start + count, text: said === undefined ? "" : `- ${said}` });
  if (first.startsWith("goroutine ")) return run(undefined);
  if (first.startsWith("thread '")) return run(first.endsWith(":") ? `${first} ${second.trim()}` : first);
  const errors = all.filter((text) => isError().test(text) && !/^\s*Traceback \(/u.test(text));
  return run(errors.at(-1)?.trim());
}
