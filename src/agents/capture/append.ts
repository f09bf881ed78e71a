import { sha256, printUuid8 } from "../../base/digest.ts";
import type { Client } from "../transcripts/transcripts.ts";
import { isThreadId } from "../../threads/model/frame.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import type { AgentMemory } from "../memory.ts";
import { addDays, localDay, localTimestamp, type Day } from "../../base/calendar.ts";
import type { Origin } from "../../base/memory-type.ts";
import type { Entry } from "../../tree/model/entry-format.ts";
import { appendEntries, scanForEntries } from "../../tree/logs/append.ts";
import { withLogicalLogs } from "../../tree/logs/logical-logs.ts";
import { bodyOfTurn, type Turn } from "./turn.ts";

/** The thread of a session. */
export function threadIdOf(client: Client, session: string): string {
  const plain = `${client}-${session.toLowerCase()}`;
  return isThreadId(plain) ? plain : `${client}-${sha256(session).slice(0, 32)}`;
}

/** The frame of a message. An empty `message` is that of the thread's first frame. */
export function frameIdOf(client: Client, session: string, message: string): string {
  return printUuid8(digestOf(client, session, message));
}

/** The entry of the turn that a message of the person begins. */
export function turnEntryIdOf(client: Client, session: string, message: string): string {
  return `capture-${digestOf(client, session, message).slice(0, 26)}`;
}

function digestOf(client: Client, session: string, message: string): string {
  return sha256(`${client}\0${session}\0${message}`);
}

/** `known`: it was there already. */
export interface CapturedCount {
  readonly added: number;
  readonly known: number;
}

/** Another process that captures the same transcript may append meanwhile; that cannot go on for ever. */
const attempts = 5;

/**
 * Appends messages to a thread, which begins with `created` where there is none. A message whose id is there already is passed over, whatever its
 * content: other rules for secrets may have made another one of the same words.
 */
export async function appendFrames(
  memory: AgentMemory,
  thread: { readonly id: string; readonly created: FrameDraft },
  drafts: readonly FrameDraft[],
): Promise<CapturedCount> {
  const once = [...new Map(drafts.map((draft) => [draft.id, draft])).values()];
  const twice = drafts.length - once.length;
  for (let attempt = 1; ; attempt++) {
    const fresh = await unknownFrames(memory, thread.id, once);
    if (fresh.frames.length === 0) return { added: 0, known: drafts.length };
    const frames = fresh.thread === "there" ? fresh.frames : [thread.created, ...fresh.frames];
    try {
      const { appended } = await memory.threads.append({ thread_id: thread.id, frames, known_ids: "pass" });
      const added = appended.length - (fresh.thread === "there" ? 0 : 1);
      return { added, known: once.length - added + twice };
    } catch (error) {
      if (attempt >= attempts || !isRace(error)) throw error;
    }
  }
}

/** How many of the messages there are already. */
export async function countFrames(
  memory: AgentMemory,
  threadId: string,
  drafts: readonly FrameDraft[],
): Promise<CapturedCount> {
  const { frames } = await unknownFrames(memory, threadId, drafts);
  const added = new Set(frames.map(({ id }) => id)).size;
  return { added, known: drafts.length - added };
}

async function unknownFrames(
  memory: AgentMemory,
  threadId: string,
  drafts: readonly FrameDraft[],
): Promise<{ readonly thread: "there" | "none"; readonly frames: readonly FrameDraft[] }> {
  if ((await memory.threads.head(threadId)) === undefined) return { thread: "none", frames: drafts };
  const places = await memory.threads.places(
    threadId,
    drafts.map(({ id }) => ({ id })),
  );
  return { thread: "there", frames: drafts.filter((_, index) => places[index] === undefined) };
}

function isRace(error: unknown): boolean {
  return error instanceof MemoryError && ["thread_exists", "frame_conflict"].includes(error.code);
}

interface Days {
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

/** Appends entries to the log of a day, each once, also where another time zone or a wrong clock put them on a neighbouring day, or on that of the session's start. */
export async function appendTurns(
  memory: AgentMemory,
  { day, start }: Days,
  entries: readonly Entry[],
): Promise<CapturedCount & { readonly warnings: readonly Warning[] }> {
  const { appended, warnings } = await appendEntries(memory, day, entries, {
    holder: "capture",
    counting: "counted",
    alsoSeen: othersOf({ day, start }),
  });
  const added = appended.filter(({ action }) => action === "added").length;
  return { added, known: appended.length - added, warnings };
}

/** How many of the entries there are already. */
export async function countTurns(opened: AgentMemory, days: Days, entries: readonly Entry[]): Promise<CapturedCount> {
  const memory = await withLogicalLogs(opened);
  const whole = new Set<string>();
  for (const log of [days.day, ...othersOf(days)]) {
    const { found } = await scanForEntries(memory.files, `memory/${log}.md`, entries);
    for (const [id, { state }] of found) if (state === "whole") whole.add(id);
  }
  const known = entries.filter(({ id }) => whole.has(id)).length;
  return { added: entries.length - known, known };
}

/** Other logs in which the entries of a day may be. */
function othersOf({ day, start }: Days): readonly Day[] {
  const others = new Set([...neighboursOf(day), ...neighboursOf(start), start]);
  return [...others].filter((other) => other !== day);
}

function neighboursOf(day: Day): readonly Day[] {
  return [...(day > "0001-01-01" ? [addDays(day, -1)] : []), ...(day < "9999-12-31" ? [addDays(day, 1)] : [])];
}
