import { Buffer } from "node:buffer";
import { ifMemoryError } from "../../base/errors.ts";
import type { FileBytes, Files } from "../../platform/files.ts";
import {
  expiredSessions,
  inContext,
  keptSessions,
  parseInjections,
  printInjection,
  sessionPath,
  sessionsFolder,
  type Injection,
} from "./record.ts";

/** What a session got, as recorded so far. */
export interface SessionRecord {
  /** The injections that are still in the client's context, oldest first. */
  readonly past: readonly Injection[];
  /** Adds an injection. Failures are ignored: the worst that follows is a repetition. */
  append(injection: Injection): Promise<void>;
}

/** Bytes read at the end of a record: more than one context holds. */
const mostRead = 512 * 1024;

/** The record of a client's session; empty if the client gave no id, or if it cannot be read. */
export async function openSession(files: Files, client: string, session: string): Promise<SessionRecord> {
  if (session === "") return { past: [], append: async () => undefined };
  const path = sessionPath(client, session);
  const text = await readEnd(files, path).catch(ifMemoryError(() => ""));
  // After a torn line, a record starts a new one.
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  const append = async (injection: Injection): Promise<void> => {
    const bytes = Buffer.from(`${start}${printInjection(injection)}`);
    await files.append(path, bytes, { durability: "cache" }).catch(ifMemoryError(() => undefined));
  };
  return { past: inContext(parseInjections(text)), append };
}

async function readEnd(files: Files, path: string): Promise<string> {
  const end = await files.read(path, { from: 0, to: 0 });
  if (end === undefined) return "";
  const read = await files.read(path, { from: Math.max(0, end.size - mostRead), to: end.size });
  return textOf(read);
}

/** The first character may be torn: its line is, too. */
function textOf(read: FileBytes | undefined): string {
  return read === undefined ? "" : Buffer.from(read.bytes).toString("utf8");
}

/** Removes old records, and the older half of a record that is too long. Errors: those of listing and writing files. */
export async function tidySessions(files: Files, now: number): Promise<void> {
  const entries = (await files.list(sessionsFolder)).filter(
    ({ kind, name }) => kind === "file" && name.endsWith(".jsonl"),
  );
  const all = entries.map(({ name, size, changedAt, stamp }) => {
    return { path: `${sessionsFolder}/${name}`, bytes: size, changedAt, stamp };
  });
  const gone = new Set(expiredSessions(all, now).map(({ path }) => path));
  const removals = all
    .filter(({ path }) => gone.has(path))
    .map(({ path, stamp }) => ({ path, bytes: undefined, stamp }));
  const long = all.filter(({ path, bytes }) => !gone.has(path) && bytes > keptSessions.bytesOfOne);
  const cuts = await Promise.all(
    long.map(async ({ path, bytes, stamp }) => {
      const read = await files.read(path, { from: Math.floor(bytes / 2), to: bytes });
      const kept = parseInjections(textOf(read)).map(printInjection).join("");
      return { path, bytes: Buffer.from(kept), stamp };
    }),
  );
  const changes = [...removals, ...cuts].map(({ path, bytes, stamp }) => {
    return { path, bytes, expect: { stamp }, durability: "cache" as const };
  });
  if (changes.length > 0) await files.commit(changes);
}
