/** Bytes of a mark. It stands in no text that it fences, and each byte costs tokens. */
const markBytes = 4;

/** A mark that stands in none of the texts, made of random bytes. */
export function fenceMark(random: (count: number) => Uint8Array, texts: readonly string[]): string {
  let mark = "";
  do {
    // Longer each time: a source of bytes that repeats itself must not keep us here.
    mark += [...random(markBytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  } while (texts.some((text) => text.includes(mark)));
  return mark;
}

/** The lines between a begin and an end that only we can know. `title` says what stands between them. */
export function fenced(mark: string, title: string, lines: readonly string[]): readonly string[] {
  return [`<<<${mark} ${title}`, ...lines, `${mark}>>>`];
}
