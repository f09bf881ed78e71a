import type { StoredRow } from "../../ports/search-index.ts";

/** Lines of a source to which a line of ROOT.md or of a node leads. */
export interface Pointed {
  readonly step: "root" | "manifest";
  readonly source: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `[0, 0]`: the source as a whole. */
  readonly lines: readonly [number, number];
  /** 0 to 1: how much of the message's weight the line that leads here bears. */
  readonly strength: number;
  /** Words of the line that leads here, by which its lines are found. */
  readonly words: readonly string[];
}

/** Whether lines of a row are among those. */
export function leadsTo(pointed: Pointed, row: Pick<StoredRow, "source" | "lines">): boolean {
  const [from, to] = pointed.lines;
  return row.source === pointed.source && (from === 0 || (row.lines[0] <= to && from <= row.lines[1]));
}
