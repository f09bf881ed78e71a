import { textOf, type MemoryText, type Section } from "./memory-text.ts";
import { thresholds } from "./thresholds.ts";
import { TokenTable } from "./token-table.ts";

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
 * Compares texts with MEMORY.md as a whole and with each of its sections, the derived ones left out. A comparison gives the highest similarity among
 * those with which the text shares more than `thresholds.sharedTokens` tokens; of equal ones a section before the whole, the first in the file. It
 * takes as long as the text, and for each of its tokens as many steps as sections have that token.
 */
export function compareWith(memory: MemoryText): (text: string) => Likeness | undefined {
  const table = new TokenTable();
  const sections = memory.sections.filter((section) => !section.derived);
  const sets = sections.map((section) => table.tokensOf(textOf(memory, section)).slice());
  // Its tokens have the first numbers: below it a token is one of MEMORY.md.
  const whole = table.size;
  const places = placesOf(sets, whole);
  const counts = new Int32Array(sections.length);
  return (text) => {
    const tokens = table.tokensOf(text);
    counts.fill(0);
    const inWhole = countShared(tokens, { places, counts, whole });
    if (inWhole <= thresholds.sharedTokens) return undefined;
    let best: Likeness | undefined;
    for (let index = 0; index <= sections.length; index++) {
      const isWhole = index === sections.length;
      const shared = isWhole ? inWhole : (counts[index] ?? 0);
      const size = isWhole ? whole : (sets[index]?.length ?? 0);
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
}

function placesOf(sets: readonly Int32Array[], whole: number): Places {
  const starts = new Int32Array(whole + 1);
  for (const set of sets) for (const token of set) starts[token + 1] = (starts[token + 1] ?? 0) + 1;
  for (let token = 0; token < whole; token++) starts[token + 1] = (starts[token + 1] ?? 0) + (starts[token] ?? 0);
  const next = starts.slice();
  const sections = new Int32Array(starts[whole] ?? 0);
  for (const [index, set] of sets.entries()) {
    for (const token of set) {
      const at = next[token] ?? 0;
      sections[at] = index;
      next[token] = at + 1;
    }
  }
  return { starts, sections };
}

/** Counts the shared tokens of each section; gives those of the whole. */
function countShared(
  tokens: Int32Array,
  { places, counts, whole }: { readonly places: Places; readonly counts: Int32Array; readonly whole: number },
): number {
  const { starts, sections } = places;
  let inWhole = 0;
  for (const token of tokens) {
    if (token >= whole) continue;
    inWhole += 1;
    const end = starts[token + 1] ?? 0;
    for (let at = starts[token] ?? 0; at < end; at++) {
      const section = sections[at] ?? 0;
      counts[section] = (counts[section] ?? 0) + 1;
    }
  }
  return inWhole;
}
