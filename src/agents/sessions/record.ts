import { sha256 } from "../../base/digest.ts";
import { fields, isText, listOf, oneOf, optionally, parseJson } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import { isThreadId } from "../../threads/model/frame.ts";
import { Buffer } from "node:buffer";
import { ifMemoryError } from "../../base/errors.ts";
import type { FileBytes, Files } from "../../platform/files.ts";

/** The thread of a client's session. */
export function threadIdOf(client: string, session: string): string {
  const plain = `${client}-${session.toLowerCase()}`;
  return isThreadId(plain) ? plain : `${client}-${sha256(session).slice(0, 32)}`;
}

/** The id of a subagent's record, as of its thread: the session that it belongs to, and the client's id for it. A client may give only the latter. */
export function sessionOfAgent(session: string, agent: string): string {
  return session === "" || session === agent ? agent : `${session}-${agent}`;
}

/** A UUID of version 7 begins with the time: sessions that start within a minute share its first eight digits. */
const beginsWithTime = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/iu;
/** The end of the time in an id of OpenCode, to less than a millisecond. */
const timeInId = /^ses_[0-9a-f]{4}([0-9a-f]{8})/u;

/** The topic of a session's entries in the logs. */
export function sessionHeading(session: string): string {
  const plain = session.replaceAll(/[^\w.-]/gu, "-");
  return `Session ${timeInId.exec(session)?.[1] ?? (beginsWithTime.test(session) ? plain.slice(-8) : plain.slice(0, 8))}`;
}

export const sessionsFolder = ".heartwood/sessions";

/** The file that records what a session got. */
export function sessionPath(client: string, session: string): string {
  return `${sessionsFolder}/${threadIdOf(client, session)}.jsonl`;
}

const injectedAt = ["session-start", "prompt", "tool", "compaction"] as const;

/** Lines of a section of ROOT.md that a session did not get. */
export interface LeftLines {
  readonly section: string;
  readonly left: number;
  /** How many lines the section has. */
  readonly of: number;
}

/** A text that a session got (docs/formats/sessions.md). */
export interface Injection {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** `tool`: the result of one of our tools. `compaction`: the client compacted its context, which no longer contains the texts before; `text` is empty. */
  readonly event: (typeof injectedAt)[number];
  /** Why the session started: `startup`, `resume`, `compact`, …; otherwise empty. */
  readonly source: string;
  /** Identifies the state of the memory that the text was made from. */
  readonly memory: string;
  /** The places of its lines in the memory: `memory/2026-03-15.md:12-18`. */
  readonly lines: readonly string[];
  /** The exact text. */
  readonly text: string;
  /** At a compaction: the seq of the last message of the session's own thread, up to which the client's context no longer contains them. */
  readonly head?: number;
  /** At the start of a session: how many lines of each section of ROOT.md did not fit. */
  readonly left?: readonly LeftLines[];
  /** For a prompt, if an embedder is installed: whether it was compared by meaning, too (`used`), or why not. */
  readonly meaning?: string;
}

export function printInjection({ at, event, source, memory, lines, text, head, left, meaning }: Injection): string {
  return `${JSON.stringify({ v: 1, at, event, source, memory, lines, text, head, left, meaning })}\n`;
}

const isInjection = fields({
  v: oneOf([1]),
  at: isText,
  event: oneOf(injectedAt),
  source: isText,
  memory: isText,
  lines: listOf(isText),
  text: isText,
  head: optionally(isCount),
  left: optionally(listOf(fields({ section: isText, left: isCount, of: isCount }))),
  meaning: optionally(isText),
});

/** The injections in a file, oldest first. Skips anything else, such as a torn line. */
export function parseInjections(text: string): readonly Injection[] {
  return text.split("\n").map(parseJson).filter(isInjection) as readonly Injection[];
}

/** Whether a session that starts for this reason has nothing in its context. */
export function beginsAnew(source: string): boolean {
  return source === "compact" || source === "clear";
}

/** The injections that are still in the client's context: those since it was last compacted or cleared. */
export function inContext(injections: readonly Injection[]): readonly Injection[] {
  const last = injections.findLastIndex(
    ({ event, source }) => event === "compaction" || (event === "session-start" && beginsAnew(source)),
  );
  return injections.slice(Math.max(0, last));
}

export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** How long and how much of the records is kept. */
export const keptSessions = { days: 30, bytes: 64 * 1024 * 1024, bytesOfOne: 4 * 1024 * 1024 };

/** The files to remove: those older than the limit, then the oldest until the rest fits. */
export function expiredSessions(files: readonly SessionFile[], now: number): readonly SessionFile[] {
  const newestFirst = files.toSorted((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1));
  let bytes = 0;
  return newestFirst.filter((file) => {
    bytes += file.bytes;
    return bytes > keptSessions.bytes || now - file.changedAt > keptSessions.days * 86_400_000;
  });
}

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
