import { commonPairs } from "../../base/lines.ts";

/** A stretch of a text: the other text has it too, or it has something else there. */
export interface Stretch {
  readonly kind: "same" | "differs";
  readonly text: string;
}

/** Two texts cut into stretches: each side's stretches are its text, and what is `same` is the same on both sides, in order. */
interface WordDifferences {
  readonly left: readonly Stretch[];
  readonly right: readonly Stretch[];
}

/** Texts with more pairs of words than this differ as a whole. */
const LARGEST = 1_000_000;

/** Texts that share less than this of their longer one have nothing to point at: all of it differs. */
const LEAST_SHARED = 0.3;

/**
 * Finds the words in which two texts differ. Words of scripts with spaces, characters of Han and kana, and other marks are compared one by one;
 * a blank between two that differ is taken with them. Time grows with the product of their lengths, up to 1,000,000 pairs.
 */
export function wordDifferences(left: string, right: string): WordDifferences {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (left === right) return { left: stretchOf("same", left), right: stretchOf("same", right) };
  const pairs = a.length * b.length > LARGEST ? [] : withoutLoneBlanks(commonPairs(a, b), a);
  const shared = pairs.reduce((sum, [at]) => sum + (a[at] ?? "").trim().length, 0);
  const isAlike = shared >= LEAST_SHARED * Math.max(left.trim().length, right.trim().length);
  const kept = isAlike ? pairs : [];
  return {
    left: stretches(a, new Set(kept.map(([at]) => at))),
    right: stretches(b, new Set(kept.map(([, at]) => at))),
  };
}

function stretchOf(kind: Stretch["kind"], text: string): readonly Stretch[] {
  return text === "" ? [] : [{ kind, text }];
}

const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{N}\p{M}_])+|\s+|[^](?:\p{M}|\u200D|\uFE0F|(?<=\u200D)[^])*/gu;

function wordsOf(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

type Pair = readonly [number, number];

/** A blank with something different on both of its sides is not common to both. */
function withoutLoneBlanks(pairs: readonly Pair[], a: readonly string[]): readonly Pair[] {
  return pairs.filter(([i, j], index) => {
    if ((a[i] ?? "").trim() !== "") return true;
    const before = pairs[index - 1];
    const after = pairs[index + 1];
    const isNext = before !== undefined && before[0] === i - 1 && before[1] === j - 1;
    const isFollowed = after !== undefined && after[0] === i + 1 && after[1] === j + 1;
    return isNext || isFollowed;
  });
}

function stretches(words: readonly string[], same: ReadonlySet<number>): readonly Stretch[] {
  const found: { kind: Stretch["kind"]; text: string }[] = [];
  words.forEach((word, index) => {
    const kind = same.has(index) ? "same" : "differs";
    const last = found.at(-1);
    if (last?.kind === kind) last.text += word;
    else found.push({ kind, text: word });
  });
  return found;
}

/** The same stretches with `…` for what is common and further than this many characters from a difference. */
export function aroundDifferences(all: readonly Stretch[], characters: number): readonly Stretch[] {
  if (all.every(({ kind }) => kind === "same")) return all;
  return all.map((stretch, index) => {
    const text = [...stretch.text];
    const [before, after] = [index === 0 ? 0 : characters, index === all.length - 1 ? 0 : characters];
    if (stretch.kind === "differs" || text.length <= before + after + 1) return stretch;
    const kept = `${text.slice(0, before).join("")}…${after === 0 ? "" : text.slice(-after).join("")}`;
    return { kind: "same", text: kept };
  });
}
