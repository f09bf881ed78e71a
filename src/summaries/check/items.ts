/** One thing in a line that its sources should have. */
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
   * Forms under which it is looked up; one that the sources have is enough. The first letter says how: `n` a number, `r` a range, `d` a date, `o` a day of a month,
   * `e` a weekday, `t` a time, `v` a version, `c` a code, `s` a path, `w`, `k` and `h` a name in Latin letters, Katakana and others, `q` a quotation.
   */
  readonly keys: readonly string[];
}

/** A line that is read step by step: what a step has understood, later ones do not see. */
export class Reading {
  readonly items: Item[] = [];
  /** What is left, with as many characters as before. */
  rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  /** Hands each match to `read`, which gives the item, or `null` to leave it to later steps. */
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

/** Replaces what was understood: a letter of no word. */
const filler = "\u0001";

/** Letters of a script whose words are separated by spaces. */
export const wordPattern =
  /[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]][[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]*(?:['’\-][\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]]+)*/gv;

export function squashed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
