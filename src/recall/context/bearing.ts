import { wordKeys } from "../../text/word-keys.ts";

/** A line that bears on a message. */
export interface BearingLine {
  /** Its place in the list that was given. */
  readonly at: number;
  /** 0 to 1: the part of the message's weight that the line bears. */
  readonly strength: number;
  /** Keys of the words that both have. */
  readonly shared: readonly string[];
}

/** Words of the message that count, the heaviest; a long message must not make every line weak. */
const mostWords = 12;
/** Less is chance. */
const leastStrength = 0.12;

/**
 * The lines that bear on a message, strongest first, at most `most`; of equal ones the one above. `weights` says how much each word of the message says by its
 * key; what stands in many of the lines says less.
 */
export function bearingLines(
  lines: readonly string[],
  weights: ReadonlyMap<string, number>,
  most: number,
): readonly BearingLine[] {
  const own = [...weights].toSorted(([, a], [, b]) => b - a);
  const may = mayHold(own.map(([key]) => key));
  const keys = lines.map((line) => (may(line) ? wordKeys(line) : none));
  const total = own.slice(0, mostWords).reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return [];
  const counts = new Map(own.map(([key]) => [key, keys.filter((line) => line.has(key)).length]));
  const found = keys.flatMap((line, at): readonly BearingLine[] => {
    const shared = own.filter(([key]) => line.has(key));
    const strength = shared.reduce(
      (sum, [key, weight]) => sum + weight * rarity(counts.get(key) ?? 0, lines.length),
      0,
    );
    const share = Math.min(1, strength / total);
    return share < leastStrength ? [] : [{ at, strength: share, shared: shared.map(([key]) => key) }];
  });
  return found.toSorted((a, b) => b.strength - a.strength || a.at - b.at).slice(0, most);
}

const none: ReadonlySet<string> = new Set();

/** Whether a line may hold one of the words: taking its words apart costs much more than looking for the beginnings of keys in it. */
function mayHold(keys: readonly string[]): (line: string) => boolean {
  const beginnings = [...new Set(keys.map((key) => key.slice(0, 3)))];
  return (line) => {
    const lower = line.normalize("NFKC").toLowerCase();
    return beginnings.some((beginning) => lower.includes(beginning));
  };
}

/** 1 for a word of one line, falling to 0 for one of all lines. */
function rarity(count: number, lines: number): number {
  return lines < 2 || count < 2 ? 1 : Math.max(0, 1 - Math.log(count) / Math.log(lines));
}
