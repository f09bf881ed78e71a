/** Hexadecimal digits that a mark has at first. Each costs tokens. */
const markDigits = 8;

/**
 * A mark that none of the texts contains. `digest` gives at least eight hexadecimal digits: those of the text for a mark that the texts alone decide, or random ones.
 */
export function fenceMark(digest: (text: string) => string, texts: readonly string[]): string {
  const content = JSON.stringify(texts);
  let mark = "";
  do {
    // Longer each time: a text that contains the mark, or digits that repeat themselves, must not keep us here.
    mark += digest(mark + content).slice(0, markDigits);
  } while (texts.some((text) => text.includes(mark)));
  return mark;
}

/** The lines between a begin and an end that none of them contains. `title` says what they are. */
export function fenced(mark: string, title: string, lines: readonly string[]): readonly string[] {
  return [`<<<${mark} ${title}`, ...lines, `${mark}>>>`];
}
