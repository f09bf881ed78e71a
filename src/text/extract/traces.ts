import type { SourceLine } from "../../base/passage.ts";

/** A run of lines that one line stands for. */
export interface Run {
  /** The index after its last line. */
  readonly end: number;
  readonly text: string;
}

/** Most lines can be no part of a trace. */
const traceStart =
  /^\s*(?:at |File "|goroutine \d|Traceback |panic: |thread '|[\w.]*(?:Error|Exception)\b|Uncaught |Caused by: )/u;

const errorLine =
  /^\s*(?:Traceback \(most recent call last\)|(?:(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception)|panic)\b.*:)/u;
const traceback = /^\s*Traceback \(/u;
const fileFrame = /^\s*File ".+", line \d+/u;
/** `at fn (file:line:col)`, `at file:line:col`, `at a.b.C.m(C.java:12)`, `at A.m() in file:line 12`, `File "x", line n`. */
const surelyFrame =
  /^\s*(?:at (?:.+ \(\S.*:\d+:\d+\)|(?:async )?(?=\S*[A-Za-z])\S*[/.\\]\S*:\d+:\d+|[\w$.<>/]+\((?:[\w$]+\.[a-z]+(?::\d+)?|Native Method|Unknown Source)\)|\S.* in \S.*:line \d+)|File ".+", line \d+.*)$/u;
/** A frame only behind an error or another frame. */
const perhapsFrame =
  /^\s*(?:at (?:async )?(?:new )?(?:\S+ (?:\[as \S+\] )?\((?:<anonymous>|native|index \d+)\)|<anonymous>|(?=\S*[A-Za-z])\S+:\d+)|\.\.\. \d+ (?:more|common frames omitted))$/u;

/** A stack trace that begins here: an error with its frames, or at least two frames that can be nothing else. Its text is the error. */
export function traceAt(lines: readonly SourceLine[], start: number): Run | undefined {
  const first = textAt(lines, start);
  if (!traceStart.test(first)) return undefined;
  if (first.startsWith("thread '")) return rustTrace(lines, start);
  if (first.startsWith("panic: ") || first.startsWith("goroutine ")) return goTrace(lines, start);
  const isError = isErrorLine(first);
  if (!isError && !isSurelyFrame(first)) return undefined;
  const end = endOfFrames(lines, isError ? start + 1 : start);
  const frames = lines.slice(start, end).filter((line) => isSurelyFrame(line.text)).length;
  if (isError ? end === start + 1 : frames < 2) return undefined;
  const error = lines
    .slice(start, end)
    .map((line) => line.text.trim())
    .findLast((text) => isErrorLine(text) && !traceback.test(text));
  return { end, text: error === undefined ? "" : `- ${error}` };
}

/** Frames, the code that Python shows below one, and errors behind or between them. */
function endOfFrames(lines: readonly SourceLine[], start: number): number {
  let end = start;
  for (; end < lines.length; end++) {
    const text = textAt(lines, end);
    const before = end > start ? textAt(lines, end - 1) : "";
    const isCode = /^ {4}/u.test(text) && (fileFrame.test(before) || /^\s*[~^]+\s*$/u.test(text));
    if (!isCode && !isSurelyFrame(text) && !perhapsFrame.test(text) && !(end > start && isErrorLine(text))) break;
  }
  return end;
}

/** Characters; the patterns above take the square of the time on a line that is made for it. */
const longestFrame = 1_000;

function isErrorLine(text: string): boolean {
  return errorLine.test(text.length > longestFrame ? text.slice(0, longestFrame) : text);
}

function isSurelyFrame(text: string): boolean {
  return text.length <= longestFrame && surelyFrame.test(text);
}

const goroutine = /^goroutine \d+ \[.*\]:$/u;
const goCall = /^(?:created by )?[\w./*()$[\]-]+(?:\(.*\)| in goroutine \d+)?$/u;
const goPlace = /^\s+\S+:\d+(?: \+0x[0-9a-f]+)?$/u;

/** `panic: …`, then `goroutine 1 [running]:` and pairs of a call and its place. */
function goTrace(lines: readonly SourceLine[], start: number): Run | undefined {
  const isPanic = textAt(lines, start).startsWith("panic: ");
  let end = start;
  if (isPanic)
    do end += 1;
    while (end < start + 4 && /^$|^\[signal |^\tpanic: /u.test(textAt(lines, end)));
  if (!goroutine.test(textAt(lines, end))) return undefined;
  while (end < lines.length) {
    if (goroutine.test(textAt(lines, end)) || /^exit status \d+$/u.test(textAt(lines, end))) end += 1;
    else if (goPlace.test(textAt(lines, end + 1)) && goCall.test(textAt(lines, end))) end += 2;
    else if (textAt(lines, end) === "" && goroutine.test(textAt(lines, end + 1))) end += 1;
    else break;
  }
  return { end, text: isPanic ? `- ${textAt(lines, start)}` : "" };
}

/** `thread 'main' panicked at …`, its message, then `stack backtrace:` with numbered frames. */
function rustTrace(lines: readonly SourceLine[], start: number): Run | undefined {
  const first = textAt(lines, start);
  if (!/^thread '.*' (?:\(\d+\) )?panicked at /u.test(first)) return undefined;
  const message = first.endsWith(":") ? textAt(lines, start + 1).trim() : "";
  let end = start + (first.endsWith(":") ? 2 : 1);
  if (textAt(lines, end) !== "stack backtrace:") return undefined;
  do end += 1;
  while (/^\s+\d+: \S|^\s+at \S+:\d+(?::\d+)?$|^note: /u.test(textAt(lines, end)));
  return { end, text: `- ${first}${message === "" ? "" : ` ${message}`}` };
}

function textAt(lines: readonly SourceLine[], index: number): string {
  return lines[index]?.text ?? "";
}
