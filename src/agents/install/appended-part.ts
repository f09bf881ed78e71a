import { type ErrorCode, MemoryError } from "../../base/errors.ts";

const begin = "<!-- heartwood:begin -->";
const end = "<!-- heartwood:end -->";

/** Whether the text contains the part with exactly this content. */
export function hasPart(text: string, part: string): boolean {
  return text.replaceAll("\r\n", "\n").includes(partOf(part, "\n"));
}

/** Appends the part after one blank line and removes any older version of it. Errors: `invalid_config` for one mark without the other. */
export function putPart(path: string, text: string, part: string): string {
  if (hasPart(text, part)) return text;
  const free = withoutPart(text, { lineEnd: "", blank: "\n" }, undefined);
  if (rawLines(free).some((line) => isMark(line, begin) || isMark(line, end)))
    throw refusal(path, `has ${begin} or ${end} without the other; remove that line and run the command again.`);
  return appended(free, partOf(part, lineEndOf(free)));
}

function partOf(part: string, lineEnd: string): string {
  return [begin, ...part.trimEnd().split("\n"), end].map((line) => line + lineEnd).join("");
}

/**
 * Removes the part and the blank line that was added before it, but keeps lines inside that are not in `part`. `before` is the text the part was added to. Returns `undefined` if there was no file
 * before and nothing is left.
 */
export function takePart(text: string, before: string | undefined, part: string): string | undefined {
  const rest = withoutPart(text, endOfText(before ?? ""), part);
  return rest === "" && before === undefined ? undefined : rest;
}

/** `part`: our lines inside the marks; `undefined` if all of them are ours. */
function withoutPart(text: string, added: ReturnType<typeof endOfText>, part: string | undefined): string {
  const lines = rawLines(text);
  const from = lines.findIndex((line) => isMark(line, begin));
  const to = lines.findIndex((line, at) => at > from && isMark(line, end));
  if (from < 0 || to < 0) return text;
  const theirs = part === undefined ? [] : linesBesides(lines.slice(from + 1, to), part);
  const after = [...theirs, ...lines.slice(to + 1)].join("");
  const isBlank = added.blank !== "" && lines[from - 1]?.trim() === "";
  const head = lines.slice(0, isBlank ? from - 1 : from).join("");
  const mark = from === 0 && text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + (added.lineEnd !== "" && after === "" ? head.replace(/\r?\n$/u, "") : head) + after;
}

function isMark(line: string, mark: string): boolean {
  return line.replace(/^\uFEFF/u, "").trim() === mark;
}

/** Non-blank lines that are not in the part, or that occur more often than they do there. */
function linesBesides(lines: readonly string[], part: string): readonly string[] {
  const ours = part.split("\n").map((line) => line.trim());
  return lines.filter((line) => {
    const at = ours.indexOf(line.trim());
    if (at >= 0) ours.splice(at, 1);
    return at < 0 && line.trim() !== "";
  });
}

function rawLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** What to add before an appended block: the missing line end, if any, and a blank line; nothing for an empty text. */
export function endOfText(text: string) {
  const lineEnd = lineEndOf(text);
  if (text === "" || text === "\uFEFF") return { lineEnd: "", blank: "" };
  return { lineEnd: text.endsWith("\n") ? "" : lineEnd, blank: lineEnd };
}

/** Appends lines after one blank line. */
export function appended(text: string, lines: string): string {
  const { lineEnd, blank } = endOfText(text);
  return text + lineEnd + blank + lines;
}

export function lineEndOf(text: string): string {
  return /^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n";
}

export function refusal(path: string, problem: string, code: ErrorCode = "invalid_config"): MemoryError {
  return new MemoryError(code, `${path} ${problem}`, { path });
}
