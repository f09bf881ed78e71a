import { asObject, type Fields } from "../transcripts/client-reader.ts";
import type { CapturedSession } from "./session.ts";
import type { Turn } from "./turn.ts";
import { decodeText } from "../../base/lines.ts";
import { isInTheWay } from "../../base/errors.ts";
import type { Client } from "../transcripts/transcripts.ts";
import type { AgentMemory } from "../memory.ts";
import { encode } from "../../tree/run/node-files.ts";
import { threadIdOf } from "./append.ts";

/** How far a transcript was captured. A cache: without it everything is read again, to the same end. */
export interface Cursor {
  readonly source: string;
  readonly at: number;
  readonly check: string;
  readonly session: CapturedSession;
  readonly turn: Turn | undefined;
}

/** `undefined` for whatever is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const fields = asObject(parsed(text));
  const session = asObject(fields?.["session"]);
  const [source, at, check] = [textIn(fields, "source"), countIn(fields, "at"), textIn(fields, "check")];
  const id = textIn(session, "id");
  if (source === undefined || at === undefined || check === undefined || id === undefined) return undefined;
  const turn = turnIn(fields?.["turn"]);
  if (turn === "damaged") return undefined;
  const [started_at_ms, last_at_ms] = [countIn(session, "started_at_ms"), countIn(session, "last_at_ms")];
  const sitting_at_ms = countIn(session, "sitting_at_ms");
  // An earlier form, which does not know to what day the next turn belongs.
  if (last_at_ms !== undefined && sitting_at_ms === undefined) return undefined;
  return { source, at, check, session: { id, started_at_ms, last_at_ms, sitting_at_ms }, turn };
}

export function printCursor({ source, at, check, session, turn }: Cursor): string {
  return `${JSON.stringify({ source, at, check, session, turn: turn ?? null })}\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function turnIn(value: unknown): Turn | undefined | "damaged" {
  if (value === null || value === undefined) return undefined;
  const fields = asObject(value);
  const [message, at_ms] = [textIn(fields, "message"), countIn(fields, "at_ms")];
  const [sitting_at_ms, user, assistant] = [
    countIn(fields, "sitting_at_ms"),
    textIn(fields, "user"),
    textIn(fields, "assistant"),
  ];
  if (message === undefined || at_ms === undefined || sitting_at_ms === undefined) return "damaged";
  if (user === undefined || assistant === undefined) return "damaged";
  const last = fields?.["last"] === "words" ? "words" : "work";
  // A turn that is in doubt is kept.
  const holds = fields?.["holds"] === "courtesy" ? "courtesy" : "content";
  return { message, at_ms, sitting_at_ms, user, assistant, last, holds };
}

function textIn(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === "string" ? value : undefined;
}

function countIn(fields: Fields | undefined, name: string): number | undefined {
  const value = fields?.[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
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
