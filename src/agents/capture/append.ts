import { addDays, localDay, localTimestamp, type Day } from "../../base/calendar.ts";
import { printUuid8, sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Origin } from "../../base/memory-type.ts";
import { frameOf, MESSAGE, type FrameDraft } from "../../threads/model/frame.ts";
import { threadNotFound } from "../../threads/store/thread-store.ts";
import { appendEntries, scanForEntries } from "../../tree/logs/append.ts";
import { readForgotten } from "../../tree/logs/forgotten.ts";
import type { Forgotten } from "../../tree/model/records-format.ts";
import { withWholeLogs } from "../../tree/memory.ts";
import type { Entry } from "../../tree/model/entry-format.ts";
import type { AgentMemory } from "../memory.ts";
import type { Client } from "../transcripts/transcripts.ts";
import { sessionHeading } from "../sessions/record.ts";
import { bodyOfTurn, type Turn } from "./turn.ts";

/** The frame id of a message; an empty `message` gives the id of the thread's first frame. */
export function frameIdOf(client: Client, session: string, message: string): string {
  return printUuid8(digestOf(client, session, message));
}

/** The entry id of the turn that a user message starts. */
export function turnEntryIdOf(client: Client, session: string, message: string): string {
  return `capture-${digestOf(client, session, message).slice(0, 26)}`;
}

/** How an id of a frame begins if its message starts the turn of this entry; `undefined` if the entry is not that of a turn. */
export function beginningOfFrameId(entry: string): string | undefined {
  const digits = /^capture-([0-9a-f]{26})$/u.exec(entry)?.[1];
  return digits === undefined ? undefined : printUuid8(digits.padEnd(64, "0")).slice(0, beginningLength);
}

/** 26 digits and the four hyphens between them. */
export const beginningLength = 30;

function digestOf(client: Client, session: string, message: string): string {
  return sha256(`${client}\0${session}\0${message}`);
}

/** `known` counts what was already there. */
export interface CapturedCount {
  readonly added: number;
  readonly known: number;
}

/** Another process that captures the same transcript may append at the same time; give up after this many races. */
const attempts = 5;

/**
 * Appends messages to a thread, which begins with the frames of `begun` if it does not exist. A message with a known id is skipped, whatever its
 * content: redaction rules may have changed since. `dry` only counts.
 */
export async function appendFrames(
  memory: AgentMemory,
  thread: { readonly id: string; readonly begun: () => Promise<readonly FrameDraft[]> },
  given: readonly FrameDraft[],
  writing: "dry" | "wet",
): Promise<CapturedCount> {
  const forgotten = await readForgotten(memory.files);
  const drafts = given.flatMap((draft) => draftWithout(draft, forgotten));
  for (let attempt = 1; ; attempt++) {
    const { head, fresh } = await unknownFrames(memory, thread.id, drafts);
    if (fresh.length === 0 || writing === "dry") return { added: fresh.length, known: drafts.length - fresh.length };
    const first = head === undefined ? (await thread.begun()).map((draft) => untitled(draft, forgotten)) : [];
    try {
      const frames = [...first, ...fresh];
      const { appended } = await memory.threads.append({ thread_id: thread.id, frames, known_ids: "pass" });
      const added = appended.length - first.length;
      return { added, known: drafts.length - added };
    } catch (error) {
      const isRace = error instanceof MemoryError && ["thread_exists", "frame_conflict"].includes(error.code);
      if (attempt >= attempts || !isRace) throw error;
    }
  }
}

function untitled(draft: FrameDraft, forgotten: Forgotten): FrameDraft {
  const { title } = draft.payload;
  return typeof title === "string" && forgotten.has(title)
    ? { ...draft, payload: { ...draft.payload, title: null } }
    : draft;
}

/** A message without lines that were forgotten; none if nothing else is left. */
function draftWithout(draft: FrameDraft, forgotten: Forgotten): readonly FrameDraft[] {
  const { content } = draft.payload;
  if (typeof content !== "string" || !forgotten.has(content)) return [draft];
  const kept = linesWithout(content.split("\n"), forgotten).join("\n");
  return kept.trim() === "" ? [] : [{ ...draft, payload: { ...draft.payload, content: kept } }];
}

function linesWithout(lines: readonly string[], forgotten: Forgotten): readonly string[] {
  return lines.filter((line) => !forgotten.has(line));
}

/** Frames per page. */
const page = 256;

/** The last message of a thread at a time, or its beginning. Errors: `thread_not_found`. */
export async function lastMessageAt(
  { threads }: AgentMemory,
  threadId: string,
  time: number,
): Promise<{ readonly seq: number; readonly id: string | undefined }> {
  const head = await threads.head(threadId);
  if (head === undefined) throw threadNotFound(threadId);
  for (let to_seq = head.head_seq; to_seq > 0; to_seq -= page) {
    const frames = await threads.frames({
      thread_id: threadId,
      from_seq: Math.max(0, to_seq - page + 1),
      to_seq,
      order: "descending",
      limit: page,
    });
    const found = frames.map(frameOf).find((frame) => frame?.type === MESSAGE && frame.timestamp_ms <= time);
    if (found !== undefined) return found;
  }
  return { seq: 0, id: undefined };
}

/** The messages missing from the thread, without duplicates. */
async function unknownFrames(memory: AgentMemory, threadId: string, drafts: readonly FrameDraft[]) {
  const once = [...new Map(drafts.map((draft) => [draft.id, draft])).values()];
  const head = await memory.threads.head(threadId);
  if (head === undefined) return { head, fresh: once };
  const ids = once.map(({ id }) => ({ id }));
  const places = await memory.threads.places(threadId, ids);
  return { head, fresh: once.filter((_, index) => places[index] === undefined) };
}

export function entryOfTurn(
  turn: Turn,
  of: { readonly client: Client; readonly session: string; readonly origin: Origin; readonly zone: string },
): Entry {
  return {
    topic: sessionHeading(of.session),
    type: "project",
    id: turnEntryIdOf(of.client, of.session, turn.message),
    at: localTimestamp(turn.at_ms, of.zone),
    origin: of.origin,
    body: bodyOfTurn(turn),
  };
}

/** The day whose log gets a sitting: the local day it started on, or today if a wrong clock put that in the future. */
export function dayOfSitting(memory: AgentMemory, startedAt: number): Day {
  const { zone } = memory.clock;
  const [day, today] = [localDay(startedAt, zone), memory.clock.today()];
  return day < today ? day : today;
}

/** `day` is the day of the log, `start` the day on which the session started. */
type Days = Readonly<Record<"day" | "start", Day>>;

/** Appends entries to the log of a day. Skips entries that are already in it, in the log of a neighboring day (another time zone, a wrong clock) or in the log of the session's start. */
export async function appendTurns(memory: AgentMemory, days: Days, given: readonly Entry[]) {
  const forgotten = await readForgotten(memory.files);
  const entries = given
    .map((entry): Entry => ({ ...entry, body: linesWithout(entry.body, forgotten) }))
    .filter(({ body }) => body.some((line) => line.trim() !== ""));
  const options = { holder: "capture", counting: "counted", alsoSeen: othersOf(days) } as const;
  const { appended, warnings } = await appendEntries(memory, days.day, entries, options);
  const added = appended.filter(({ action }) => action === "added").length;
  return { added, known: appended.length - added, warnings };
}

/** Counts how many of the entries are already there. */
export async function countTurns(opened: AgentMemory, days: Days, entries: readonly Entry[]) {
  const memory = await withWholeLogs(opened);
  const whole = new Set<string>();
  for (const log of [days.day, ...othersOf(days)]) {
    const { found } = await scanForEntries(memory.files, `memory/${log}.md`, entries);
    for (const [id, { state }] of found) if (state === "whole") whole.add(id);
  }
  const known = entries.filter(({ id }) => whole.has(id)).length;
  return { added: entries.length - known, known, warnings: [] };
}

/** Other days whose logs may contain the entries. */
function othersOf({ day, start }: Days): readonly Day[] {
  const around = [day, start].flatMap((one) => [
    ...(one > "0001-01-01" ? [addDays(one, -1)] : []),
    ...(one < "9999-12-31" ? [addDays(one, 1)] : []),
  ]);
  return [...new Set([...around, start])].filter((other) => other !== day);
}
