import type { SourceText, SourceTextLine } from "./request.ts";

export interface FittedSources {
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
    .map((one, index) => ({ one, index, needs: one.head + one.costs.reduce((sum, cost) => sum + cost, 0) }))
    .filter(({ one }) => one.costs.length > 0)
    .toSorted((a, b) => a.needs - b.needs || a.index - b.index);
  const chosen: { readonly index: number; readonly source: SourceText }[] = [];
  let left = tokens;
  for (const [done, { one, index, needs }] of order.entries()) {
    const share = Math.floor(left / (order.length - done));
    const lines = needs <= share ? one.source.lines : heaviest(one, share - one.head);
    if (lines.length === 0) continue;
    chosen.push({ index, source: { ...one.source, lines } });
    left -= needs <= share ? needs : costOf(one, lines);
  }
  return chosen.toSorted((a, b) => a.index - b.index).map(({ source }) => source);
}

function costOf({ source, costs, head }: CountedSource, lines: readonly SourceTextLine[]): number {
  const kept = new Set(lines);
  return source.lines.reduce((sum, line, at) => (kept.has(line) ? sum + (costs[at] ?? 0) : sum), head);
}

/** The lines of the greatest weight that fit, in their order. */
function heaviest({ source, costs }: CountedSource, tokens: number): readonly SourceTextLine[] {
  const order = source.lines
    .map((_, at) => at)
    .sort((a, b) => (source.lines[b]?.weight ?? 0) - (source.lines[a]?.weight ?? 0) || a - b);
  const kept = new Set<number>();
  let left = tokens;
  for (const at of order) {
    const cost = costs[at] ?? 0;
    if (cost > left) continue;
    left -= cost;
    kept.add(at);
  }
  return source.lines.filter((_, at) => kept.has(at));
}
