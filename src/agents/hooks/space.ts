/** How much of a client's context a text may take; whatever is named holds. */
export interface Space {
  /** As JavaScript counts them. */
  readonly characters: number;
  /** UTF-8. */
  readonly bytes?: number;
  /** o200k. */
  readonly tokens?: number;
}

/** The part of the space that a text takes: 1 is all of it. What two texts take together is at most the sum of both. */
export type Share = (text: string) => number;

/** Each text is measured once: to count tokens takes its time. */
export function shareOf(space: Space, count: (text: string) => number): Share {
  const { characters, bytes, tokens } = space;
  const known = new Map<string, number>();
  const measured = (text: string): number =>
    Math.max(
      text.length / characters,
      bytes === undefined ? 0 : Buffer.byteLength(text) / bytes,
      tokens === undefined ? 0 : count(text) / tokens,
    );
  return (text) => {
    const share = known.get(text) ?? measured(text);
    known.set(text, share);
    return share;
  };
}

/** What lines take with their line ends, at most. */
export function shareOfLines(share: Share, lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + share(`${line}\n`), 0);
}
