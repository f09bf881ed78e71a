import { decodeText } from "../../base/lines.ts";
import { isInTheWay } from "../../base/errors.ts";
import type { Client } from "../transcripts/transcripts.ts";
import type { AgentMemory } from "../memory.ts";
import { encode } from "../../tree/run/tree-files.ts";
import { parseCursor, printCursor, type Cursor } from "./cursor-format.ts";
import { threadIdOf } from "./ids.ts";

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
