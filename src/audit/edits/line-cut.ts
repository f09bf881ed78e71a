import { cutBytes, type ByteSpan } from "../../tree/model/moved-format.ts";
import type { LinePair } from "../model/finding.ts";
import { isBlank, readText, type MemoryLine, type MemoryText } from "../model/memory-text.ts";
import { estimateTokens } from "../model/tokens.ts";

/** The lines of a file that go, by index. */
export type LinesGone = Set<number>;

/** Lines that go, and the ranges of bytes that take them out. */
interface LineCut {
  readonly gone: LinesGone;
  readonly spans: readonly ByteSpan[];
}

/**
 * The cut of the lines that `choose` gives. The final line end stays as it was, there or not: lines without any text that would be the last ones then go
 * too. What stays is read as before: a line whose removal would change that (a heading that ends a fence or the Core, a line above a rule that would
 * become front matter) is pinned, and `choose` is asked again. `undefined`: nothing goes. `from`: the first line that may change.
 */
export function cutLines(
  text: MemoryText,
  from: number,
  choose: (pinned: ReadonlySet<number>) => LinesGone,
): LineCut | undefined {
  const pinned = new Set<number>();
  for (let tries = 0; tries < mostTries; tries++) {
    const gone = choose(pinned);
    if (gone.size === 0) return undefined;
    const end = endOf(text, gone, from);
    const spans = end === "frozen" ? [] : spansOf(text, gone, end);
    const changed = end === "frozen" ? text.lines.length : firstReadOtherwise(text, gone, spans);
    if (changed === undefined) return { gone, spans };
    const cause = causeOf(changed, text, gone);
    if (cause === undefined) return undefined;
    pinned.add(cause);
  }
  return undefined;
}

/** Each takes a reading of the file; what needs more is left to a person. */
const mostTries = 24;

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

/** Where the file has to end so that it ends without a line end as before; `undefined`: nothing needs doing. `frozen`: that line keeps its line end. */
function endOf(text: MemoryText, gone: LinesGone, from: number): number | "frozen" | undefined {
  const last = text.lines.length - 1;
  if (text.bytes.at(-1) === 10 || !gone.has(last)) return undefined;
  for (let index = last - 1; index >= 0; index--) {
    const line = text.lines[index];
    if (line === undefined || gone.has(index)) continue;
    if (line.part !== "free" || index < from) return "frozen";
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

/** The first line that stays and would be read in another way. */
function firstReadOtherwise(text: MemoryText, gone: LinesGone, spans: readonly ByteSpan[]): number | undefined {
  const after = readText({ path: text.path, bytes: cutBytes(text.bytes, spans) }).lines;
  let at = 0;
  for (const [index, line] of text.lines.entries()) {
    if (gone.has(index)) continue;
    const now = after[at++];
    const isSame = now?.kind === line.kind && now.level === line.level && now.part === line.part;
    if (!isSame || now.text !== line.text) return index;
  }
  return undefined;
}

/** Which line has to stay for this one to be read as before: the heading that ends what is frozen above, else the last line that goes above. */
function causeOf(changed: number, text: MemoryText, gone: LinesGone): number | undefined {
  let last: number | undefined;
  let heading: number | undefined;
  for (let at = changed - 1; at >= 0 && (gone.has(at) || last === undefined); at--) {
    if (!gone.has(at)) continue;
    last ??= at;
    if (text.lines[at]?.kind === "heading") heading = at;
  }
  return heading ?? last;
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
