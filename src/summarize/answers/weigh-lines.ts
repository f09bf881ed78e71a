import type { Passage } from "../../base/passage.ts";
import type { SourceTextLine } from "./request.ts";

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
  readonly line: number;
  readonly index: number;
}

function placesByLog(lines: readonly SourceTextLine[]): ReadonlyMap<string, readonly Place[]> {
  const byLog = new Map<string, Place[]>();
  lines.forEach(({ refs: [ref] }, index) => {
    if (ref === undefined) return;
    const list = byLog.get(ref.log);
    if (list === undefined) byLog.set(ref.log, [{ line: ref.from, index }]);
    else list.push({ line: ref.from, index });
  });
  for (const list of byLog.values()) list.sort((a, b) => a.line - b.line || a.index - b.index);
  return byLog;
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
