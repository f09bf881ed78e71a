import type { PlantedFact, PlantedTruth } from "./corpora/year.d.mts";

export interface TruthLine {
  readonly section: string;
  readonly text: string;
}

/** A figure, its bound, and the items that failed. */
export interface TruthRow {
  readonly name: string;
  readonly value: number;
  readonly holds: boolean;
  readonly missed: readonly string[];
}

export function truthRows(
  root: { readonly lines: readonly TruthLine[]; readonly dropped: readonly TruthLine[] },
  truth: PlantedTruth,
): readonly TruthRow[];
export function namesBeforeProjects(
  root: { readonly lines: readonly TruthLine[] },
  truth: PlantedTruth,
  cap: number,
): TruthRow;
export function linesForFact<Line extends TruthLine>(lines: readonly Line[], fact: PlantedFact): readonly Line[];
export function leadsTo(
  places: readonly { readonly path: string; readonly lines: readonly [number, number]; readonly text: string }[],
  fact: PlantedFact,
): boolean;
