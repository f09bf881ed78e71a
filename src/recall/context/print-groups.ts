import { standingOf } from "../../base/memory-type.ts";
import type { PrintedPassage } from "./print.ts";

/** Passages of one place that share day, type, age and whether they are stale. */
export interface PassageGroup {
  /** `2026-03-15` for `memory/2026-03-15.md`, else the path or thread. */
  readonly place: string;
  readonly facts: readonly string[];
  readonly passages: readonly { readonly lines: string; readonly passage: PrintedPassage }[];
}

type Placed = PassageGroup["passages"][number] & Pick<PassageGroup, "place" | "facts">;

/** The passages by their places, in the order of the best of each. What contradicts each other stays in its order, in groups of its own. */
export function inGroups(passages: readonly PrintedPassage[]): readonly PassageGroup[] {
  const groups: { readonly key: string; readonly placed: Placed[] }[] = [];
  let chain: string | undefined;
  for (const [at, passage] of passages.entries()) {
    chain = passage.warning?.is === "superseded" ? (chain ?? `${at}`) : isNewer(passages, at) ? `${at}` : undefined;
    const placed = placedOf(passage);
    const key = JSON.stringify([placed.place, placed.facts, chain ?? ""]);
    const last = groups.at(-1);
    const group = chain === undefined ? groups.find((one) => one.key === key) : last?.key === key ? last : undefined;
    if (group === undefined) groups.push({ key, placed: [placed] });
    else group.placed.push(placed);
  }
  return groups.flatMap(({ placed }): readonly PassageGroup[] => {
    const [first] = placed;
    return first === undefined ? [] : [{ place: first.place, facts: first.facts, passages: placed }];
  });
}

/** Whether what it supersedes stands below it. */
function isNewer(passages: readonly PrintedPassage[], at: number): boolean {
  return passages[at]?.supersedes !== undefined && passages[at + 1]?.warning?.is === "superseded";
}

function placedOf(passage: PrintedPassage): Placed {
  const { source, date, type, origin, age_days, warning } = passage;
  const [, base = source, lines = ""] = /^(.*):(\d+(?:-\d+)?)$/su.exec(source) ?? [];
  const place = /^memory\/(\d{4}-\d\d-\d\d[^/:]*)\.md$/u.exec(base)?.[1] ?? base;
  const facts = [
    ...(date === null || place.startsWith(date) ? [] : [date]),
    ...(type === "project" ? [] : [standingOf(type, origin ?? undefined).tag ?? type]),
    ...(age_days === null ? [] : [`${age_days}d`]),
    ...(warning === null || warning.is === "superseded" ? [] : [warning.is]),
  ];
  return { place, facts, lines: lines.replace(/^(\d+)-\1$/u, "$1"), passage };
}
