/** Whether a stem of some is that of a word can mostly be told by the first two letters of the word. */
export type FirstLetters = Uint8Array;

/** Signs of ASCII. */
const signs = 128;

/**
 * By the codes of two signs of ASCII, in either case, 1 when a word that begins with them may have one of the stems, or a stem that begins with one of the
 * `beginnings`. A stem has the first letters of its word; but a `y` may become an `i`, and one of a single letter is left of a word such as `ies`, `aed` or `oing`.
 */
export function firstLettersOf(stems: Iterable<string>, beginnings: Iterable<string> = []): FirstLetters {
  const table = new Uint8Array(signs * signs);
  for (const stem of stems) for (const one of stem.length === 1 ? [`${stem}e`, `${stem}i`] : [stem]) mark(table, one);
  for (const beginning of beginnings) mark(table, beginning);
  return table;
}

/**
 * Finds in a text whose words are of ASCII those that may have one of the stems, and few others: a pattern reads a text several times as fast as a loop that has just begun.
 * A word begins with its stem but for the last letter of it, which may be an `i` for a `y`, or an `e` that the stem got. Finds nothing when there is no stem.
 */
export function wordsBeginningLike(stems: Iterable<string>): RegExp {
  const beginnings = new Set<string>();
  for (const stem of stems) if (/^[a-z0-9]+$/.test(stem)) beginnings.add(beginningOf(stem));
  return beginnings.size === 0 ? /(?!)/g : new RegExp(`(?<![a-z0-9])(?:${[...beginnings].join("|")})[a-z0-9]*`, "gi");
}

function beginningOf(stem: string): string {
  const [first, second] = [stem.charAt(0), stem.charAt(1)];
  if (stem.length > 2) return stem.slice(0, -1);
  if (second === "") return `${first}(?:[ei]|(?![a-z0-9]))`;
  return `${first}${second === "i" ? "[iy]" : second}`;
}

function mark(table: FirstLetters, stem: string): void {
  const [first, second] = [stem.charAt(0), stem.charAt(1)];
  if (first === "") table.fill(1);
  for (const a of bothCases(first)) {
    const row = a * signs;
    if (second === "") table.fill(1, row, row + signs);
    for (const b of bothCases(second)) table[row + b] = 1;
    if (second === "i") for (const b of bothCases("y")) table[row + b] = 1;
  }
}

function bothCases(letter: string): readonly number[] {
  return [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0)).filter((code) => code < signs);
}

/** Whether a word of ASCII with this first and second code may have one of the stems. */
export function mayHave(table: FirstLetters, first: number, second: number): boolean {
  return table[first * signs + second] === 1;
}

const inWords = new Uint8Array(signs);
for (const [from, to] of ["09", "AZ", "az"]) inWords.fill(1, from?.charCodeAt(0), (to?.charCodeAt(0) ?? 0) + 1);

/** A letter or digit of ASCII, or anything that is no ASCII. */
export function isWordCode(code: number): boolean {
  return code >= signs || inWords[code] === 1;
}
