import type { StoredRow } from "../index/search-index.ts";
import type { ScoredCandidate } from "../rank/types.ts";

/** Letters of a line that says enough to be told from others. */
const leastLetters = 20;
/** Share of the letters of its lines by which a piece of a thread is a copy: other turns stand around those that were found. */
const much = 1 / 3;

/** What clients said stands in a log and, word for word, in a thread: chunks of threads that repeat a log's among these are left out. */
export function withoutThreadCopies(
  chunks: readonly ScoredCandidate<StoredRow>[],
): readonly ScoredCandidate<StoredRow>[] {
  if (!chunks.some(({ row }) => row.kind === "thread")) return chunks;
  const logged = new Set(chunks.flatMap(({ row }) => (row.kind === "raw" ? linesOf(row) : [])));
  const lettersOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);
  return chunks.filter(({ row }) => {
    if (row.kind !== "thread") return true;
    const lines = linesOf(row);
    return lettersOf(lines.filter((line) => logged.has(line))) <= much * lettersOf(lines);
  });
}

function linesOf({ text }: StoredRow): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= leastLetters);
}
