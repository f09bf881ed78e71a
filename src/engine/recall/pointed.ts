import type { StoredRow } from "../../ports/search-index.ts";

/** Lines of a raw log to which a line of ROOT.md or of a node leads. */
export interface Pointed {
  readonly step: "root" | "manifest";
  /** `memory/2026-03-15.md`; empty for any log of these days. */
  readonly source: string;
  /** Inclusive, `YYYY-MM-DD`. */
  readonly days: readonly [string, string];
  /** `[0, 0]`: the source as a whole. */
  readonly lines: readonly [number, number];
  /** 0 to 1: how much of the message's weight the line that leads here bears. */
  readonly strength: number;
  /** Words of the line that leads here, by which its lines are found. */
  readonly words: readonly string[];
}

/** Whether lines of a row are among those. */
export function leadsTo({ source, lines: [from, to] }: Pointed, row: Pick<StoredRow, "source" | "lines">): boolean {
  if (source !== "" && row.source !== source) return false;
  return from === 0 || (row.lines[0] <= to && from <= row.lines[1]);
}
