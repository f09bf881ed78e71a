import { redact } from "../../text/redact/redact.ts";
import type { Files } from "../../platform/files.ts";
import { logName } from "../compose/compose-day.ts";
import { keptLinesOf } from "../logs/kept-lines.ts";
import { readLines } from "../logs/line-reads.ts";
import type { TraceResult } from "../run/results.ts";
import type { LinePlace } from "./trace-places.ts";

type RawEntry = TraceResult["raw"][number];

/** Lines that a trace leads to, with the entries of its chain that were made from them. */
export interface TracedPlace extends LinePlace {
  readonly into: readonly number[];
  /** Of lines that only approximate refs lead to. */
  readonly approximate?: true;
}

/** Reads what stands at these places; lines that are nowhere have no text. In the order of the logs. */
export async function readPlaces(files: Files, places: readonly TracedPlace[]): Promise<readonly RawEntry[]> {
  const merged = mergePlaces(places);
  const entries: RawEntry[] = [];
  for (const path of new Set(merged.map((place) => place.path))) {
    const own = merged.filter((place) => place.path === path);
    const standing = own.filter(isStanding);
    const spans = standing.map(({ lines: [from, to] }) => ({ from, to }));
    const reads = spans.length === 0 ? [] : await readLines(files, { path, spans, text: "kept" });
    const keptIn = reads.length === 0 ? () => null : await keptLinesOf(files, path);
    for (const place of own) {
      const read = reads[standing.indexOf(place)];
      const nowhere = { ...place, sha256: "", text: "", kept_in: null };
      if (read === undefined) entries.push(nowhere);
      else if (read.extent === "cut") entries.push({ ...nowhere, state: "changed" });
      else entries.push({ ...place, sha256: read.sha256, text: shownText(read.text), kept_in: keptIn(place.lines) });
    }
  }
  return entries;
}

function shownText(text: string): string {
  return Array.from(redact(text).text).slice(0, 2000).join("");
}

function isStanding({ state }: LinePlace): boolean {
  return state === "found" || state === "moved";
}

/** As few places as possible: what overlaps, or follows in the same state. What one node knows as moved another may know at its place. */
function mergePlaces(places: readonly TracedPlace[]): readonly TracedPlace[] {
  const merged: TracedPlace[] = [];
  for (const place of places.toSorted(comparePlaces)) {
    const last = merged.at(-1);
    if (last === undefined || !joins(last, place)) merged.push(place);
    else
      merged[merged.length - 1] = {
        path: last.path,
        lines: [last.lines[0], Math.max(last.lines[1], place.lines[1])],
        state: last.state === place.state ? last.state : "found",
        ...(last.approximate === undefined ? {} : { approximate: true as const }),
        into: [...new Set([...last.into, ...place.into])].toSorted((a, b) => a - b),
      };
  }
  return merged;
}

function joins(last: TracedPlace, next: TracedPlace): boolean {
  if (last.path !== next.path || last.approximate !== next.approximate || isStanding(last) !== isStanding(next))
    return false;
  return next.lines[0] <= last.lines[1] + (last.state === next.state ? 1 : 0);
}

/** By log and line; what is nowhere has lines of another time, and comes after what stands there now. */
function comparePlaces(a: TracedPlace, b: TracedPlace): number {
  const [x, y] = [logName(a.path), logName(b.path)];
  if (x !== y) return x < y ? -1 : 1;
  return Number(isStanding(b)) - Number(isStanding(a)) || a.lines[0] - b.lines[0] || a.lines[1] - b.lines[1];
}
