import { addDays, localDay, localTimestamp, type Day } from "../../base/calendar.ts";
import type { Origin } from "../../base/memory-type.ts";
import type { Warning } from "../../base/errors.ts";
import type { Client } from "../transcripts/transcripts.ts";
import type { Entry } from "../../tree/model/entry-format.ts";
import { appendEntries, scanForEntry } from "../../tree/logs/append.ts";
import { withLogicalLogs } from "../../tree/logs/logical-logs.ts";
import type { AgentMemory } from "../memory.ts";
import { bodyOfTurn } from "./entry.ts";
import { turnEntryIdOf } from "./ids.ts";
import type { CapturedCount } from "./results.ts";
import type { Turn } from "./turn.ts";

export interface Days {
  /** Of the log. */
  readonly day: Day;
  /** On which the session began. */
  readonly start: Day;
}

/** The entry of a turn that is over. */
export function entryOfTurn(
  turn: Turn,
  of: { readonly client: Client; readonly session: string; readonly origin: Origin; readonly zone: string },
): Entry {
  return {
    topic: `Session ${nameOf(of.session)}`,
    type: "project",
    id: turnEntryIdOf(of.client, of.session, turn.message),
    at: localTimestamp(turn.at_ms, of.zone),
    origin: of.origin,
    body: bodyOfTurn(turn),
  };
}

/** The first characters of a session's id, as a part of a heading. */
function nameOf(session: string): string {
  return session.replaceAll(/[^\w.-]/gu, "-").slice(0, 8);
}

/** The log of a sitting: that of the local day on which it began, or of today where a clock was wrong. */
export function dayOfSitting(memory: AgentMemory, startedAt: number): Day {
  const { zone } = memory.clock;
  const [day, today] = [localDay(startedAt, zone), memory.clock.today()];
  return day < today ? day : today;
}

/** Appends entries to the log of a day, each once, also where another time zone or a wrong clock had them on a day beside it, or all stand with the session's start. */
export async function appendTurns(
  memory: AgentMemory,
  { day, start }: Days,
  entries: readonly Entry[],
): Promise<CapturedCount & { readonly warnings: readonly Warning[] }> {
  const appended = await appendEntries(memory, day, entries, {
    holder: "capture",
    counting: "counted",
    alsoSeen: othersOf({ day, start }),
  });
  const added = appended.filter(({ action }) => action === "added").length;
  return { added, known: appended.length - added, warnings: appended.flatMap(({ warnings }) => warnings) };
}

/** How many of the entries there are already. */
export async function countTurns(opened: AgentMemory, days: Days, entries: readonly Entry[]): Promise<CapturedCount> {
  const memory = await withLogicalLogs(opened);
  let known = 0;
  for (const entry of entries)
    for (const log of [days.day, ...othersOf(days)]) {
      const { found } = await scanForEntry(memory.files, `memory/${log}.md`, entry);
      if (found?.state !== "whole") continue;
      known += 1;
      break;
    }
  return { added: entries.length - known, known };
}

/** Where the entries of a day may stand as well. */
function othersOf({ day, start }: Days): readonly Day[] {
  const others = new Set([...neighboursOf(day), ...neighboursOf(start), start]);
  return [...others].filter((other) => other !== day);
}

function neighboursOf(day: Day): readonly Day[] {
  return [...(day > "0001-01-01" ? [addDays(day, -1)] : []), ...(day < "9999-12-31" ? [addDays(day, 1)] : [])];
}
