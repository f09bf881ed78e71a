import type { Item } from "./items.ts";
import { squashed, wordPattern } from "./items.ts";
import { itemsOf, partsOf, segmentsOf } from "./line-items.ts";
import { numberWord } from "./numbers.ts";
import { contextOf, TextKeys } from "./source-words.ts";

/** A number in more lines than this counts as being everywhere. */
const mostLines = 200;

/** What the sources contain, made once: linear in their length. Its questions take time that does not depend on it. */
export class SourceIndex {
  readonly keys = new Set<string>();
  /** Words as they are compared, beginnings of names, and letters of words that follow one another. */
  readonly text = new TextKeys();
  readonly #numbers = new Map<string, number[]>();
  /** Day or month without its year, then year, then lines. */
  readonly #days = new Map<string, Map<string, number[]>>();
  /** Of each line what it speaks of, and the line of the heading above it. */
  readonly #lines: { readonly context: ReadonlySet<string>; readonly heading: number }[] = [];

  constructor(sources: readonly string[]) {
    // A line without words keeps the neighbours of two sources apart.
    const gap = { context: new Set<string>(), heading: -1 };
    for (const source of sources) {
      this.#lines.push(gap);
      let heading = -1;
      for (const raw of source.split(/\r\n|[\n\r\u2028\u2029]/u)) {
        const line = raw.normalize("NFKC");
        const at = this.#lines.length;
        if (line.startsWith("#")) heading = at;
        this.#lines.push({ context: contextOf(line), heading });
        this.#addLine(line, at);
      }
      this.#lines.push(gap);
    }
  }

  #addLine(line: string, at: number): void {
    for (const item of itemsOf(line, "text")) this.#addItem(item, at);
    this.text.add(line);
    const words = [...line.matchAll(wordPattern), ...line.matchAll(/둘|셋|넷/gu)];
    for (const [word] of words) {
      const value = numberWord(word) ?? numberWord(word.split("-", 1)[0] ?? "");
      if (value !== undefined) this.#addNumber(value, at);
    }
    for (const [, version] of line.matchAll(/(?<![\d.])(\d{1,5}\.\d{1,5})\.[xX*]/gu)) this.#addNumber(version, at);
    // Also the numbers within codes, dates and words: `runner-3` is runner 3.
    for (const [digits] of line.matchAll(/\d{1,15}/gu)) if (digits.length < 15) this.keys.add(`r${Number(digits)}`);
    for (const [, digits] of line.matchAll(/(?<![A-Za-z])[A-Za-z]{1,20}[-_]?(\d{1,9})(?!\d)/gu))
      this.#addNumber(digits, at);
  }

  #addItem({ kind, keys, shown }: Item, at: number): void {
    for (const key of keys) {
      if (kind === "number") this.#addNumber(key.slice(1), at);
      else if (kind === "date") this.#addDate(key, at);
      else if (kind === "version") this.#addVersion(key.slice(1), at);
      else this.keys.add(key);
    }
    if (kind !== "path" && kind !== "address") return;
    const segments = segmentsOf(shown);
    for (const [index, segment] of segments.entries()) {
      const dot = segment.lastIndexOf(".");
      this.keys.add(`s${segment}`).add(`s${dot < 2 ? segment : segment.slice(0, dot)}`);
      if (index > 0) this.keys.add(`s${segments[index - 1]}/${segment}`);
    }
  }

  #addNumber(value: number | string | undefined, at: number): void {
    addLine(this.#numbers, `n${Number(value)}`, at);
  }

  #addDate(key: string, at: number): void {
    if (key.startsWith("n")) this.#addNumber(key.slice(1), at);
    else if (key.includes("..")) {
      for (const number of key.split("..")) this.#addNumber(number, at);
      this.keys.add(key);
    } else {
      const { year, rest } = yearApart(key);
      this.#addDay(rest, year, at);
      const [, month, day] = /^(\d\d)-(\d\d)$/u.exec(rest) ?? [];
      if (month === undefined) return;
      this.#addDay(`m${month}`, year, at);
      this.#addDay(`o${Number(day)}`, year, at);
      // Sunday is 7.
      if (year !== "") this.keys.add(`d${new Date(`${year}-${rest}T00:00:00Z`).getUTCDay() || 7}`);
    }
  }

  #addDay(key: string, year: string, at: number): void {
    const years = this.#days.get(key) ?? new Map<string, number[]>();
    this.#days.set(key, years);
    addLine(years, year, at);
  }

  #addVersion(version: string, at: number): void {
    const parts = version.split(".");
    for (let count = 1; count <= parts.length; count++) this.keys.add(`v${parts.slice(0, count).join(".")}`);
    this.#addNumber(parts[0], at);
    if (parts.length > 1) this.#addNumber(`${parts[0]}.${parts[1]}`, at);
  }

  /** Whether a number is in a line, or beside one or below a heading, that shares a word with `context`; without words anywhere. */
  hasNumber(key: string, context: ReadonlySet<string>, near: "near" | "anywhere"): boolean {
    const lines = this.#numbers.get(key);
    if (lines === undefined) return false;
    if (near === "anywhere" || context.size === 0 || lines.length > mostLines) return true;
    return lines.some((line) => this.#shares(line, context));
  }

  #shares(line: number, context: ReadonlySet<string>): boolean {
    return [line, line - 1, line + 1, this.#lines[line]?.heading ?? -1].some((one) => {
      const words = this.#lines[one]?.context;
      if (words === undefined) return false;
      for (const word of context) if (words.has(word)) return true;
      return false;
    });
  }

  /** Whether the sources have a day or month, without a year or with the same unless the key has none, where they speak of `context`, or as the date of what follows. */
  hasDate(key: string, context: ReadonlySet<string>): boolean {
    if (key.startsWith("n")) return this.hasNumber(key, context, "anywhere");
    if (key.includes(".."))
      return (
        this.keys.has(key) || key.split("..").every((number) => this.hasNumber(`n${Number(number)}`, context, "near"))
      );
    const { year, rest } = yearApart(key);
    const years = this.#days.get(rest);
    if (years === undefined) return false;
    if (rest.startsWith("m")) return year === "" || years.has("") || years.has(year);
    return [...years].some(
      ([one, lines]) =>
        (year === "" || one === "" || one === year) &&
        (context.size === 0 ||
          lines.length > mostLines ||
          lines.some((line) => this.#dates(line) || this.#shares(line, context))),
    );
  }

  /** Whether a line is the date of what follows: a heading, or hardly more than a date. */
  #dates(at: number): boolean {
    const line = this.#lines[at];
    return line?.heading === at || (line?.context.size ?? 0) < 4;
  }

  hasDayOfMonth(day: number): boolean {
    return this.#days.has(`o${day}`);
  }

  /** Whether the parts of a path follow one another in paths of the sources; `…` may replace parts that are left out. */
  hasSegments(shown: string): boolean {
    const isGap = (segment: string | undefined): boolean => segment === undefined || /^[.…*]+$/u.test(segment);
    return segmentsOf(shown).every((segment, at, all) => {
      const previous = all[at - 1];
      if (isGap(segment)) return true;
      const [path, letters] = isGap(previous)
        ? [segment, segment]
        : [`${previous}/${segment}`, `${previous}${segment}`];
      return this.keys.has(`s${path}`) || this.text.hasLetters(squashed(letters));
    });
  }

  /** Whether the sources have an identifier, in whatever spelling (`due_on`, `dueOn`, due on), or all its parts. */
  hasCode(shown: string): boolean {
    const whole = squashed(shown);
    if (this.text.hasLetters(whole) || this.keys.has(`c${whole}`)) return true;
    if (/^[\da-f]{7,64}$/u.test(whole) && this.text.hasHash(whole)) return true;
    const parts = partsOf(shown);
    if (parts.length > 1 && parts.every((part) => this.text.hasLetters(squashed(part)))) return true;
    const percentile = /^p(\d\d)$/iu.exec(shown)?.[1];
    if (percentile === undefined || !this.text.hasWord("percentile")) return false;
    return this.#numbers.has(`n${percentile}`) || this.keys.has(`r${percentile}`);
  }
}

function addLine(places: Map<string, number[]>, key: string, line: number): void {
  const lines = places.get(key);
  if (lines === undefined) places.set(key, [line]);
  else if (lines.length <= mostLines && lines.at(-1) !== line) lines.push(line);
}

function yearApart(key: string): { readonly year: string; readonly rest: string } {
  const [, year = "", rest = key] = /^(\d{4})-(.+)$/u.exec(key) ?? [];
  return { year, rest };
}
