import type { SearchIndex } from "../index/search-index.ts";
import type { ScoredSection } from "../rank/types.ts";
import type { Pointed } from "./pointed.ts";
import { greatest } from "../../base/lists.ts";

/** Sections, and by which steps somebody was led to them. */
export interface LiftedSections {
  readonly sections: readonly ScoredSection[];
  readonly from: ReadonlyMap<number, readonly Pointed["step"][]>;
}

/** What a section gains when lines of ROOT.md or of nodes that bear the whole message lead to it, or a line that somebody chose; the best section has 1. */
const lift: Readonly<Record<Pointed["step"], number>> = { root: 0.25, manifest: 0.25, chosen: 0.625 };
/** Places that are followed, strongest first. */
const mostFollowed = 12;

/** Sections to which the other steps lead stand higher, and come in when their words alone would not bring them. */
export async function liftSections(
  index: SearchIndex,
  { scored, pointed }: { readonly scored: readonly ScoredSection[]; readonly pointed: readonly Pointed[] },
): Promise<LiftedSections> {
  const gains = new Map<number, number>();
  const from = new Map<number, Pointed["step"][]>();
  for (const place of pointed.toSorted(strongestFirst).slice(0, mostFollowed))
    for (const { section } of await index.rowsAt("chunk", [place])) {
      gains.set(section, Math.max(gains.get(section) ?? 0, lift[place.step] * place.strength));
      const steps = from.get(section) ?? [];
      from.set(section, steps.includes(place.step) ? steps : [...steps, place.step]);
    }
  if (gains.size === 0) return { sections: scored, from };
  const known = new Set(scored.map(({ section }) => section));
  const parts = { words: 0, meaning: 0 };
  const added = [...gains.keys()].filter((id) => !known.has(id)).map((section) => ({ section, score: 0, parts }));
  const lifted = [...scored, ...added].map((one) => ({ ...one, score: one.score + (gains.get(one.section) ?? 0) }));
  const top = greatest(lifted.map(({ score }) => score));
  const sections = lifted.map((one) => ({ ...one, score: one.score / top })).toSorted((a, b) => b.score - a.score);
  return { sections, from };
}

function strongestFirst(a: Pointed, b: Pointed): number {
  return b.strength - a.strength || (a.source < b.source ? -1 : a.source > b.source ? 1 : a.lines[0] - b.lines[0]);
}
