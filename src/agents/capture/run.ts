import { join, sep } from "node:path";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import { remembering } from "../../base/lines.ts";
import { foldersOfMemory, nearestMemory, realPath } from "../../platform/folders.ts";
import { shown } from "../../text/shown.ts";
import type { AgentMemory } from "../memory.ts";
import type {
  Client,
  TranscriptItem,
  TranscriptPosition,
  TranscriptQuery,
  TranscriptSource,
} from "../transcripts/transcripts.ts";
import { threadIdOf } from "../sessions/record.ts";
import { printCursor, readCursor, writeCursor } from "./cursor.ts";
import type { CaptureInput, HistoryInput } from "./inputs.ts";
import { SessionCapture, type CapturedSessionResult, type CaptureWay } from "./session.ts";

export interface CaptureResult {
  readonly client: Client;
  /** Sessions from which something was read, in reading order. */
  readonly sessions: readonly CapturedSessionResult[];
  readonly warnings: readonly Warning[];
  /** Set if nothing was written. */
  readonly dry_run?: true;
}

/** After this long without a new row, no turn is in progress. In milliseconds. */
const idleFor = 600_000;

/**
 * Captures what is new in one transcript: the given one, or the newest of this folder. Errors: `not_found`, `not_a_file`, `invalid_body`, `usage`, `busy`,
 * `disk_full`, `io`, `aborted`.
 */
export async function runCapture(memory: AgentMemory, input: CaptureInput, call: Call = {}): Promise<CaptureResult> {
  const { client, all = false, ended = "open" } = input;
  if (memory.kind === "personal") {
    const message = `${memory.dir} is the personal memory, which keeps only what is logged to it; capture into the memory of a project (heartwood init creates one).`;
    throw new MemoryError("usage", message, { dir: memory.dir });
  }
  const sources = await findSources(memory, { ...input, ...sessionsOf(memory), ...(all ? {} : { most: 1 }) }, call);
  // What ended may be only a subagent of the session.
  const isInner = input.session !== undefined && sources.every(({ session }) => session !== input.session);
  const end = isInner ? "open" : ended;
  return captureAll(memory, sources, { client, kind: "capture", writing: "wet", end, idleEnds: all }, call);
}

/**
 * Imports past conversations from a client: a file, all transcripts below a folder, or, without a path, every session of this folder. Errors: same as
 * `runCapture`.
 */
export async function runImport(memory: AgentMemory, input: HistoryInput, call: Call = {}): Promise<CaptureResult> {
  const { client, path, all = false, dry_run = false } = input;
  memory.onWork?.();
  const isAnywhere = path !== undefined || all;
  const sources = await findSources(memory, { ...input, ...(isAnywhere ? {} : sessionsOf(memory)) }, call);
  const way = { client, kind: "import", writing: dry_run ? "dry" : "wet", end: "open", idleEnds: true } as const;
  const found = await captureAll(memory, sources, way, call);
  return dry_run ? { ...found, dry_run } : found;
}

/** A session belongs to the memory that is nearest to its folder: one below this memory captures its own. */
function sessionsOf({ dir }: AgentMemory): Pick<TranscriptQuery, "folders" | "rejects"> {
  const below = join(realPath(dir), sep);
  const rejects = remembering((folder) => nearestMemory(folder)?.dir.startsWith(below) === true, 1_000);
  return { folders: foldersOfMemory(dir), rejects };
}

/** Oldest change first. Errors: `not_found`. */
async function findSources(
  memory: AgentMemory,
  query: TranscriptQuery,
  { signal }: Call,
): Promise<readonly TranscriptSource[]> {
  const found = await memory.transcripts.find({ ...query, ...(signal && { signal }) });
  if (found.length > 0) return found.toReversed();
  const { client, path, session } = query;
  const where = path === undefined ? `for the folder ${memory.dir}` : `in ${shown(path, 200)}`;
  const which = session === undefined ? "No transcript" : `No session ${shown(session)}`;
  throw new MemoryError(
    "not_found",
    `${which} from ${client} was found ${where}; pass the file, or a folder whose files have the client's usual names.`,
    { client },
  );
}

interface SourceWay extends CaptureWay {
  /** The state of the last turn: `open`: it continues; `turn`: the model has finished; `session`: nothing follows. */
  readonly end: "open" | "turn" | "session";
  /** Whether an idle session counts as ended. */
  readonly idleEnds: boolean;
}

async function captureAll(
  memory: AgentMemory,
  sources: readonly TranscriptSource[],
  way: SourceWay,
  call: Call,
): Promise<CaptureResult> {
  const { signal, progress } = call;
  const faults = new Faults();
  const sessions: CapturedSessionResult[] = [];
  const warnings: Warning[] = [];
  const isOne = sources.length === 1;
  const captureOne = async (source: TranscriptSource): Promise<void> => {
    for await (const session of captureSource(memory, source, way, faults, signal)) {
      const result = session.result();
      if ((isOne && source.subagent === undefined) || hasNews(result)) sessions.push(result);
      pushAll(warnings, session.warnings);
      if (isOne) progress?.({ phase: way.kind, done: sessions.length, total: 0 });
      signal?.throwIfAborted();
    }
  };
  for (const [done, source] of sources.entries()) {
    if (!isOne) progress?.({ phase: way.kind, done, total: sources.length });
    await captureOne(source);
  }
  // A branch needs the thread that it leaves.
  for (const source of await memory.transcripts.subagents(sources)) await captureOne(source);
  return { client: way.client, sessions, warnings: [...faults.warnings(), ...warnings] };
}

function hasNews({ messages, entries, left_out }: CapturedSessionResult): boolean {
  return messages.added + messages.known + entries.added + entries.known > 0 || Object.keys(left_out).length > 0;
}

/** Captures one transcript with any number of sessions: writes frames, then entries, then the cursor. Yields each session when it is done. */
async function* captureSource(
  memory: AgentMemory,
  source: TranscriptSource,
  way: SourceWay,
  faults: Faults,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionCapture, void, void> {
  const { client } = way;
  const { subagent } = source;
  if (subagent !== undefined && way.writing === "wet") {
    const parent = threadIdOf(client, subagent.parent);
    if ((await memory.threads.head(parent)) === undefined) {
      // During a session, its first messages may be missing.
      if (way.kind === "import") faults.addAlone(source.path, parent);
      return;
    }
  }
  const isOne = source.session !== undefined;
  const known =
    isOne && way.kind === "capture"
      ? await readCursor(memory, { client, session: source.session, source: source.path })
      : undefined;
  let session: SessionCapture | undefined;
  let position: TranscriptPosition | undefined;
  let hasEnded = false;
  /** The cursor on disk. */
  let noted = "";

  const write = async (): Promise<void> => {
    await session?.write();
    if (session === undefined || position === undefined || !isOne || way.writing === "dry") return;
    const cursor = { source: source.path, ...position, state: session.state };
    if (printCursor(cursor) === noted) return;
    await writeCursor(memory, client, cursor);
    noted = printCursor(cursor);
  };
  const finish = async function* (end: SourceWay["end"]): AsyncGenerator<SessionCapture, void, void> {
    if (session === undefined) return;
    if (end === "session" || hasEnded) session.endTurn("over");
    else if (end === "turn") session.endTurn("said");
    await write();
    yield session;
    [session, position, hasEnded, noted] = [undefined, undefined, false, ""];
  };

  const options = { ...(known && { from: { at: known.at, check: known.check } }), ...(signal && { signal }) };
  for await (const item of memory.transcripts.read(source, options)) {
    if (item.kind === "begin" && isOne) {
      const from = item.at === "cursor" ? known : undefined;
      const facts = { id: source.session, started_at_ms: undefined, folder: undefined, title: undefined };
      session = new SessionCapture(memory, { ...way, subagent }, from?.state ?? { facts });
      if (from !== undefined) {
        // The turn may have ended even without a new row.
        position = { at: from.at, check: from.check };
        noted = printCursor(from);
      }
    } else if (item.kind === "session") {
      if (session !== undefined && session.state.facts.id !== item.session.id) yield* finish("session");
      session ??= new SessionCapture(memory, way, { facts: item.session });
      session.learn(item.session);
    } else if (item.kind === "position") ({ position } = item);
    else if (item.kind === "session_end") hasEnded = true;
    else takeItem(session, item, source.path, faults);
    const canWrite = item.kind === "position" || (item.kind === "message" && !isOne);
    if (!canWrite || session?.isFull !== true) continue;
    memory.onWork?.();
    await write();
  }
  const isIdle = way.idleEnds && memory.clock.now() - source.changed_at_ms >= idleFor;
  yield* finish(isIdle ? "session" : way.end);
}

function takeItem(session: SessionCapture | undefined, item: TranscriptItem, path: string, faults: Faults): void {
  if (item.kind === "message") session?.take(item.message);
  else if (item.kind === "left_out") session?.leaveOut(item.reason);
  else if (item.kind === "turn_end") session?.endTurn("said");
  else if (item.kind === "unknown") {
    faults.addUnknown(path, item);
    session?.leaveOut("unknown");
  } else if (item.kind === "fault") {
    const { code, message, place } = item;
    faults.add(`${code} ${path}`, { code, path: shown(path, 1_000), message: `${message}; first at ${place}` });
    session?.missed();
  }
}

/** Kinds of rows beyond this number share one warning. */
const mostKinds = 40;

/** Unreadable rows of transcripts: one warning per kind, with the first place and the count. */
class Faults {
  readonly #seen = new Map<string, { readonly warning: Warning; count: number }>();

  addUnknown(source: string, { what, place }: Extract<TranscriptItem, { kind: "unknown" }>): void {
    const kind = this.#seen.size < mostKinds ? shown(what, 60) : "others";
    const message = `rows of unknown kind "${kind}" were skipped; first at ${place}`;
    this.add(`unknown ${kind}`, { code: "unknown_row", path: shown(source, 1_000), message });
  }

  addAlone(source: string, parent: string): void {
    const message = `skipped the transcript of a subagent, since its conversation is not in the memory (thread ${parent}); capture that first`;
    this.add("alone", { code: "no_parent", path: shown(source, 1_000), message });
  }

  add(key: string, warning: Warning): void {
    const seen = this.#seen.get(key) ?? { warning, count: 0 };
    seen.count += 1;
    this.#seen.set(key, seen);
  }

  warnings(): readonly Warning[] {
    return Array.from(this.#seen.values(), ({ warning, count }) =>
      count === 1 ? warning : { ...warning, message: `${warning.message} (${count} in total)` },
    );
  }
}
