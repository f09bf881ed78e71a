import { MemoryError } from "../../base/errors.ts";
import type { SkippedSource } from "../run/idle.ts";
import {
  memoryFolder,
  nodeLevels,
  parseLogFile,
  parseNodeFile,
  periodKey,
  type NodeLevel,
  type Period,
} from "../model/period.ts";
import { ancestorsOf } from "../plan/status.ts";

/** Whether a file was skipped for a reason that may have passed the next time, without its stamp being another. */
export function isPassing(skipped: SkippedSource): boolean {
  return ["io", "disk_full", "changed_by_other", "archive_damaged"].includes(skipped.code);
}

/**
 * The periods that are left as they are because a log or a node of theirs is there but could not be read this time; of a node also all that is
 * above it, which would lose it. As `periodKey` writes them.
 */
export function unreadPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  const places = placesOf(skipped.filter(isPassing)).flatMap(({ kind, level, period }) => [
    { level, period },
    ...(kind === "node" ? ancestorsOf(level, period) : []),
  ]);
  return new Set(places.map(periodKey));
}

/**
 * The periods above whatever has the name of a log or node and was not read, be it a folder or a link: they are composed, but not fixed without
 * what belongs there.
 */
export function openPeriods(skipped: readonly SkippedSource[]): ReadonlySet<string> {
  return new Set(placesOf(skipped).flatMap(({ level, period }) => ancestorsOf(level, period).map(periodKey)));
}

/**
 * Reopening is decided by what is there: nothing is taken away while a part of it cannot be read, or a folder or link stands in the place of a
 * log or node.
 */
export function refuseUnread(skipped: readonly SkippedSource[]): void {
  const unread = skipped.find(isPassing) ?? skipped.find((one) => placesOf([one]).length > 0);
  if (unread === undefined) return;
  const code = refusals.find((known) => known === unread.code) ?? "io";
  throw new MemoryError(code, `Nothing was reopened: ${unread.message}`, { path: unread.path });
}

const refusals = ["disk_full", "changed_by_other", "archive_damaged", "link_outside", "not_a_file"] as const;

interface Place {
  readonly kind: "log" | "node";
  readonly level: NodeLevel;
  readonly period: Period;
}

/** What is neither a log nor a node by its name has no place. */
function placesOf(skipped: readonly SkippedSource[]): readonly Place[] {
  return skipped.flatMap(({ path }): readonly Place[] => {
    const [folder, file, ...deeper] = path.slice(memoryFolder.length + 1).split("/");
    if (folder === undefined || deeper.length > 0) return [];
    if (file === undefined) {
      const log = parseLogFile(folder);
      return log.state === "log" ? [{ kind: "log", level: "daily", period: log.day }] : [];
    }
    const level = nodeLevels.find((candidate) => candidate === folder);
    const node = level === undefined ? undefined : parseNodeFile(level, file);
    return node === undefined ? [] : [{ kind: "node", level: node.level, period: node.period }];
  });
}
