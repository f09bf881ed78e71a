import type { Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";

/** What of one source is not indexed. */
export interface LeftOut {
  /** Lines that are not UTF-8. */
  readonly foreign: LinesLeftOut;
  /** Lines of which only the beginning is indexed. */
  readonly long: LinesLeftOut;
  /** The last line that is indexed, where the source is longer than may be. */
  readonly end: number | undefined;
}

export interface LinesLeftOut {
  readonly count: number;
  /** The first of them, from 1. */
  readonly first: number;
}

export const nothingLeftOut: LeftOut = { foreign: linesAt([]), long: linesAt([]), end: undefined };

/** By their numbers, ascending. */
export function linesAt(numbers: readonly number[]): LinesLeftOut {
  return { count: numbers.length, first: numbers[0] ?? 0 };
}

/** Sources of which it is told; more of them would hide what else a run has to tell. */
const mostTold = 20;

/** Collects what was left out of the sources of one run. */
export class LeftOutRun {
  readonly #told: Warning[] = [];
  #untold = 0;

  add(path: string, left: LeftOut): void {
    const all = warningsOf(path, left);
    if (all.length === 0) return;
    if (this.#told.length < mostTold) pushAll(this.#told, all);
    else this.#untold += 1;
  }

  get warnings(): readonly Warning[] {
    if (this.#untold === 0) return this.#told;
    const more = this.#untold === 1 ? "1 more source has" : `${this.#untold} more sources have`;
    return [
      ...this.#told,
      { code: "lines_left_out", message: `${more} lines that are not indexed, or not as a whole` },
    ];
  }
}

function warningsOf(path: string, { foreign, long, end }: LeftOut): readonly Warning[] {
  const warnings: Warning[] = [];
  if (foreign.count > 0)
    warnings.push({
      code: "not_utf8",
      path,
      line: foreign.first,
      message: `${linesOf(foreign, path)} not UTF-8 and cannot be found; save the file as UTF-8`,
    });
  if (long.count > 0)
    warnings.push({
      code: "line_cut",
      path,
      line: long.first,
      message: `${linesOf(long, path)} longer than 64 KiB; only the beginning is indexed`,
    });
  if (end !== undefined)
    warnings.push({
      code: "source_cut",
      path,
      line: end,
      message: `${path} is longer than 64 MiB; it is indexed up to line ${end}`,
    });
  return warnings;
}

function linesOf({ count, first }: LinesLeftOut, path: string): string {
  if (count === 1) return `line ${first} of ${path} is`;
  return `${count} lines of ${path}, the first of them line ${first}, are`;
}
