import { MemoryError } from "../base/errors.ts";
import { levelOf, memoryFolder, parseLogFile, type NodeLevel, type Period } from "../tree/period.ts";
import { ancestorsOf } from "../tree/status.ts";
import type { SkippedSource } from "./results.ts";

/** Whether a file was skipped for a reason that may have passed the next time, without its stamp being another. */
export function isPassing(skipped: SkippedSource): boolean {
  return ["io", "disk_full", "changed_by_other"].includes(skipped.code);
}

/**
 * The periods of logs and nodes that are there but could not be read this time, with all that is above them: composed now, they could become
 * fixed without what is there. As `periodKey` writes them.
 */
export function unreadPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  const places = skipped.filter(isPassing).flatMap(({ path }) => placeOf(path.slice(memoryFolder.length + 1)));
  return new Set(places.flatMap(({ level, period }) => [{ level, period }, ...ancestorsOf(level, period)]).map(periodKey));
}

/** Reopening is decided by what is there: nothing is taken away while a part of it cannot be read. */
export function refuseUnread(skipped: readonly SkippedSource[]): void {
  const unread = skipped.find(isPassing);
  if (unread === undefined) return;
  throw new MemoryError(unread.code === "disk_full" ? "disk_full" : "io", `Nothing was reopened: ${unread.message}`, { path: unread.path });
}

export function periodKey(place: { readonly level: NodeLevel; readonly period: Period }): string {
  return `${place.level} ${place.period}`;
}

function placeOf(path: string): readonly { readonly level: NodeLevel; readonly period: Period }[] {
  const log = parseLogFile(path);
  if (log.state === "log") return [{ level: "daily", period: log.day }];
  const period = /^(?:daily|weekly|monthly)\/([^.]+)/u.exec(path)?.[1] ?? "";
  const level = levelOf(period);
  return level === undefined ? [] : [{ level, period }];
}
