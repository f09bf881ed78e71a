import { cutBytes, type ByteSpan } from "../edit.ts";
import type { LinePair } from "../finding.ts";
import { isBlank } from "../line-key.ts";
import { readText, type MemoryLine, type MemoryText } from "../memory-text.ts";
import { estimateTokens } from "../token-estimate.ts";

/** The lines of a file that go, by index. */
export type LinesGone = Set<number>;

/**
 * The ranges that take these lines out and leave the final line end as it was, there or not; lines without any text that would be the last ones then go
 * too, and are added. `undefined` when it cannot be done: the last line stays, or what stays would be read in another way (a heading ends the fence
 * that nothing else ends, a rule becomes the beginning of a front matter).
 */
export function spansOf(text: MemoryText, gone: LinesGone): readonly ByteSpan[] | undefined {
  const end = endWithoutLineEnd(text, gone);
  if (end === "frozen") return undefined;
  const spans: [number, number][] = [];
  for (const [index, line] of text.lines.entries()) {
    if (!gone.has(index)) continue;
    const last = spans.at(-1);
    if (last?.[1] === line.from) last[1] = line.to;
    else spans.push([line.from, line.to]);
  }
  const tail = spans.at(-1);
  if (end !== undefined && tail !== undefined) tail[0] = end;
  return isReadTheSame(text, gone, spans) ? spans : undefined;
}

/** Whether taking out these lines would make a frozen line the last one of a file without a final line end. */
export function endsInFrozen(text: MemoryText, gone: LinesGone): boolean {
  return endWithoutLineEnd(text, gone) === "frozen";
}

/** Where the file has to end so that it ends without a line end as before; `undefined` when nothing needs doing. */
function endWithoutLineEnd(text: MemoryText, gone: LinesGone): number | "frozen" | undefined {
  const last = text.lines.length - 1;
  if (text.bytes.at(-1) === 10 || !gone.has(last)) return undefined;
  for (let index = last - 1; index >= 0; index--) {
    const line = text.lines[index];
    if (line === undefined || gone.has(index)) continue;
    if (line.part !== "free") return "frozen";
    const end = contentEnd(text.bytes, line);
    if (end > line.from) return end;
    gone.add(index);
  }
  return undefined;
}

function contentEnd(bytes: Uint8Array, line: MemoryLine): number {
  const end = line.to - 1;
  return end > line.from && bytes[end - 1] === 13 ? end - 1 : end;
}

function isReadTheSame(text: MemoryText, gone: LinesGone, spans: readonly ByteSpan[]): boolean {
  const after = readText({ path: text.path, bytes: cutBytes(text.bytes, spans) }).lines;
  const kept = text.lines.filter((_, index) => !gone.has(index));
  return (
    kept.length === after.length &&
    kept.every((line, index) => {
      const now = after[index];
      return now?.kind === line.kind && now.level === line.level && now.part === line.part && now.text === line.text;
    })
  );
}

/** Which lines go, as pairs of 1-based numbers, with their bytes and tokens. */
export function describeGone(
  text: MemoryText,
  gone: readonly number[],
): { readonly lines: readonly LinePair[]; readonly bytes: number; readonly tokens: number; readonly count: number } {
  const pairs: [number, number][] = [];
  for (const index of gone) {
    const last = pairs.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else pairs.push([index + 1, index + 1]);
  }
  const lines = gone.flatMap((index) => text.lines[index] ?? []);
  return {
    lines: pairs,
    bytes: lines.reduce((sum, line) => sum + line.to - line.from, 0),
    tokens: estimateTokens(lines.map((line) => line.text).join("\n")),
    count: lines.filter((line) => !isBlank(line)).length,
  };
}
