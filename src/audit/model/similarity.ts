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
  const touched: number[] = [];
  return (tokens) => {
    if (tokens.length <= thresholds.sharedTokens) return undefined;
    touched.length = 0;
    const inWhole = countShared(tokens, places, { counts, touched });
    let best: (Likeness & { readonly index: number }) | undefined;
    const consider = (index: number, shared: number, size: number): void => {
      if (shared <= thresholds.sharedTokens) return;
      const similarity = shared / (tokens.length + size - shared);
      const isBetter =
        best === undefined || similarity > best.similarity || (similarity === best.similarity && index < best.index);
      if (isBetter) best = { index, section: sections[index], similarity, shared, tokens: tokens.length };
    };
    for (const index of touched) {
      consider(index, counts[index] ?? 0, sets[index]?.length ?? 0);
      counts[index] = 0;
    }
    consider(sections.length, inWhole, places.whole);
    return best;
  };
}

/** For each token the sections that have it, one list behind the other. Those that have too few tokens to be like anything are not in it. */
interface Places {
  readonly starts: Int32Array;
  readonly sections: Int32Array;
  /** 1 for a token that any section has. */
  readonly known: Uint8Array;
  /** Tokens that any section has. */
  readonly whole: number;
}

function placesOf(sets: readonly Int32Array[], tokens: number): Places {
  const known = new Uint8Array(tokens);
  for (const set of sets) for (const token of set) known[token] = 1;
  const starts = new Int32Array(tokens + 1);
  const large = [...sets.entries()].filter(([, set]) => set.length > thresholds.sharedTokens);
  for (const [, set] of large) for (const token of set) starts[token + 1] = (starts[token + 1] ?? 0) + 1;
  for (let token = 0; token < tokens; token++) starts[token + 1] = (starts[token + 1] ?? 0) + (starts[token] ?? 0);
  const next = starts.slice();
  const sections = new Int32Array(starts[tokens] ?? 0);
  for (const [index, set] of large) {
    for (const token of set) {
      const at = next[token] ?? 0;
      sections[at] = index;
      next[token] = at + 1;
    }
  }
  return { starts, sections, known, whole: known.reduce((sum, one) => sum + one, 0) };
}

/** Counts the shared tokens of each section, and notes which have any; gives those of the whole. */
function countShared(
  tokens: Int32Array,
  { starts, sections, known }: Places,
  { counts, touched }: { readonly counts: Int32Array; readonly touched: number[] },
): number {
  let inWhole = 0;
  for (const token of tokens) {
    inWhole += known[token] ?? 0;
    const to = starts[token + 1] ?? 0;
    for (let at = starts[token] ?? 0; at < to; at++) {
      const section = sections[at] ?? 0;
      const count = counts[section] ?? 0;
      if (count === 0) touched.push(section);
      counts[section] = count + 1;
    }
  }
  return inWhole;
}
