import { cutBytes, type ByteSpan } from "../../tree/model/moved-format.ts";
import { sha256 } from "../../base/digest.ts";
import type { Edit, EditAction } from "../model/finding.ts";
import { readText, type MemoryText, estimateTokens } from "../model/memory-text.ts";

/** The lines to remove from a file, by index. */
export type LinesGone = Set<number>;

/**
 * The cut that removes these lines. A file without a final line end still has none afterwards; empty lines that would end up last are then removed too and
 * added to `gone`. `undefined` if nothing is removed, or if a person has to decide because the remaining lines would be parsed differently (a removed heading
 * ended a fence or the Core, or a rule becomes front matter). `from`: the first line that may change.
 */
export function cutLines(text: MemoryText, from: number, gone: LinesGone): readonly ByteSpan[] | undefined {
  if (gone.size === 0) return undefined;
  const end = endOf(text, gone, from);
  if (end === "frozen") return undefined;
  const spans = spansOf(text, gone, end);
  return isReadAsBefore(text, gone, spans) ? spans : undefined;
}

/** The edit for a cut. Bytes that belong to no action, such as the line end of the new last line, count toward the last action. */
export function cutEdit(text: MemoryText, spans: readonly ByteSpan[], actions: readonly EditAction[]): Edit {
  let rest = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  for (const { bytes } of actions) rest -= bytes;
  const last = actions.length - 1;
  return {
    path: text.path,
    before: sha256(text.bytes),
    change: { kind: "cut", spans },
    actions: actions.map((action, at) => (at === last ? { ...action, bytes: action.bytes + rest } : action)),
  };
}

function spansOf(text: MemoryText, gone: LinesGone, end: number | undefined): readonly ByteSpan[] {
  const spans: [number, number][] = [];
  for (const [index, line] of text.lines.entries()) {
    if (!gone.has(index)) continue;
    const last = spans.at(-1);
    if (last?.[1] === line.from) last[1] = line.to;
    else spans.push([line.from, line.to]);
  }
  const tail = spans.at(-1);
  if (end !== undefined && tail !== undefined) tail[0] = end;
  return spans;
}

/** Where a file without a final line end must end after the cut; `undefined` if nothing needs to change. `frozen`: the line end may not be removed. */
function endOf(text: MemoryText, gone: LinesGone, from: number): number | "frozen" | undefined {
  const last = text.lines.length - 1;
  if (text.bytes.at(-1) === 10 || !gone.has(last)) return undefined;
  for (let index = last - 1; index >= 0; index--) {
    const line = text.lines[index];
    if (line === undefined || gone.has(index)) continue;
    if (line.part !== "free" || index < from) return "frozen";
    const last = line.to - 1;
    const end = last > line.from && text.bytes[last - 1] === 13 ? last - 1 : last;
    if (end > line.from) return end;
    gone.add(index);
  }
  return undefined;
}

function isReadAsBefore(text: MemoryText, gone: LinesGone, spans: readonly ByteSpan[]): boolean {
  const after = readText({ path: text.path, bytes: cutBytes(text.bytes, spans) }).lines;
  const kept = text.lines.filter((_, index) => !gone.has(index));
  return kept.every(({ kind, level, part, text: said }, at) => {
    const now = after[at];
    return now?.kind === kind && now.level === level && now.part === part && now.text === said;
  });
}

/** Removed lines, in order, as pairs of 1-based numbers, with their bytes and tokens. */
export function describeGone(
  text: MemoryText,
  gone: readonly number[],
): Pick<EditAction, "lines" | "bytes" | "tokens"> {
  const pairs: [number, number][] = [];
  for (const index of gone) {
    const last = pairs.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else pairs.push([index + 1, index + 1]);
  }
  const lines = pairs.flatMap(([from, to]) => text.lines.slice(from - 1, to));
  return {
    lines: pairs,
    bytes: lines.reduce((sum, line) => sum + line.to - line.from, 0),
    tokens: estimateTokens(lines.map((line) => line.text).join("\n")),
  };
}
