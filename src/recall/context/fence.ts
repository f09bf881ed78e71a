import { sha256 } from "../../base/digest.ts";

/** Hexadecimal digits that a mark has at first. Each costs tokens. */
const markDigits = 8;

/**
 * A mark that none of the texts contains, made from their digest: the same texts have the same mark, so that a client's prompt cache knows them again. `digest` gives at least
 * eight hexadecimal digits.
 */
export function fenceMark(texts: readonly string[], digest: (...parts: readonly string[]) => string = sha256): string {
  const content = JSON.stringify(texts);
  let mark = "";
  do {
    // Longer each time: a text that was made to contain its own mark must not keep us here.
    mark += digest(mark, content).slice(0, markDigits);
  } while (texts.some((text) => text.includes(mark)));
  return mark;
}

/** The lines between a begin and an end that none of them contains. `title` says what they are. */
export function fenced(mark: string, title: string, lines: readonly string[]): readonly string[] {
  return [`<<<${mark} ${title}`, ...lines, `${mark}>>>`];
}
