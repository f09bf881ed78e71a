/** A number, date, name or similar in a line that should also be in the sources. */
export interface Item {
  readonly kind:
    | "number"
    | "date"
    | "time"
    | "weekday"
    | "identifier"
    | "version"
    | "path"
    | "address"
    | "name"
    | "quote";
  readonly shown: string;
  /**
   * The keys to look up; one match is enough. The first letter is the kind: `n` a number, `r` a range, `d` a date, `o` a day of a month, `e` a
   * weekday, `t` a time, `v` a version, `c` a code, `s` a path, `w`, `k` and `h` a name in Latin letters, Katakana and other scripts, `q` a
   * quotation.
   */
  readonly keys: readonly string[];
}

/** A line that is read in steps. Text matched by one step is hidden from later ones. */
export class Reading {
  readonly items: Item[] = [];
  /** The line with matched text blanked out, so its length stays the same. */
  rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  /** Passes each match to `read`, which returns the item, or `null` to leave the text to later steps. */
  take(pattern: RegExp, read: (match: RegExpExecArray) => Item | null): void {
    const pieces: string[] = [];
    let from = 0;
    for (const match of this.rest.matchAll(pattern)) {
      const item = read(match);
      if (item === null) continue;
      this.items.push(item);
      pieces.push(this.rest.slice(from, match.index), filler.repeat(match[0].length));
      from = match.index + match[0].length;
    }
    if (from > 0) this.rest = pieces.join("") + this.rest.slice(from);
  }
}

/** Replaces matched text. Never part of a word. */
const filler = "\u0001";

/** A word in a script that separates words with spaces. */
export const wordPattern =
  /[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]][[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]*(?:['’\-][\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]+)*/gv;

export function squashed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
