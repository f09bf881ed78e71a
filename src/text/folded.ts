import { listMark } from "../base/markdown.ts";

/** A text as it is compared when something is forgotten: NFKC, without case, white space collapsed. */
export function folded(text: string): string {
  // Upper case first: it maps `ß` and `ς` to what `SS` and `Σ` become.
  return text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll(/\s+/gu, " ").trim();
}

const lead = new RegExp(String.raw`^\s*(?:${listMark}|>\s+|#{1,6}\s+|(?:User|Assistant|System|Tool):\s+|\\)*`, "u");

const types = /\s*\[(?:project|feedback|user|reference)\]\s*$/iu;

/** A line without what heartwood writes: its comments, the day of a log, and the type in a heading. */
function withoutMarks(line: string): string {
  if (line.startsWith("<!-- hw ") || /^# \d{4}-\d\d-\d\d\s*$/u.test(line)) return "";
  return /^#{1,6}\s/u.test(line) ? line.replace(types, "") : line;
}

/** The words of a line: folded, without list marks, heading marks and the speaker. */
export function wordsOfLine(line: string): string {
  return folded(line.replace(lead, ""));
}

/** A shorter text is in too many lines to stand for what is forgotten. */
export const shortestNeedle = 12;

/** Finds texts that are to be forgotten, in any spelling that folds to the same. */
export class Needles {
  readonly #texts: readonly string[];

  /** `texts`: folded. */
  constructor(texts: Iterable<string>) {
    this.#texts = [...new Set(texts)].filter((text) => text !== "");
  }

  get size(): number {
    return this.#texts.length;
  }

  /** Whether a text contains one of them. */
  isIn(text: string): boolean {
    if (this.size === 0 || text === "") return false;
    const whole = folded(text);
    return this.#texts.some((one) => whole.includes(one));
  }

  /** Whether bytes contain one of them, also within JSON strings. Bytes that are not UTF-8 are searched too. */
  isInBytes(bytes: Uint8Array): boolean {
    if (this.size === 0 || bytes.length === 0) return false;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return this.isIn(text) || (text.includes("\\") && this.isIn(unescaped(text)));
  }

  /**
   * The numbers, from 1, of the lines that contain one of them; one that spans several lines counts for each. What heartwood
   * writes around an entry does not count.
   */
  linesIn(given: readonly string[]): ReadonlySet<number> {
    const lines = given.map(withoutMarks);
    const found = new Set<number>();
    if (this.size === 0) return found;
    const starts: number[] = [];
    let whole = "";
    for (const line of lines) {
      starts.push(whole.length);
      const text = folded(line);
      if (text !== "") whole += `${text} `;
    }
    for (const text of this.#texts)
      for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1))
        for (
          let index = lineAt(starts, at);
          index < starts.length && (starts[index] ?? 0) < at + text.length;
          index += 1
        )
          if (folded(lines[index] ?? "") !== "") found.add(index + 1);
    return found;
  }
}

/** The last line that starts at or before a place. */
function lineAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** JSON escapes as the characters that they stand for. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/giu, (_, code?: string, sign?: string) =>
    code === undefined ? (signs[sign ?? ""] ?? sign ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const signs: Readonly<Record<string, string>> = { b: " ", f: " ", n: "\n", r: "\n", t: "\t" };
