import { sha256 } from "../../base/digest.ts";

/** Initial length of a mark, in hex digits. Each digit costs tokens. */
const markDigits = 8;

/**
 * Returns a mark that does not occur in any of the texts. `digest` returns at least eight hex digits: a hash of its argument for a reproducible mark, otherwise
 * random digits.
 */
export function fenceMark(digest: (text: string) => string, texts: readonly string[]): string {
  const content = JSON.stringify(texts);
  let mark = "";
  do {
    // The mark grows on each try, so the loop ends even if `digest` always returns the same digits.
    mark += digest(mark + content).slice(0, markDigits);
  } while (texts.some((text) => text.includes(mark)));
  return mark;
}

/** Wraps the lines in a begin line with a title and an end line. `mark` must not occur in the lines. */
export function fenced(mark: string, title: string, lines: readonly string[]): readonly string[] {
  return [`<<<${mark} ${title}`, ...lines, `${mark}>>>`];
}

/** For `fenceMark`: a digest that only this user on this machine can compute. Without a key, anyone can. */
export function markDigest(memory: {
  readonly localState?: { keyedDigest(text: string): string | undefined };
}): (text: string) => string {
  return (text) => memory.localState?.keyedDigest(text) ?? sha256(text);
}
