import { refusal } from "./refusal.ts";

const begin = "<!-- heartwood:begin -->";
const end = "<!-- heartwood:end -->";

/** Whether the part is there, with this text inside. */
export function hasPart(text: string, part: string): boolean {
  return text.replaceAll("\r\n", "\n").includes(partOf(part, "\n"));
}

/** The text with the part at its end, after one blank line, in place of any older part. Errors: `invalid_config` for one mark without the other. */
export function putPart(path: string, text: string, part: string): string {
  if (hasPart(text, part)) return text;
  const free = withoutPart(text, { lineEnd: "", blank: "\n" }, undefined);
  if (rawLines(free).some((line) => isMark(line, begin) || isMark(line, end)))
    throw refusal(path, `has ${begin} or ${end} without the other one; remove that line and run the command again.`);
  return appended(free, partOf(part, lineEndOf(free)));
}

function partOf(part: string, lineEnd: string): string {
  return [begin, ...part.trimEnd().split("\n"), end].map((line) => line + lineEnd).join("");
}

/**
 * The text without the part and what was added before it; lines inside that are not in `part` stay. `before`: the text to which it was added. If there was no file before and nothing is
 * left, there is none.
 */
export function takePart(text: string, before: string | undefined, part: string): string | undefined {
  const rest = withoutPart(text, endOfText(before ?? ""), part);
  return rest === "" && before === undefined ? undefined : rest;
}

/** `part`: what is ours inside; absent: all is. */
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

/** The lines that the part does not have, or not as often; blank ones do not count. */
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

/** The line end that the last line lacks, and a blank line; nothing for an empty text. */
export function endOfText(text: string) {
  const lineEnd = lineEndOf(text);
  if (text === "" || text === "\uFEFF") return { lineEnd: "", blank: "" };
  return { lineEnd: text.endsWith("\n") ? "" : lineEnd, blank: lineEnd };
}

/** The text with lines of ours at its end, after one blank line. */
export function appended(text: string, lines: string): string {
  const { lineEnd, blank } = endOfText(text);
  return text + lineEnd + blank + lines;
}

export function lineEndOf(text: string): string {
  return /^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n";
}
