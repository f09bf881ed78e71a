import type { QuotedLine } from "../model/analysis.ts";
import { isBlank, isOwnComment, keyOf } from "../model/line-key.ts";
import type { MemoryText, Section } from "../model/memory-text.ts";
import { oneLine, shownLines } from "../model/shown-text.ts";
import { TokenTable } from "../model/token-table.ts";

/** A section of a note, and what of MEMORY.md it is most like; `undefined`: the whole. */
export interface Quoted {
  readonly note: MemoryText;
  readonly section: Section;
  readonly against: Section | undefined;
}

/** Shows lines of a section next to those of MEMORY.md that are most like them: first what differs a little, then what has no likeness, then what is the same. */
export function quoteLines(memory: MemoryText): (quoted: Quoted) => readonly QuotedLine[] {
  const table = new TokenTable();
  const known = new Map<Section | undefined, LineIndex>();
  const shownOf = new Map<number, string>();
  const ofMemory = (line: number): string => {
    const shown = shownOf.get(line) ?? oneLine([shownLines(memory)[line] ?? ""], 200);
    shownOf.set(line, shown);
    return shown;
  };
  return ({ note, section, against }) => {
    const index = known.get(against) ?? indexLines(memory, against, table);
    known.set(against, index);
    const pairs: Pair[] = [];
    for (let at = section.from; at < section.to && pairs.length < mostLines; at++) {
      const line = note.lines[at];
      if (line === undefined || line.reading !== "exact" || isBlank(line) || at === headingOf(section)) continue;
      if (isOwnComment(note, at)) continue;
      pairs.push({ line: at, ...mostAlike(index, keyOf(line), () => table.tokensOf(line.text)) });
    }
    const best = pairs.toSorted((a, b) => rankOf(a) - rankOf(b) || b.similarity - a.similarity || a.line - b.line);
    return best.slice(0, mostQuotes).map((pair) => quote(pair, note, ofMemory));
  };
}

const mostQuotes = 3;
/** Of a section so many lines are looked at. */
const mostLines = 200;

interface Pair {
  readonly line: number;
  /** `undefined`: no line of MEMORY.md is alike. */
  readonly memoryLine: number | undefined;
  /** 1: the same text. */
  readonly similarity: number;
}

interface LineIndex {
  /** The first line of each text. */
  readonly keys: ReadonlyMap<string, number>;
  readonly sizes: ReadonlyMap<number, number>;
  readonly places: ReadonlyMap<number, readonly number[]>;
}

function headingOf(section: Section): number {
  return section.level > 0 ? section.from : -1;
}

function indexLines(memory: MemoryText, against: Section | undefined, table: TokenTable): LineIndex {
  const keys = new Map<string, number>();
  const sizes = new Map<number, number>();
  const places = new Map<number, number[]>();
  const { from, to } = against ?? { from: 0, to: memory.lines.length };
  for (let at = from; at < to; at++) {
    const line = memory.lines[at];
    if (line === undefined || line.part === "derived" || line.reading !== "exact" || isBlank(line)) continue;
    const key = keyOf(line);
    if (!keys.has(key)) keys.set(key, at);
    const tokens = table.tokensOf(line.text);
    sizes.set(at, tokens.length);
    for (const token of tokens) {
      const lines = places.get(token);
      if (lines === undefined) places.set(token, [at]);
      else if (lines.length < mostPlaces) lines.push(at);
    }
  }
  return { keys, sizes, places };
}

/** A token of more lines says little of any. */
const mostPlaces = 50;

/** Lines that share less of their words say different things: shown side by side they would look like two versions of one. */
const leastLikeness = 0.25;

/** `tokensOf` is asked only when no line has the same text. */
function mostAlike(index: LineIndex, key: string, tokensOf: () => Int32Array): Omit<Pair, "line"> {
  const same = index.keys.get(key);
  if (same !== undefined) return { memoryLine: same, similarity: 1 };
  const tokens = tokensOf();
  const shared = new Map<number, number>();
  for (const token of tokens)
    for (const line of index.places.get(token) ?? []) shared.set(line, (shared.get(line) ?? 0) + 1);
  let best: { readonly memoryLine: number | undefined; readonly similarity: number } = {
    memoryLine: undefined,
    similarity: 0,
  };
  for (const [line, count] of shared) {
    const similarity = count / (tokens.length + (index.sizes.get(line) ?? 0) - count);
    if (similarity >= leastLikeness && similarity > best.similarity)
      best = { memoryLine: line, similarity: Math.min(similarity, 0.999) };
  }
  return best;
}

function rankOf({ similarity }: Pair): number {
  return similarity === 1 ? 2 : similarity > 0 ? 0 : 1;
}

function quote({ line, memoryLine }: Pair, note: MemoryText, ofMemory: (line: number) => string): QuotedLine {
  return {
    line: line + 1,
    text: oneLine([shownLines(note)[line] ?? ""], 200),
    memory_line: memoryLine === undefined ? null : memoryLine + 1,
    memory_text: memoryLine === undefined ? null : ofMemory(memoryLine),
  };
}
