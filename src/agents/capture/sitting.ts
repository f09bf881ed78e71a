/** After so long between two messages a new sitting begins. Milliseconds. */
const longestPause = 6 * 3_600_000;

/** When the sitting of a message began: with the session, and anew after a pause. It follows from the times of the transcript alone. */
export function sittingAt(
  at: number,
  known: {
    readonly sitting_at_ms: number | undefined;
    /** Of the message before. */
    readonly last_at_ms: number | undefined;
    readonly started_at_ms: number | undefined;
  },
): number {
  const before = known.last_at_ms ?? known.started_at_ms;
  if (before === undefined || at - before >= longestPause) return at;
  return known.sitting_at_ms ?? before;
}
