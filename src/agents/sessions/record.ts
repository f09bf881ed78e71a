import { sha256 } from "../../base/digest.ts";
import { fields, isText, listOf, oneOf, optionally, parseJson } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import { isThreadId } from "../../threads/model/frame.ts";

/** The thread of a client's session. */
export function threadIdOf(client: string, session: string): string {
  const plain = `${client}-${session.toLowerCase()}`;
  return isThreadId(plain) ? plain : `${client}-${sha256(session).slice(0, 32)}`;
}

/** The topic of a session's entries in the logs. */
export function sessionHeading(session: string): string {
  return `Session ${session.replaceAll(/[^\w.-]/gu, "-").slice(0, 8)}`;
}

export const sessionsFolder = ".heartwood/sessions";

/** The file that records what a session got. */
export function sessionPath(client: string, session: string): string {
  return `${sessionsFolder}/${threadIdOf(client, session)}.jsonl`;
}

const injectedAt = ["session-start", "prompt", "tool", "compaction"] as const;

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
}

export function printInjection({ at, event, source, memory, lines, text, head }: Injection): string {
  return `${JSON.stringify({ v: 1, at, event, source, memory, lines, text, head })}\n`;
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
});

/** The injections in a file, oldest first. Skips anything else, such as a torn line. */
export function parseInjections(text: string): readonly Injection[] {
  return text.split("\n").map(parseJson).filter(isInjection) as readonly Injection[];
}

/** The injections that are still in the client's context: those since its last compaction. */
export function inContext(injections: readonly Injection[]): readonly Injection[] {
  const last = injections.findLastIndex(
    ({ event, source }) => event === "compaction" || (event === "session-start" && source === "compact"),
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
