import * as z from "zod/mini";
import { ifInTheWay } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import { encode } from "../../tree/run/tree-files.ts";
import type { AgentMemory } from "../memory.ts";
import { isGone } from "../transcripts/places.ts";
import type { Client, TranscriptPosition } from "../transcripts/transcripts.ts";
import { threadIdOf } from "../sessions/record.ts";
import type { SessionState } from "./session.ts";

const count = z.int().check(z.nonnegative());
const time = z.catch(z.optional(count), undefined);
const stored = z.object({
  source: z.string(),
  at: count,
  check: z.string(),
  session: z.object({ id: z.string(), started_at_ms: time, last_at_ms: time, sitting_at_ms: time }),
  turn: z.nullish(
    z.object({
      message: z.string(),
      at_ms: count,
      sitting_at_ms: count,
      user: z.string(),
      assistant: z.string(),
      last: z.catch(z.enum(["words", "work"]), "work"),
      // When in doubt, a turn is kept.
      holds: z.catch(z.enum(["courtesy", "content"]), "content"),
    }),
  ),
});

/** How far a transcript was captured. This is a cache: without it everything is read again, with the same result. */
export interface Cursor extends TranscriptPosition {
  readonly source: string;
  readonly state: SessionState;
}

/** Parses a cursor; `undefined` for any other text. */
export function parseCursor(text: string): Cursor | undefined {
  const { data } = stored.safeParse(parseJson(text));
  if (data === undefined) return undefined;
  const { source, at, check, session, turn } = data;
  const { id, started_at_ms, last_at_ms, sitting_at_ms } = session;
  // An earlier format, which lacks the day that the next turn belongs to.
  if (last_at_ms !== undefined && sitting_at_ms === undefined) return undefined;
  const facts = { id, started_at_ms, folder: undefined, title: undefined };
  return { source, at, check, state: { facts, last_at_ms, sitting_at_ms, turn: turn ?? undefined } };
}

export function printCursor({ source, at, check, state }: Cursor): string {
  const { facts, last_at_ms, sitting_at_ms, turn = null } = state;
  const session = { id: facts.id, started_at_ms: facts.started_at_ms, last_at_ms, sitting_at_ms };
  return `${JSON.stringify({ source, at, check, session, turn })}\n`;
}

/** Where the last reading of a session stopped; `undefined` if unknown, if it read a different file, or if the thread is gone. */
export async function readCursor(
  memory: AgentMemory,
  of: { readonly client: Client; readonly session: string; readonly source: string },
): Promise<Cursor | undefined> {
  const read = await memory.files.read(pathOf(of.client, of.session)).catch(passInTheWay);
  const cursor = parseCursor((read && decodeText(read.bytes)) ?? "");
  if (cursor?.state.facts.id !== of.session || cursor.source !== of.source) return undefined;
  const head = await memory.threads.head(threadIdOf(of.client, of.session));
  return head && cursor;
}

export async function writeCursor(memory: AgentMemory, client: Client, cursor: Cursor): Promise<void> {
  const path = pathOf(client, cursor.state.facts.id);
  const bytes = encode(printCursor(cursor));
  await memory.files.commit([{ path, bytes, expect: "anything", durability: "cache" }]).catch(passInTheWay);
}

const passInTheWay = ifInTheWay(() => undefined);

/** Removes cursors of transcripts that are gone; clients delete theirs after a while. Without their folder, they may just be out of reach. Errors: those of listing, reading and writing files. */
export async function tidyCursors({ files }: AgentMemory): Promise<void> {
  for (const client of await files.list(cursorsFolder)) {
    if (client.kind !== "folder") continue;
    for (const { kind, name, stamp } of await files.list(`${cursorsFolder}/${client.name}`)) {
      const path = `${cursorsFolder}/${client.name}/${name}`;
      const read = kind === "file" ? await files.read(path) : undefined;
      const cursor = parseCursor((read && decodeText(read.bytes)) ?? "");
      if (cursor === undefined || !(await isGone(cursor.source))) continue;
      await files.commit([{ path, bytes: undefined, expect: { stamp }, durability: "cache" }]);
    }
  }
}

const cursorsFolder = ".heartwood/capture";

function pathOf(client: Client, session: string): string {
  return `${cursorsFolder}/${client}/${threadIdOf(client, session)}.json`;
}
