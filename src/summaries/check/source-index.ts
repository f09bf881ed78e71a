import { sharedKeys } from "../../text/word-keys.ts";
import { squashed, wordPattern } from "./items.ts";
import { itemsOf, partsOf, segmentsOf } from "./line-items.ts";
import { numberWord } from "./dates-and-numbers.ts";
import {
  contextOf,
  keysOfWords,
  longestBeginning,
  pairKey,
  pairsOf,
  runsOf,
  withoutLength,
  wordKey,
} from "./source-words.ts";

/** A number that occurs in more lines than this counts as near everything. */
const mostLines = 200;
/** An index of what the sources contain. Built in linear time; lookup time does not depend on the length of the sources. */
export class SourceIndex {
  /**
   * Keys of items, and of words: `w` without inflection, `l` letters of up to four consecutive words, `b` beginnings of names, `i` initials of
   * words, `p` two words, `k` Katakana, `h` one or two other East Asian characters, `s` path segments.
   */
  readonly #keys = new Set<string>();
  /** The lines in which each number and date occurs. A date is stored as `d03-15`, and also with its year as `d2026 03-15`, or `d 03-15` if it has none. */
  readonly #places = new Map<string, number[]>();
  /** For each line, its context words and the index of the heading above it. */
  readonly #lines: { readonly context: ReadonlySet<string>; readonly heading: number }[] = [];

  constructor(sources: readonly string[]) {
    // An empty line between sources, so that lines of different sources are not neighbors.
    const gap = { context: new Set<string>(), heading: -1 };
    for (const source of sources) {
      this.#lines.push(gap);
      let heading = -1;
      for (const raw of source.split(/\r\n|[\n\r\u2028\u2029]/u)) {
        const line = raw.normalize("NFKC");
        const at = this.#lines.length;
        if (line.startsWith("#")) heading = at;
        this.#lines.push({ context: contextOf(line), heading });
        for (const { keys } of itemsOf(line, "text")) for (const key of keys) this.#addItem(key, at);
        this.#addNumbers(line, at);
        for (const key of keysOfWords(line)) this.#keys.add(key);
      }
      this.#lines.push(gap);
    }
  }

  #addItem(key: string, at: number): void {
    const value = key.slice(1);
    if (key.startsWith("n")) this.#place(key, at);
    else if (key.startsWith("d")) this.#addDate(value, at);
    else if (key.startsWith("v")) this.#addVersion(value, at);
    else if (key.startsWith("s")) this.#addSegments(value);
    else this.#keys.add(key.startsWith("c") ? `c${squashed(value)}` : key);
    if (key.startsWith("r")) for (const number of value.split("..")) this.#place(`n${number}`, at);
  }

  /** Adds numbers written as words and numbers within codes and names: `runner-3` is runner 3, `3.9.x` is 3.9. */
  #addNumbers(line: string, at: number): void {
    for (const [word] of [...line.matchAll(wordPattern), ...line.matchAll(/둘|셋|넷/gu)]) {
      const value = numberWord(word) ?? numberWord(word.split("-", 1)[0] ?? "");
      if (value !== undefined) this.#place(`n${value}`, at);
    }
    const within = /(?<![\d.])(\d{1,5}\.\d{1,5})\.[xX*]|(?<![A-Za-z])[A-Za-z]{1,20}[-_]?(\d{1,9})(?!\d)/gu;
    for (const [, version, digits] of line.matchAll(within)) this.#place(`n${Number(version ?? digits)}`, at);
  }

  #addDate(date: string, at: number): void {
    const { year, rest } = yearApart(date);
    const [, month, day] = /^(\d\d)-(\d\d)$/u.exec(rest) ?? [];
    for (const one of month === undefined ? [rest] : [rest, `m${month}`]) {
      this.#place(`d${one}`, at);
      this.#place(`d${year} ${one}`, at);
    }
    if (day !== undefined) this.#keys.add(`o${Number(day)}`);
    // Sunday is 7.
    if (day !== undefined && year !== "") this.#keys.add(`e${new Date(`${year}-${rest}T00:00:00Z`).getUTCDay() || 7}`);
  }

  #addVersion(version: string, at: number): void {
    const parts = version.split(".");
    for (let count = 1; count <= parts.length; count++) this.#keys.add(`v${parts.slice(0, count).join(".")}`);
    for (const number of [parts[0], parts.slice(0, 2).join(".")]) this.#place(`n${Number(number)}`, at);
  }

  #addSegments(path: string): void {
    const segments = segmentsOf(path);
    for (const [index, segment] of segments.entries()) {
      const dot = segment.lastIndexOf(".");
      this.#keys.add(`s${segment}`).add(`s${dot < 2 ? segment : segment.slice(0, dot)}`);
      if (index > 0) this.#keys.add(`s${segments[index - 1]}/${segment}`);
    }
  }

  #place(key: string, at: number): void {
    const lines = this.#places.get(key);
    if (lines === undefined) this.#places.set(key, [at]);
    else if (lines.length <= mostLines && lines.at(-1) !== at) lines.push(at);
  }

  /** Whether the sources contain the item with this key. Days and small numbers must occur near `context`. */
  has(key: string, context: ReadonlySet<string>): boolean {
    if (this.#keys.has(key)) return true;
    const value = key.slice(1);
    switch (key[0]) {
      case "n":
        return isOrdinary(Number(value)) ? this.#isNear(key, context) : this.#places.has(key);
      case "r":
        return value.split("..").every((number) => this.#isNear(`n${number}`, context));
      case "d":
        return this.#hasDate(value, context);
      case "v":
        return this.#places.has(`n${Number(value)}`);
      case "s":
        return this.#hasSegments(value);
      case "c":
        return this.#hasCode(value);
      case "w":
        return this.#hasName(value);
      case "k":
        return this.#hasKatakana(value);
      case "h":
        return this.#hasCharacters(value);
      case "q":
        return this.#hasQuote(value);
      default:
        return false;
    }
  }

  /** Whether a number or date is in or next to a line that shares a word with `context`, or below such a heading. With an empty context, it may be anywhere. */
  #isNear(key: string, context: ReadonlySet<string>): boolean {
    const lines = this.#places.get(key);
    if (lines === undefined) return false;
    if (context.size === 0 || lines.length > mostLines) return true;
    const around = lines.flatMap((line) => [line, line - 1, line + 1, this.#lines[line]?.heading ?? -1]);
    return around.some((line) => sharedKeys(context, this.#lines[line]?.context ?? new Set()) > 0);
  }

  /**
   * Whether the sources contain a day or month, either without a year or with the same year; any year matches a key without one. A day must occur
   * near `context` or date the lines below it.
   */
  #hasDate(date: string, context: ReadonlySet<string>): boolean {
    const { year, rest } = yearApart(date);
    const keys = year === "" ? [`d${rest}`] : [`d${year} ${rest}`, `d ${rest}`];
    if (rest.startsWith("m")) return keys.some((key) => this.#places.has(key));
    return keys.some((key) => this.#places.get(key)?.some((at) => this.#isDate(at)) || this.#isNear(key, context));
  }

  /** Whether a line dates the lines below it: a heading, or a line with little more than a date. */
  #isDate(at: number): boolean {
    const line = this.#lines[at];
    return line?.heading === at || (line?.context.size ?? 0) < 4;
  }

  /** Whether the parts of a path occur in this order in paths of the sources; `…` may stand for omitted parts. */
  #hasSegments(path: string): boolean {
    const isGap = (segment: string | undefined): boolean => segment === undefined || /^[.…*]+$/u.test(segment);
    return segmentsOf(path).every((segment, at, all) => {
      const previous = all[at - 1];
      if (isGap(segment)) return true;
      const known = isGap(previous) ? segment : `${previous}/${segment}`;
      return this.#keys.has(`s${known}`) || this.#keys.has(`l${squashed(known)}`);
    });
  }

  /** Whether the sources contain an identifier in any spelling (`due_on`, `dueOn`, due on), or all its parts. */
  #hasCode(code: string): boolean {
    const hasLetters = (part: string): boolean => this.#keys.has(`l${squashed(part)}`);
    const parts = partsOf(code);
    return hasLetters(code) || this.#keys.has(`c${squashed(code)}`) || (parts.length > 1 && parts.every(hasLetters));
  }

  /** Whether the text contains a name: inflected, as a part or the beginning of a longer name, in a shorter form, or as the words it abbreviates. */
  #hasName(name: string): boolean {
    const hasWord = (word: string): boolean => this.#keys.has(`w${wordKey(word)}`);
    const lower = name.toLowerCase().replace(/['’]s?$/u, "");
    if (hasWord(name) || this.#keys.has(`l${squashed(lower)}`) || this.#keys.has(`b${lower}`)) return true;
    if (/^\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(name) && this.#keys.has(`i${lower.replace(/s$/u, "")}`)) return true;
    if (name.includes("-") && name.split("-").every(hasWord)) return true;
    for (let length = Math.max(5, lower.length - 5); length < Math.min(lower.length, longestBeginning); length++)
      if (this.#keys.has(`l${lower.slice(0, length)}`)) return true;
    return false;
  }

  /** Whether the text contains a run of Katakana, either whole or as two runs. */
  #hasKatakana(run: string): boolean {
    const has = (part: string): boolean => this.#keys.has(`k${withoutLength(part)}`);
    if (has(run)) return true;
    for (let at = 2; at < run.length - 1; at++) if (has(run.slice(0, at)) && has(run.slice(at))) return true;
    return false;
  }

  /** Whether the text contains every pair of characters of a name. */
  #hasCharacters(name: string): boolean {
    if (/^[\p{Script=Katakana}ー]+$/u.test(name)) return this.#hasKatakana(name);
    const signs = name.replaceAll(/\s/gu, "");
    return signs.length > 1 && pairsOf(signs).every((pair) => this.#keys.has(`h${pair}`));
  }

  /** Whether the text contains at least half of a quotation's word pairs, or of its character pairs. */
  #hasQuote(text: string): boolean {
    const isMost = (keys: readonly string[]): boolean =>
      keys.filter((key) => this.#keys.has(key)).length * 2 >= keys.length;
    const characters = (text.match(/[\p{Script=Han}\p{Script=Hangul}]{2,}/gu) ?? []).flatMap(pairsOf);
    if (characters.length > 3) return isMost(characters.map((pair) => `h${pair}`));
    const words = runsOf(text);
    return words.length < 4 || isMost(words.slice(1).map((word, at) => pairKey(words[at] ?? "", word)));
  }
}

/** Whether a number is so common that it must occur near related words. */
function isOrdinary(value: number): boolean {
  return Number.isInteger(value) && value < 1000;
}

function yearApart(date: string): { readonly year: string; readonly rest: string } {
  const [, year = "", rest = date] = /^(\d{4})-(.+)$/u.exec(date) ?? [];
  return { year, rest };
}
