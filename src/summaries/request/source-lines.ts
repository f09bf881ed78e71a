import type { Passage } from "../../base/passage.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";

/** What a passage is worth, larger is more. */
export type PassageWorth = (passage: Passage) => number;

/** The worth of passages by their place in a ranking, the first being worth most: of what is told between 1 and 2, of a topic, which names many lines, and of entities up to 0.5. */
export function worthByRank(ranked: readonly Passage[]): PassageWorth {
  const worth = new Map<string, number>();
  ranked.forEach((passage, index) => {
    const key = keyOf(passage);
    const place = (ranked.length - index) / ranked.length;
    if (!worth.has(key)) worth.set(key, isBroad(passage) ? place / 2 : 1 + place);
  });
  return (passage) => (passage.role === "preserved" ? worthOfPreserved : (worth.get(keyOf(passage)) ?? worthOfOthers));
}

/** The program writes the words of such an entry; a model reads them only to understand the rest. */
const worthOfPreserved = 0.25;
/** What was merged into something else. */
const worthOfOthers = 0.3;

function isBroad({ role }: Passage): boolean {
  return role === "topic" || role === "entity" || role === "preserved";
}

/** A topic gets other keywords where it is merged; what is told of one keeps its words. */
function keyOf({ role, topic, text }: Passage): string {
  return role === "topic" || role === "entity" ? `${role}\n${topic}` : `${role}\n${text}`;
}

/** Lines with the worth of the best passage that they are a part of; a heading is worth as much as the best line below it. */
export function weighLines(
  lines: readonly SourceTextLine[],
  passages: readonly Passage[],
  worthOf: PassageWorth,
): readonly SourceTextLine[] {
  const weights = new Float64Array(lines.length);
  const byLog = placesByLog(lines);
  for (const passage of passages) {
    const worth = worthOf(passage);
    for (const { log, from, to } of passage.refs) {
      const places = byLog.get(log) ?? [];
      for (let at = firstFrom(places, from); at < places.length && (places[at]?.line ?? 0) <= to; at++) {
        const index = places[at]?.index ?? 0;
        weights[index] = Math.max(weights[index] ?? 0, worth);
      }
    }
  }
  return withHeadings(lines.map((line, index) => ({ ...line, weight: weights[index] ?? 0 })));
}

/** A heading is worth as much as the best line below it. */
export function withHeadings(lines: readonly SourceTextLine[]): readonly SourceTextLine[] {
  let most = 0;
  const weighed: SourceTextLine[] = [];
  for (const line of lines.toReversed()) {
    const isHeading = line.text.startsWith("#");
    weighed.push(isHeading ? { ...line, weight: most } : line);
    most = isHeading ? 0 : Math.max(most, line.weight ?? 0);
  }
  return weighed.reverse();
}

interface Place {
  readonly log: string;
  readonly line: number;
  readonly index: number;
}

function placesByLog(lines: readonly SourceTextLine[]): ReadonlyMap<string, readonly Place[]> {
  const places = lines.flatMap(({ refs: [ref] }, index): readonly Place[] =>
    ref === undefined ? [] : [{ log: ref.log, line: ref.from, index }],
  );
  return Map.groupBy(
    places.toSorted((a, b) => a.line - b.line || a.index - b.index),
    ({ log }) => log,
  );
}

/** The index of the first place at or behind a line. */
function firstFrom(places: readonly Place[], line: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lines of sources as they come, the heaviest of them in bounded memory. */
export class CollectedLines {
  readonly #mostBytes: number;
  #lines: { readonly name: string; readonly line: SourceTextLine }[] = [];
  #bytes = 0;
  #leftOut = 0;

  /** `mostBytes`: of the texts that are held; up to twice as many for a while. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** `name`: the part of the sources that they belong to. */
  add(name: string, lines: readonly SourceTextLine[]): void {
    for (const line of lines) {
      this.#lines.push({ name, line });
      this.#bytes += bytesOf(line);
    }
    if (this.#bytes > this.#mostBytes * 2) this.#thinOut();
  }

  /** Lines that were not kept. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** The parts in the order in which they came, each with its lines in their order. */
  sources(): readonly SourceText[] {
    if (this.#bytes > this.#mostBytes) this.#thinOut();
    const parts = Map.groupBy(this.#lines, ({ name }) => name);
    return Array.from(parts, ([name, own]): SourceText => ({ name, lines: own.map(({ line }) => line) }));
  }

  #thinOut(): void {
    const sizes = this.#lines.map(({ line }) => bytesOf(line));
    const kept = heaviest(
      this.#lines.map(({ line }) => line),
      { sizes, room: this.#mostBytes },
    );
    this.#leftOut += this.#lines.length - kept.size;
    this.#lines = this.#lines.filter((_, at) => kept.has(at));
    this.#bytes = sizes.reduce((sum, size, at) => (kept.has(at) ? sum + size : sum), 0);
  }
}

/** The indices of the heaviest lines that fit, of equal ones the first. */
function heaviest(
  lines: readonly SourceTextLine[],
  { sizes, room }: { readonly sizes: readonly number[]; readonly room: number },
): ReadonlySet<number> {
  const order = lines.map((_, at) => at).sort((a, b) => weightOf(lines[b]) - weightOf(lines[a]) || a - b);
  const kept = new Set<number>();
  let left = room;
  for (const at of order) {
    const size = sizes[at] ?? 0;
    if (size > left) continue;
    left -= size;
    kept.add(at);
  }
  return kept;
}

function weightOf(line: SourceTextLine | undefined): number {
  return line?.weight ?? 0;
}

/** What a line takes besides its text: about what its objects take. */
const perLine = 100;

function bytesOf({ text }: SourceTextLine): number {
  return text.length + perLine;
}

interface FittedSources {
  readonly sources: readonly SourceText[];
  /** Lines that did not fit. */
  readonly leftOut: number;
}

/** The line above the lines of a part. */
function headingOfSource(name: string): string {
  return `== ${name} ==`;
}

/** A line as it is sent; of a message of a thread with its seq. */
export function printSourceLine({ seq, text }: SourceTextLine): string {
  return seq === undefined ? text : `#${seq} ${text}`;
}

/**
 * As many lines of the sources as so many tokens hold, their names included: an equal share for each part, what short ones leave goes to long ones; of a part the
 * lines of the greatest weight, of equal ones the first, in their order. Each line is counted once. The printed text never counts more than `tokens`.
 */
export function fitSources(
  sources: readonly SourceText[],
  tokens: number,
  count: (text: string) => number,
): FittedSources {
  const counted = sources.map((source): CountedSource => ({
    source,
    costs: source.lines.map((line) => count(`${printSourceLine(line)}\n`)),
    head: count(`${headingOfSource(source.name)}\n`),
  }));
  const all = sources.reduce((sum, { lines }) => sum + lines.length, 0);
  // Tokens may reach over a line end, so that lines together can count more than one by one.
  for (let room = tokens; room > 0;) {
    const fitted = choose(counted, room);
    const over = count(printSources(fitted)) - tokens;
    if (over <= 0) return { sources: fitted, leftOut: all - fitted.reduce((sum, { lines }) => sum + lines.length, 0) };
    room -= over;
  }
  return { sources: [], leftOut: all };
}

/** The sources as one text, each below a line with its name. */
export function printSources(sources: readonly SourceText[]): string {
  return sources
    .flatMap(({ name, lines }) => [headingOfSource(name), ...lines.map(printSourceLine)])
    .map((line) => `${line}\n`)
    .join("");
}

/** The texts of all lines, in their order. */
export function* textsOf(sources: readonly SourceText[]): Generator<string> {
  for (const { lines } of sources) for (const { text } of lines) yield text;
}

const mark = /^(?! {4})(?=[^\S\n]*<[^\S\n]*\/?[^\S\n]*sources\b)/gimu;

/** A text in which the lines that look like the marks around the sources are indented. Doing it twice changes nothing. */
export function withoutMarks(text: string): string {
  return text.replaceAll(mark, "    ");
}

interface CountedSource {
  readonly source: SourceText;
  readonly costs: readonly number[];
  readonly head: number;
}

function choose(counted: readonly CountedSource[], tokens: number): readonly SourceText[] {
  const order = counted
    .map((one, index) => ({ one, index, needs: one.head + sum(one.costs) }))
    .filter(({ one }) => one.costs.length > 0)
    .toSorted((a, b) => a.needs - b.needs || a.index - b.index);
  const chosen = new Map<number, SourceText>();
  let left = tokens;
  for (const [done, { one, index, needs }] of order.entries()) {
    const { source, costs, head } = one;
    const share = Math.floor(left / (order.length - done));
    const kept = needs <= share ? undefined : heaviest(source.lines, { sizes: costs, room: share - head });
    if (kept?.size === 0) continue;
    const isKept = (_: unknown, at: number): boolean => kept === undefined || kept.has(at);
    chosen.set(index, { ...source, lines: source.lines.filter(isKept) });
    left -= head + sum(costs.filter(isKept));
  }
  return counted.flatMap((_, index) => chosen.get(index) ?? []);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
