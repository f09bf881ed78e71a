import { asRecord, countIn, textIn } from "./json-fields.ts";
import type { Turn } from "./turn.ts";

/** How far a transcript was captured. A cache: without it everything is read again, to the same end. */
export interface Cursor {
  readonly source: string;
  readonly at: number;
  readonly check: string;
  readonly session: CapturedSession;
  readonly turn: Turn | undefined;
}

/** What must be known of a session to go on with it. */
export interface CapturedSession {
  readonly id: string;
  readonly started_at_ms: number | undefined;
  /** Of the last row that had a time. */
  readonly last_at_ms: number | undefined;
  /** When the sitting at hand began. */
  readonly sitting_at_ms: number | undefined;
}

/** `undefined` for whatever is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const fields = asRecord(parsed(text));
  const session = asRecord(fields?.["session"]);
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
  const fields = asRecord(value);
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
