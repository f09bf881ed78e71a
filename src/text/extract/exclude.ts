import type { SourceLine } from "../../base/passage.ts";
import { diffAt, gitLogAt } from "./diffs.ts";
import { traceAt, type Run } from "./traces.ts";

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

const rule = /^\s*\|[\s:|-]*-[\s:|-]*\|?\s*$/u;

/** A row of a table as an item, its first cell before the others: no bars, no head, no rule. Another line as it is. */
function rowAsText(text: string, next: string): string {
  if (!/^\s*\|.*\|\s*$/u.test(text)) return text;
  if (rule.test(text) || rule.test(next)) return "";
  const [first = "", ...cells] = text
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
  return cells.length === 0 ? `- ${first}` : `- ${first} – ${cells.join(", ")}`;
}

/** Every line that says something, word for word: all but comments outside a fence and, there too, blank lines. */
export function wordForWord(lines: readonly SourceLine[]): readonly KeptLine[] {
  return lines
    .filter(({ kind, text }) =>
      kind === "code" ? !text.startsWith("<!-- hw ") : text.trim() !== "" && !isComment(text),
    )
    .map(({ number, text }) => ({ number, to: number, text }));
}

const noiseStart = /^\s*(?:[│├└|`@]|diff |index |---|\+\+\+|commit |at |File "|goroutine|Traceback|panic|thread ')/u;

/** What every kind of noise has; most lines have none of it. */
function mayBeNoise(text: string): boolean {
  return noiseStart.test(text) || text.includes("Error") || text.includes("Exception");
}

const treeLine = /^\s*(?:[│├└]|\|--|`--)/u;

/** The run of noise that begins here. */
function noiseAt(lines: readonly SourceLine[], start: number): Run | undefined {
  const first = lines[start];
  if (first === undefined) return undefined;
  if (first.kind === "fence") return fenceAt(lines, start);
  if (first.kind === "code") return { end: endOfRun(lines, start, (line) => line.kind === "code"), text: "" };
  if (!mayBeNoise(first.text)) return undefined;
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

/** Also a torn comment of ours. */
function isComment(text: string): boolean {
  return text.includes("<!--") && (text.startsWith("<!-- hw ") || /^\s*<!--.*-->\s*$/u.test(text));
}

const mayBeEphemeral = /temporary|test run|delete later|임시|테스트 중|나중에 삭제/i;
/** Particles and endings that may follow a marker in Korean: another letter makes it a part of another word. */
const ending = "은|는|이|가|을|를|의|에|로|도|만|인|임|이다|이며|이고|입니다|이라서?|이므로|에는|에도|로만|으로";
const removal = "할|함|하기|해|하고|하자|한다|합니다|하세요|됨|될|된다|됩니다|예정";
const ephemeral = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:temporary|test run|delete later)(?![\\p{L}\\p{N}])|(?:(?:임시|테스트 중)(?:${ending})?|나중에 삭제(?:${ending}|${removal})?)(?!\\p{Script=Hangul}))`,
  "iu",
);

/** Whether a text carries one of the markers of things that only mattered in their session, as a whole word. */
export function isEphemeral(text: string): boolean {
  return mayBeEphemeral.test(text) && ephemeral.test(text);
}
