import type { Day } from "../../base/calendar.ts";
import type { Passage } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";
import type { AnswerFinding } from "../../summarize/answers/request.ts";
import { parseSummary } from "../../tree/summary-format.ts";

/** From so many decisions and open items on an answer has to tell of one: a hundred alike are told in a few lines. */
const leastOfNode = 3;
/** From so many lines of Active Context on an answer has to tell of one in four: each is of another topic. */
const leastOfRoot = 6;
const oneIn = 4;

/** Refuses an answer that says so little that the built-in summary would be the better one: it has neither a decision nor an open item, and none of its lines leads to one. */
export function thinNode(
  summary: readonly string[],
  on: { readonly ranked: readonly Passage[]; readonly near: Day },
): readonly AnswerFinding[] {
  const wanted = on.ranked.filter(isWanted);
  const read = parseSummary({ lines: summary, firstLine: 1, spans: [], fallback: [], near: on.near });
  const told = read.filter(({ role }) => role !== "topic").flatMap(({ refs }) => refs);
  const isTold =
    read.some(isWanted) || wanted.some(({ refs }) => refs.some((ref) => told.some((one) => isShared(one, ref))));
  if (wanted.length < leastOfNode || isTold) return [];
  return [
    tooThin(
      `The built-in summary has ${wanted.length} decisions and open items, and the answer tells none of them; tell the most important ones.`,
    ),
  ];
}

/** The same of ROOT.md: `led` are the indices of the lines of Active Context that an item of the answer leads to. */
export function thinRoot(lines: number, led: ReadonlySet<number>): readonly AnswerFinding[] {
  if (lines < leastOfRoot || led.size * oneIn >= lines) return [];
  return [
    tooThin(
      `Of the ${lines} lines of Active Context in the sources the answer tells ${led.size}; tell at least one in ${oneIn}, the most important ones.`,
    ),
  ];
}

function tooThin(message: string): AnswerFinding {
  return { code: "too_thin", severity: "error", message, line: null };
}

function isWanted({ role }: Passage): boolean {
  return role === "decision" || role === "open";
}

/** A ref to a whole log leads to no line of it. */
function isShared(one: Ref, other: Ref): boolean {
  return one.log === other.log && one.from > 0 && one.from <= other.to && other.from <= one.to;
}
