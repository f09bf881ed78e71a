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

export function shareOf(space: Space, count: (text: string) => number): Share {
  const { characters, bytes, tokens } = space;
  return (text) =>
    Math.max(
      text.length / characters,
      bytes === undefined ? 0 : Buffer.byteLength(text) / bytes,
      tokens === undefined ? 0 : count(text) / tokens,
    );
}
