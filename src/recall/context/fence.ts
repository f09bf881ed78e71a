/** Initial length of a mark in hexadecimal digits. Each costs tokens. */
const markDigits = 8;

/**
 * A mark that none of the texts contains. `digest` returns at least eight hexadecimal digits: a hash of its argument for a reproducible mark, or random digits.
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

/** The lines between a begin line with a title and an end line. `mark` must not occur in them. */
export function fenced(mark: string, title: string, lines: readonly string[]): readonly string[] {
  return [`<<<${mark} ${title}`, ...lines, `${mark}>>>`];
}
