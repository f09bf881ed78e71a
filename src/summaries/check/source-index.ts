import { itemsOf, partsOf, segmentsOf } from "./line-items.ts";
import { squashed, wordPattern, type Item } from "./items.ts";
import { numberWord } from "./numbers-and-dates.ts";
import { contextOf, TextKeys } from "./source-words.ts";

/** A number in more lines than this stands everywhere. */
const mostLines = 200;

/** What the sources contain, made once: linear in their length. Its questions take time that does not depend on it. */
export class SourceIndex {
  readonly keys = new Set<string>();
  /** Words as they are compared, beginnings of names, and letters of words that follow one another. */
  readonly text = new TextKeys();
  readonly #numbers = new Map<string, number[]>();
  /** Day or month without its year, then year, then lines. */
  readonly #days = new Map<string, Map<string, number[]>>();
  readonly #contexts: ReadonlySet<string>[] = [];
  readonly #headings: number[] = [];

  constructor(sources: readonly string[]) {
    for (const source of sources) this.#addSource(source);
  }

  #addSource(source: string): void {
    let heading = -1;
    // A line without words keeps the neighbours of two sources apart.
    this.#contexts.push(new Set());
    this.#headings.push(-1);
    for (const raw of source.split(/\r\n|[\n\r\u2028\u2029]/u)) {
      const line = raw.normalize("NFKC");
      const at = this.#contexts.length;
      if (line.startsWith("#")) heading = at;
      this.#contexts.push(contextOf(line));
      this.#headings.push(heading);
      this.#addLine(line, at);
    }
    this.#contexts.push(new Set());
    this.#headings.push(-1);
  }

  #addLine(line: string, at: number): void {
    for (const item of itemsOf(line, "text")) this.#addItem(item, at);
    this.text.add(line);
    for (const [word] of line.matchAll(wordPattern)) {
      const value = numberWord(word) ?? numberWord(word.split("-", 1)[0] ?? "");
      if (value !== undefined) this.#addNumber(`n${value}`, at);
    }
    for (const [word] of line.matchAll(/둘|셋|넷/gu)) this.#addNumber(`n${numberWord(word) ?? 0}`, at);
    for (const [, version] of line.matchAll(/(?<![\d.])(\d{1,5}\.\d{1,5})\.[xX*]/gu))
      this.#addNumber(`n${Number(version)}`, at);
    // Also the numbers within codes, dates and words: `runner-3` is runner 3.
    for (const [digits] of line.matchAll(/\d{1,15}/gu)) {
      if (digits.length < 15) this.keys.add(`r${Number(digits)}`);
    }
    for (const [, letters, digits] of line.matchAll(/(?<![A-Za-z])([A-Za-z]{1,20})[-_]?(\d{1,9})(?!\d)/gu)) {
      if (letters !== undefined) this.#addNumber(`n${Number(digits)}`, at);
    }
  }

  #addItem(item: Item, at: number): void {
    for (const key of item.keys) {
      if (item.kind === "number") this.#addNumber(key, at);
      else if (item.kind === "date") this.#addDate(key, at);
      else if (item.kind === "version") this.#addVersion(key, at);
      else this.keys.add(key);
    }
    if (item.kind === "path" || item.kind === "address") this.#addSegments(item);
  }

  #addNumber(key: string, at: number): void {
    addLine(this.#numbers, key, at);
  }

  #addDate(key: string, at: number): void {
    if (key.startsWith("n")) {
      this.#addNumber(key, at);
      return;
    }
    const range = /^(\d+)\.\.(\d+)$/u.exec(key);
    if (range !== null) {
      this.#addNumber(`n${Number(range[1])}`, at);
      this.#addNumber(`n${Number(range[2])}`, at);
      this.keys.add(key);
      return;
    }
    const { year, rest } = yearApart(key);
    addTo(this.#days, rest, year, at);
    const month = /^(\d\d)-(\d\d)$/u.exec(rest);
    if (month === null) return;
    addTo(this.#days, `m${month[1]}`, year, at);
    addTo(this.#days, `o${Number(month[2])}`, year, at);
    if (year !== "") this.keys.add(`d${weekdayOf(Number(year), Number(month[1]), Number(month[2]))}`);
  }

  #addVersion(key: string, at: number): void {
    const parts = key.slice(1).split(".");
    for (let count = 1; count <= parts.length; count++) this.keys.add(`v${parts.slice(0, count).join(".")}`);
    this.#addNumber(`n${Number(parts[0])}`, at);
    if (parts.length > 1) this.#addNumber(`n${Number(`${parts[0]}.${parts[1]}`)}`, at);
  }

  #addSegments(item: Item): void {
    const segments = segmentsOf(item.shown);
    for (const [at, segment] of segments.entries()) {
      this.keys.add(`s${segment}`);
      if (at > 0) this.keys.add(`s${segments[at - 1]}/${segment}`);
      this.keys.add(`s${stemOfFile(segment)}`);
    }
  }

  /** Whether a number stands in a line, or beside one or below a heading, that shares a word with `context`; without words anywhere. */
  hasNumber(key: string, context: ReadonlySet<string>, near: "near" | "anywhere"): boolean {
    const lines = this.#numbers.get(key);
    if (lines === undefined) return false;
    if (near === "anywhere" || context.size === 0 || lines.length > mostLines) return true;
    return lines.some((line) => this.#shares(line, context));
  }

  #shares(line: number, context: ReadonlySet<string>): boolean {
    const heading = this.#headings[line] ?? -1;
    for (const one of [line, line - 1, line + 1, heading]) {
      const words = this.#contexts[one];
      if (words === undefined) continue;
      for (const word of context) if (words.has(word)) return true;
    }
    return false;
  }

  /** Whether a day or month stands, without a year or with the same unless the key has none, where the sources speak of `context`, or as the date of what follows. */
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
  #dates(line: number): boolean {
    return this.#headings[line] === line || (this.#contexts[line]?.size ?? 0) < 4;
  }

  hasDayOfMonth(day: number): boolean {
    return this.#days.has(`o${day}`);
  }

  /** Whether the parts of a path follow one another in paths of the sources; `…` may stand for parts that are left out. */
  hasSegments(shown: string): boolean {
    const segments = segmentsOf(shown);
    const known = (segment: string): boolean => this.keys.has(`s${segment}`) || this.text.hasLetters(squashed(segment));
    return segments.every((segment, at) => {
      if (/^[.…*]+$/u.test(segment)) return true;
      const previous = segments[at - 1];
      if (previous === undefined || /^[.…*]+$/u.test(previous)) return known(segment);
      return this.keys.has(`s${previous}/${segment}`) || this.text.hasLetters(squashed(`${previous}${segment}`));
    });
  }

  /** Whether an identifier stands in the sources, in whatever spelling (`due_on`, `dueOn`, due on), or all its parts do. */
  hasCode(shown: string): boolean {
    const whole = squashed(shown);
    if (this.text.hasLetters(whole) || this.keys.has(`c${whole}`)) return true;
    if (/^[\da-f]{7,64}$/u.test(whole) && this.text.hasHash(whole)) return true;
    const parts = partsOf(shown);
    if (parts.length > 1 && parts.every((part) => this.text.hasLetters(squashed(part)))) return true;
    const percentile = /^p(\d\d)$/iu.exec(shown);
    return (
      percentile !== null &&
      this.text.hasWord("percentile") &&
      (this.#numbers.has(`n${percentile[1]}`) || this.keys.has(`r${percentile[1]}`))
    );
  }
}

function addTo(days: Map<string, Map<string, number[]>>, key: string, year: string, line: number): void {
  const years = days.get(key) ?? new Map<string, number[]>();
  days.set(key, years);
  addLine(years, year, line);
}

function addLine(places: Map<string, number[]>, key: string, line: number): void {
  const lines = places.get(key);
  if (lines === undefined) places.set(key, [line]);
  else if (lines.length <= mostLines && lines.at(-1) !== line) lines.push(line);
}

function yearApart(key: string): { readonly year: string; readonly rest: string } {
  const match = /^(\d{4})-(.+)$/u.exec(key);
  return match === null ? { year: "", rest: key } : { year: match[1] ?? "", rest: match[2] ?? "" };
}

function stemOfFile(segment: string): string {
  const dot = segment.lastIndexOf(".");
  return dot < 2 ? segment : segment.slice(0, dot);
}

/** Monday is 1, by Sakamoto's rule. */
function weekdayOf(y: number, m: number, d: number): number {
  const shifted = m < 3 ? y - 1 : y;
  const sunday =
    (shifted +
      Math.floor(shifted / 4) -
      Math.floor(shifted / 100) +
      Math.floor(shifted / 400) +
      [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][m - 1]! +
      d) %
    7;
  return sunday === 0 ? 7 : sunday;
}
