import { MemoryError } from "../../base/errors.ts";
import { endFor, lineEndOf, rawLines, withoutEnd, type AddedEnd } from "./added-end.ts";

const begin = "<!-- heartwood:begin -->";
const end = "<!-- heartwood:end -->";

/** Whether the part stands there, with this text inside. */
export function hasPart(text: string, part: string): boolean {
  return text.replaceAll("\r\n", "\n").includes(partOf(part, "\n"));
}

/** The text with the part at its end, behind one blank line; a part that is there already gives way. Errors: `invalid_config` for a mark without its other one. */
export function putPart(path: string, text: string, part: string): string {
  if (hasPart(text, part)) return text;
  const free = withoutPart(text, { lineEnd: "", blank: "\n" }, undefined);
  if (free.split(/\r?\n/u).some((line) => line.trim() === begin || line.trim() === end))
    throw new MemoryError(
      "invalid_config",
      `${path} has ${begin} or ${end} without the other one; take the line out and run the command again.`,
      { path },
    );
  const added = endFor(free);
  return free + added.lineEnd + added.blank + partOf(part, lineEndOf(free));
}

function partOf(part: string, lineEnd: string): string {
  return [begin, ...part.trimEnd().split("\n"), end].map((line) => line + lineEnd).join("");
}

/**
 * The text without the part and what was added before it; lines inside that are not of `part` stay. `before`: the text to which it was added; absent: there was no file, and there is none when
 * nothing is left.
 */
export function takePart(text: string, before: string | undefined, part: string): string | undefined {
  const rest = withoutPart(text, endFor(before ?? ""), part);
  return rest === "" && before === undefined ? undefined : rest;
}

/** `part`: what is ours inside; absent: all is. */
function withoutPart(text: string, added: AddedEnd, part: string | undefined): string {
  const lines = rawLines(text);
  const isMark = (mark: string) => (line: string) => line.replace(/^\uFEFF/u, "").trim() === mark;
  const from = lines.findIndex(isMark(begin));
  const to = lines.findIndex((line, at) => at > from && isMark(end)(line));
  if (from < 0 || to < 0) return text;
  const bom = from === 0 && text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const theirs = part === undefined ? [] : linesBesides(lines.slice(from + 1, to), part);
  const behind = [...theirs, ...lines.slice(to + 1)].join("");
  return bom + withoutEnd(lines.slice(0, from), added, behind === "" ? "nothing" : "something") + behind;
}

/** The lines that the part does not have, or not as often; blank ones are nobody's. */
function linesBesides(lines: readonly string[], part: string): readonly string[] {
  const ours = part.split("\n").map((line) => line.trim());
  return lines.filter((line) => {
    const at = ours.indexOf(line.trim());
    if (at >= 0) ours.splice(at, 1);
    return at < 0 && line.trim() !== "";
  });
}
