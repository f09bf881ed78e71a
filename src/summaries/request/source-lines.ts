import { greatest } from "../../base/lists.ts";
import type { Passage } from "../../base/passage.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";

/** The worth of a passage; higher is more valuable. */
export type PassageWorth = (passage: Passage) => number;

/** For entries whose text the program writes itself; a model reads them only as context. */
const worthOfPreserved = 0.25;
/** For passages that were merged into something else. */
const worthOfOthers = 0.3;

/** The worth of passages by rank, first is highest: between 1 and 2, but at most 0.5 for topics, which name many lines, and for entities. */
export function worthByRank(ranked: readonly Passage[]): PassageWorth {
  const isBroad = ({ role }: Passage): boolean => role === "topic" || role === "entity";
  // Merging may give a topic other keywords; other passages keep their text.
  const keyOf = (passage: Passage): string => `${passage.role}\n${isBroad(passage) ? passage.topic : passage.text}`;
  const worth = new Map<string, number>();
  for (const [index, passage] of [...ranked.entries()].toReversed()) {
    const place = (ranked.length - index) / ranked.length;
    worth.set(keyOf(passage), isBroad(passage) ? place / 2 : 1 + place);
  }
  return (passage) => (passage.role === "preserved" ? worthOfPreserved : (worth.get(keyOf(passage)) ?? worthOfOthers));
}

/** Gives each line the worth of the best passage it belongs to, and each heading the worth of the best line below it. */
export function weighLines(
  lines: readonly SourceTextLine[],
  passages: readonly Passage[],
  worthOf: PassageWorth,
): readonly SourceTextLine[] {
  const places = passages.flatMap((passage) => passage.refs.map((ref) => ({ ...ref, worth: worthOf(passage) })));
  const byLog = Map.groupBy(places, ({ log }) => log);
  const weighed = lines.map((line) => {
    const [place] = line.refs;
    const around = place === undefined ? [] : (byLog.get(place.log) ?? []);
    const own = around.filter(({ from, to }) => place !== undefined && from <= place.from && place.from <= to);
    return { ...line, weight: greatest([0, ...own.map(({ worth }) => worth)]) };
  });
  return withHeadings(weighed);
}

/** Gives each heading the weight of the best line below it. */
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

/** Collects lines of logs in bounded memory: lines beyond the limit are dropped and counted. */
export class CollectedLines {
  readonly #parts = new Map<string, SourceTextLine[]>();
  #left: number;
  leftOut = 0;

  /** `mostBytes`: limit on the kept texts. */
  constructor(mostBytes: number) {
    this.#left = mostBytes;
  }

  add(lines: readonly SourceTextLine[]): void {
    for (const line of lines) {
      this.#left -= line.text.length;
      const part = line.refs[0]?.log ?? "";
      if (this.#left < 0) this.leftOut += 1;
      else if (!this.#parts.get(part)?.push(line)) this.#parts.set(part, [line]);
    }
  }

  /** One part per log. */
  sources(): readonly SourceText[] {
    return Array.from(this.#parts, ([name, lines]): SourceText => ({ name, lines }));
  }
}

function headingOfSource(name: string): string {
  return `== ${name} ==`;
}

/** A line as sent; a line of a thread message starts with its seq. */
export function printSourceLine({ seq, text }: SourceTextLine): string {
  return seq === undefined ? text : `#${seq} ${text}`;
}

/** The sources as one text, each below a line with its name. */
export function printSources(sources: readonly SourceText[]): string {
  return sources
    .flatMap(({ name, lines }) => [headingOfSource(name), ...lines.map(printSourceLine)])
    .map((line) => `${line}\n`)
    .join("");
}

const mark = /^(?! {4})(?=[^\S\n]*<[^\S\n]*\/?[^\S\n]*sources\b)/gimu;

/** Indents lines that look like the marks around the sources. Idempotent. */
export function withoutMarks(text: string): string {
  return text.replaceAll(mark, "    ");
}

/**
 * Selects as many source lines as fit in the tokens, including the names: each part gets an equal share, and what short parts leave goes to long ones.
 * Within a part, the heaviest lines are chosen (the first on a tie) and kept in order. Each line is counted once. The printed text never exceeds
 * `tokens`.
 */
export function fitSources(
  sources: readonly SourceText[],
  tokens: number,
  count: (text: string) => number,
): { readonly sources: readonly SourceText[]; readonly leftOut: number } {
  const counted = sources.map(({ name, lines: all }): CountedSource => {
    const head = count(`${headingOfSource(name)}\n`);
    const lines = all.map((line) => ({ line, cost: count(`${printSourceLine(line)}\n`) }));
    return { name, lines, head, needs: head + costOf(lines) };
  });
  const linesIn = (some: readonly SourceText[]): number => some.reduce((sum, { lines }) => sum + lines.length, 0);
  // A token may span a line end, so lines together can cost more than individually.
  for (let room = tokens; room > 0;) {
    const fitted = chooseWithin(counted, room);
    const over = count(printSources(fitted)) - tokens;
    if (over <= 0) return { sources: fitted, leftOut: linesIn(sources) - linesIn(fitted) };
    room -= over;
  }
  return { sources: [], leftOut: linesIn(sources) };
}

interface CountedLine {
  readonly line: SourceTextLine;
  readonly cost: number;
}

/** A source with the token counts of its heading, each line and the whole. */
interface CountedSource {
  readonly name: string;
  readonly lines: readonly CountedLine[];
  readonly head: number;
  readonly needs: number;
}

function chooseWithin(counted: readonly CountedSource[], tokens: number): readonly SourceText[] {
  const order = counted.filter(({ lines }) => lines.length > 0).toSorted((a, b) => a.needs - b.needs);
  const chosen = new Map<CountedSource, SourceText>();
  let left = tokens;
  for (const [done, one] of order.entries()) {
    const share = Math.floor(left / (order.length - done));
    const kept = one.needs <= share ? one.lines : heaviest(one.lines, share - one.head);
    if (kept.length === 0) continue;
    chosen.set(one, { name: one.name, lines: kept.map(({ line }) => line) });
    left -= one.head + costOf(kept);
  }
  return counted.flatMap((one) => chosen.get(one) ?? []);
}

/** The heaviest lines that fit (the first on a tie), in their original order. */
function heaviest(lines: readonly CountedLine[], room: number): readonly CountedLine[] {
  let left = room;
  const kept = new Set<CountedLine>();
  for (const one of lines.toSorted((a, b) => (b.line.weight ?? 0) - (a.line.weight ?? 0)))
    if (one.cost <= left) {
      left -= one.cost;
      kept.add(one);
    }
  return lines.filter((one) => kept.has(one));
}

function costOf(lines: readonly CountedLine[]): number {
  return lines.reduce((sum, { cost }) => sum + cost, 0);
}
