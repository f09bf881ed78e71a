import { comparedText } from "./line-key.ts";
import type { MemoryText, Section } from "./memory-text.ts";
import { thresholds } from "./thresholds.ts";
import type { TokenTable } from "./token-table.ts";

/** What of MEMORY.md a text is most like. */
export interface Likeness {
  /** `undefined`: MEMORY.md as a whole. */
  readonly section: Section | undefined;
  /** Shared tokens / all tokens (Jaccard), not rounded. */
  readonly similarity: number;
  readonly shared: number;
  /** Tokens of the text. */
  readonly tokens: number;
}

/**
 * Compares texts, given as the numbers of their tokens in this table, with MEMORY.md as a whole and with each of its sections, the derived ones left
 * out. A comparison gives the highest similarity among those with which the text shares more than `thresholds.sharedTokens` tokens; of equal ones a
 * section before the whole, the first in the file. It takes for each token as many steps as sections have it.
 */
export function compareWith(memory: MemoryText, table: TokenTable): (tokens: Int32Array) => Likeness | undefined {
  const sections = memory.sections.filter((section) => !section.derived);
  const sets = sections.map((section) => table.tokensOf(comparedText(memory, section)).slice());
  const places = placesOf(sets, table.size);
  const counts = new Int32Array(sections.length);
  return (tokens) => {
    counts.fill(0);
    const inWhole = countShared(tokens, places, counts);
    let best: Likeness | undefined;
    for (let index = 0; inWhole > thresholds.sharedTokens && index <= sections.length; index++) {
      const isWhole = index === sections.length;
      const shared = isWhole ? inWhole : (counts[index] ?? 0);
      const size = isWhole ? places.whole : (sets[index]?.length ?? 0);
      if (shared <= thresholds.sharedTokens) continue;
      const similarity = shared / (tokens.length + size - shared);
      if (best === undefined || similarity > best.similarity)
        best = { section: sections[index], similarity, shared, tokens: tokens.length };
    }
    return best;
  };
}

/** For each token the sections that have it, one list behind the other. */
interface Places {
  readonly starts: Int32Array;
  readonly sections: Int32Array;
  /** Tokens that any section has. */
  readonly whole: number;
}

function placesOf(sets: readonly Int32Array[], tokens: number): Places {
  const starts = new Int32Array(tokens + 1);
  for (const set of sets) for (const token of set) starts[token + 1] = (starts[token + 1] ?? 0) + 1;
  let whole = 0;
  for (let token = 0; token < tokens; token++) {
    if (starts[token + 1] !== 0) whole += 1;
    starts[token + 1] = (starts[token + 1] ?? 0) + (starts[token] ?? 0);
  }
  const next = starts.slice();
  const sections = new Int32Array(starts[tokens] ?? 0);
  for (const [index, set] of sets.entries()) {
    for (const token of set) {
      const at = next[token] ?? 0;
      sections[at] = index;
      next[token] = at + 1;
    }
  }
  return { starts, sections, whole };
}

/** Counts the shared tokens of each section; gives those of the whole. */
function countShared(tokens: Int32Array, { starts, sections }: Places, counts: Int32Array): number {
  let inWhole = 0;
  for (const token of tokens) {
    const from = starts[token] ?? 0;
    const to = starts[token + 1] ?? from;
    if (to > from) inWhole += 1;
    for (let at = from; at < to; at++) {
      const section = sections[at] ?? 0;
      counts[section] = (counts[section] ?? 0) + 1;
    }
  }
  return inWhole;
}
