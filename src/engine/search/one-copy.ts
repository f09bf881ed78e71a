import { parseRefSuffix } from "../../base/refs.ts";
import type { SourceLevel } from "../../ports/search-index.ts";
import type { Candidate } from "./rank.ts";

/** Where a text stands first: its log, then the nodes from the lowest up. */
const heights: Readonly<Record<SourceLevel, number>> = { raw: 0, none: 0, daily: 1, weekly: 2, monthly: 3, root: 4 };
/** Letters of a line that says enough to be told from others. */
const leastLetters = 12;

/**
 * Each text once: of a log and the nodes above it that say the same where the words were found, the log, with the best score of them. Two logs are two
 * events and both stay.
 */
export function oneCopyEach(candidates: readonly Candidate[]): readonly Candidate[] {
  const kept = new Map<number, Candidate>();
  const owners: Owner[] = [];
  const lowestFirst = candidates.toSorted((a, b) => heights[a.row.level] - heights[b.row.level]);
  for (const candidate of lowestFirst) {
    const lines = tellingLines(candidate);
    const owner = heights[candidate.row.level] === 0 ? undefined : ownerOf(lines, candidate, owners);
    if (owner === undefined) {
      kept.set(candidate.row.id, candidate);
      owners.push({ id: candidate.row.id, height: heights[candidate.row.level], text: keyOf(candidate.row.text) });
      continue;
    }
    const log = kept.get(owner);
    if (log !== undefined && log.score < candidate.score) kept.set(owner, raised(log, candidate));
  }
  return [...kept.values()];
}

interface Owner {
  readonly id: number;
  readonly height: number;
  readonly text: string;
}

/** The lower row that says all of the lines. */
function ownerOf(lines: readonly string[], { row }: Candidate, owners: readonly Owner[]): number | undefined {
  if (lines.length === 0) return undefined;
  const height = heights[row.level];
  return owners.find((owner) => owner.height < height && lines.every((line) => owner.text.includes(line)))?.id;
}

function raised(log: Candidate, node: Candidate): Candidate {
  const more = { part: `also in ${node.row.source}`, score: node.score - log.score };
  return { ...log, score: node.score, parts: [...log.parts.filter(({ part }) => !part.startsWith("also in ")), more] };
}

/** The lines in which words were found; all of them when none was. */
function tellingLines({ row, marks, text }: Candidate): readonly string[] {
  const found = marks.map(({ start, end }) => text.slice(start, end).toLowerCase());
  const near = row.day === "" ? "2000-01-01" : row.day;
  const lines = row.text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => keyOf(parseRefSuffix(line.trimEnd(), near).text))
    .filter((line) => line.length >= leastLetters);
  const telling = lines.filter((line) => found.some((mark) => line.includes(keyOf(mark))));
  return telling.length === 0 && found.length === 0 ? lines : telling;
}

/** A text without what printing it elsewhere changes: marks of a list, spaces, case. */
function keyOf(text: string): string {
  return text
    .replaceAll(/^\s*(?:[-*+]|\d{1,3}[.)])\s+|^\\+(?=#|<)|…$/gmu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();
}
