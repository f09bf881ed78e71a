export interface ShareRequest {
  /** How many lines each summary has, the oldest summary first. */
  readonly lines: readonly number[];
  /** What a line costs, in tokens; asked at most once for each line, and only for those that may be dealt. */
  readonly cost: (summary: number, line: number) => number;
  /** Tokens for all lines. */
  readonly space: number;
}

export interface Share {
  /** How many lines of each summary, from its first on. */
  readonly lines: readonly number[];
  /** Tokens that remain. */
  readonly space: number;
}

/**
 * Deals lines out in rounds, one to each summary, from the newest summary to the oldest. A summary whose next line does not fit gets no more; so
 * every summary has its first line before any has two, as far as the space reaches.
 */
export function shareLines({ lines, cost, space }: ShareRequest): Share {
  const dealt = lines.map(() => 0);
  let left = space;
  let open = [...lines.keys()].toReversed();
  for (let round = 0; open.length > 0; round += 1) {
    open = open.filter((summary) => {
      if (round >= (lines[summary] ?? 0)) return false;
      const price = cost(summary, round);
      if (price > left) return false;
      left -= price;
      dealt[summary] = round + 1;
      return true;
    });
  }
  return { lines: dealt, space: left };
}
