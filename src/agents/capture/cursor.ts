import * as z from "zod/mini";
import { jsonIn } from "../transcripts/rows.ts";
import type { CapturedSession } from "./session.ts";
import type { Turn } from "./turn.ts";
import { decodeText } from "../../base/lines.ts";
import { isInTheWay } from "../../base/errors.ts";
import type { Client } from "../transcripts/transcripts.ts";
import type { AgentMemory } from "../memory.ts";
import { encode } from "../../tree/run/tree-files.ts";
import { threadIdOf } from "./append.ts";

const count = z.int().check(z.nonnegative());
const time = z.catch(z.optional(count), undefined);
const turn = z.object({
  message: z.string(),
  at_ms: count,
  sitting_at_ms: count,
  user: z.string(),
  assistant: z.string(),
  last: z.catch(z.enum(["words", "work"]), "work"),
  // A turn that is in doubt is kept.
  holds: z.catch(z.enum(["courtesy", "content"]), "content"),
});
const stored = z.object({
  source: z.string(),
  at: count,
  check: z.string(),
  session: z.object({ id: z.string(), started_at_ms: time, last_at_ms: time, sitting_at_ms: time }),
  turn: z.nullish(turn),
});

/** How far a transcript was captured. A cache: without it everything is read again, to the same end. */
export interface Cursor {
  readonly source: string;
  readonly at: number;
  readonly check: string;
  readonly session: CapturedSession;
  readonly turn: Turn | undefined;
}

/** `undefined` for a text that is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const { data } = stored.safeParse(jsonIn(text));
  if (data === undefined) return undefined;
  const { id, started_at_ms, last_at_ms, sitting_at_ms } = data.session;
  // An earlier form, which does not know to what day the next turn belongs.
  if (last_at_ms !== undefined && sitting_at_ms === undefined) return undefined;
  return { ...data, session: { id, started_at_ms, last_at_ms, sitting_at_ms }, turn: data.turn ?? undefined };
}

export function printCursor({ source, at, check, session, turn: open }: Cursor): string {
  return `${JSON.stringify({ source, at, check, session, turn: open ?? null })}\n`;
}

const folder = ".heartwood/capture";

/** Where the reading of a session stopped; `undefined` when that is not known, of another file, or of a thread that is gone. */
export async function readCursor(
  memory: AgentMemory,
  of: { readonly client: Client; readonly session: string; readonly source: string },
): Promise<Cursor | undefined> {
  const read = await memory.files.read(pathOf(of.client, of.session)).catch((error: unknown) => {
    if (!isInTheWay(error)) throw error;
    return undefined;
  });
  const cursor = parseCursor(read === undefined ? "" : (decodeText(read.bytes) ?? ""));
  if (cursor === undefined || cursor.session.id !== of.session || cursor.source !== of.source) return undefined;
  const head = await memory.threads.head(threadIdOf(of.client, of.session));
  return head === undefined ? undefined : cursor;
}

/** Notes how far a session is captured. */
export async function writeCursor(memory: AgentMemory, client: Client, cursor: Cursor): Promise<void> {
  const path = pathOf(client, cursor.session.id);
  const noted = { path, bytes: encode(printCursor(cursor)), expect: "anything", durability: "cache" } as const;
  await memory.files.commit([noted]).catch((error: unknown) => {
    if (!isInTheWay(error)) throw error;
  });
}

function pathOf(client: Client, session: string): string {
  return `${folder}/${client}/${threadIdOf(client, session)}.json`;
}
