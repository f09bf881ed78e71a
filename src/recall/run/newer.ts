import type { StoredRow } from "../index/search-index.ts";
import { contradictionsAmong, mayContradict, type Contradiction } from "../context/contradictions.ts";
import type { Remembered } from "../context/remembered.ts";
import { visible } from "../../text/visible.ts";
import type { Passage } from "./arrange.ts";

interface Given {
  readonly passages: readonly Passage[];
  readonly tokens: number;
  /** Of the sections that were found. */
  readonly statements: readonly StoredRow[];
  readonly budget: number;
  readonly count: (text: string) => number;
}

/** Statements that are compared, and those that are brought. */
const mostCompared = 60;
const mostBrought = 5;

/**
 * The passages, and of the statements that were passed over those that say otherwise than one of them and are newer: nobody shall go by what is over. For their room
 * the last passages go.
 */
export function withNewer(given: Given): Pick<Given, "passages" | "tokens"> {
  const { passages, tokens, budget, count } = given;
  const others = comparedWith(passages, given.statements).map((row): Passage => {
    return { row, unit: "statement", lines: row.lines, text: visible(row.text).trim(), score: 0, parts: [] };
  });
  if (others.length === 0) return { passages, tokens };
  const all = [...passages, ...others];
  const found = contradictionsAmong(all.map(rememberedOf)).filter(({ older }) => older < passages.length);
  const brought = broughtBy(found, all, passages.length);
  if (brought.length === 0) return { passages, tokens };
  const kept = new Set(found.flatMap(({ older, newer }) => [passages[older], passages[newer]]));
  const [context, sum] = [
    [...passages],
    (some: readonly Passage[]) => some.reduce((all, one) => all + count(one.text), 0),
  ];
  let used = tokens + sum(brought);
  for (let at = context.length - 1; at >= 0 && used > budget; at--) {
    const one = context[at];
    if (one === undefined || kept.has(one)) continue;
    used -= count(one.text);
    context.splice(at, 1);
  }
  return used > budget ? { passages, tokens } : { passages: [...context, ...brought], tokens: used };
}

export function rememberedOf({ row, lines, text }: Passage): Remembered {
  const { source, day, type, origin, heading, section } = row;
  return { source, lines, day, type, origin, heading, section, text };
}

function comparedWith(passages: readonly Passage[], statements: readonly StoredRow[]): readonly StoredRow[] {
  const may = mayContradict(passages.map(rememberedOf));
  const isThere = ({ source, lines: [from, to] }: StoredRow): boolean =>
    passages.some(({ row, lines }) => row.source === source && lines[0] <= to && from <= lines[1]);
  return statements.filter((row) => may(row.text) && !isThere(row)).slice(0, mostCompared);
}

/** Each once, with the score of what it supersedes. */
function broughtBy(found: readonly Contradiction[], all: readonly Passage[], from: number): readonly Passage[] {
  const brought = new Map<number, Passage>();
  for (const { older, newer } of found) {
    const [one, left] = [all[newer], all[older]];
    if (newer >= from && one !== undefined && left !== undefined && !brought.has(newer))
      brought.set(newer, { ...one, score: left.score, parts: [{ part: "supersedes", score: left.score }] });
  }
  return [...brought.values()].slice(0, mostBrought);
}
