/** Who is asked to wait longer gives up and says when to come back. */
export const longestDelayMs = 60_000;
const firstDelayMs = 1_000;
const mostBackoffMs = 30_000;

/** What `Retry-After` asks for, as seconds or as a date (RFC 9110, 10.2.3); `undefined` when it is absent or unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1000;
  // Without letters it is no date of HTTP, whatever `Date.parse` makes of it.
  const at = /[A-Za-z]/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** How long to wait before the next try: what was asked for and a little more, else twice as long each time, less a part left to chance. */
export function delayMs(given: {
  readonly asked: number | undefined;
  readonly tries: number;
  readonly random: number;
}): number {
  if (given.asked !== undefined) return Math.round(given.asked + given.random * 500);
  return Math.round(Math.min(mostBackoffMs, firstDelayMs * 2 ** given.tries) * (0.5 + given.random / 2));
}
