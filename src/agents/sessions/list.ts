import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { AgentMemory } from "../memory.ts";
import type { ReplayInput } from "../capture/inputs.ts";
import { parseInjections, sessionsFolder, type Injection, type LeftLines } from "./record.ts";

/** One session and what it was given. */
export interface SessionSummary {
  /** The client and its id of the session. */
  readonly session: string;
  /** ISO 8601 in UTC. */
  readonly first_at: string;
  readonly last_at: string;
  readonly texts: number;
  /** o200k, of all texts together. */
  readonly tokens: number;
}

export interface SessionsResult {
  /** Newest first. */
  readonly sessions: readonly SessionSummary[];
}

/** Lists the sessions on record. Errors: `io`. */
export async function runSessions(memory: AgentMemory): Promise<SessionsResult> {
  const sessions: SessionSummary[] = [];
  for (const session of await recorded(memory)) {
    const texts = await textsOf(memory, session);
    const [first, last] = [texts[0], texts.at(-1)];
    if (first === undefined || last === undefined) continue;
    const tokens = texts.reduce((sum, { text }) => sum + memory.tokens.count(text), 0);
    sessions.push({ session, first_at: first.at, last_at: last.at, texts: texts.length, tokens });
  }
  return { sessions: sessions.toSorted((a, b) => (a.last_at < b.last_at ? 1 : a.last_at > b.last_at ? -1 : 0)) };
}

/** A text that a session was given. */
export interface ReplayedText {
  /** 1 for the first text of the session. */
  readonly number: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** `session-start` or `prompt`. */
  readonly event: string;
  /** Why the session started: `startup`, `resume`, `compact`, …; otherwise empty. */
  readonly source: string;
  /** Identifies the state of the memory that the text was made from. */
  readonly memory: string;
  /** Where its lines come from: `memory/2026-03-15.md:12-18`. */
  readonly lines: readonly string[];
  /** At the start of a session: how many lines of each section of ROOT.md did not fit. Missing if all did, or if it is not known. */
  readonly left?: readonly LeftLines[];
  /** o200k. */
  readonly tokens: number;
  /** The exact text. */
  readonly text: string;
}

export interface ReplayResult {
  readonly session: string;
  readonly texts: readonly ReplayedText[];
}

/** The texts that a session was given, byte for byte. Errors: `not_found`, `usage` if several sessions match, `io`. */
export async function runReplay(memory: AgentMemory, { session: asked, number }: ReplayInput): Promise<ReplayResult> {
  const session = await sessionNamed(memory, asked);
  const all = (await textsOf(memory, session)).map(
    ({ at, event, source, memory: digest, lines, left, text }, index): ReplayedText => {
      const tokens = memory.tokens.count(text);
      return { number: index + 1, at, event, source, memory: digest, lines, ...(left && { left }), tokens, text };
    },
  );
  const texts = number === undefined ? all : all.slice(number - 1, number);
  if (texts.length > 0) return { session, texts };
  const message = `Session ${session} has no text ${number ?? 1}; it was given ${all.length}.`;
  throw new MemoryError("not_found", message, { session });
}

async function sessionNamed(memory: AgentMemory, asked: string): Promise<string> {
  const known = await recorded(memory);
  const all = known.includes(asked) ? [asked] : known.filter((one) => one.includes(asked));
  // A session's id is also in those of its subagents.
  const found = all.filter((one) => !all.some((other) => one.startsWith(`${other}-`)));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  const name = shown(asked, 80);
  if (only !== undefined)
    throw new MemoryError("usage", `${found.length} sessions have "${name}" in their ids; pass more of the id.`, {
      field: "session",
    });
  throw new MemoryError("not_found", `No session "${name}" is on record; \`heartwood sessions\` lists them.`, {
    session: name,
  });
}

async function recorded(memory: AgentMemory): Promise<readonly string[]> {
  const names = await memory.files.names(sessionsFolder);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length));
}

async function textsOf(memory: AgentMemory, session: string): Promise<readonly Injection[]> {
  const read = await memory.files.read(`${sessionsFolder}/${session}.jsonl`);
  const text = read === undefined ? "" : Buffer.from(read.bytes).toString("utf8");
  return parseInjections(text).filter((one) => one.text !== "");
}
