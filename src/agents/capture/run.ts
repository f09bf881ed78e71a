import { MemoryError, type Warning } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type {
  Client,
  TranscriptSource,
  SessionFacts,
  TranscriptItem,
  TranscriptPosition,
} from "../transcripts/transcripts.ts";
import type { AgentMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { CaptureInput, HistoryInput } from "./inputs.ts";
import { SessionCapture, type CapturedSessionResult, type CaptureWay } from "./session.ts";
import { pushAll } from "../../base/lists.ts";
import { readCursor, writeCursor, printCursor, type Cursor } from "./cursor.ts";

export interface CaptureResult {
  readonly client: Client;
  /** Sessions of which something was read, in the order in which they were read. */
  readonly sessions: readonly CapturedSessionResult[];
  readonly warnings: readonly Warning[];
  /** Nothing was written. */
  readonly dry_run?: true;
}

/** After so long without a new row no turn is under way. Milliseconds. */
const idleFor = 600_000;

/**
 * Captures what is new in one transcript: the named one, or the newest of this folder. Errors: `not_found`, `not_a_file`, `invalid_body`, `usage`, `busy`,
 * `disk_full`, `io`, `aborted`.
 */
export async function runCapture(memory: AgentMemory, input: CaptureInput, call: Call = {}): Promise<CaptureResult> {
  const { client, path, session, all } = input;
  const found = await memory.transcripts.find({
    client,
    folder: memory.dir,
    ...(all === true ? {} : { most: 1 }),
    ...(path === undefined ? {} : { path }),
    ...(session === undefined ? {} : { session }),
    ...(call.signal && { signal: call.signal }),
  });
  if (found.length === 0) throw nothingFound(memory, input);
  const way: SourceWay = { client, kind: "capture", writing: "wet", end: input.ended ?? "open", signal: call.signal };
  return captureAll(memory, { sources: found.toReversed(), way, idle: all === true ? "ended" : "open" }, call);
}

/**
 * Takes over what was said in a client before: a file, what lies below a folder, or without a path every session of this folder. Errors: those of
 * `runCapture`.
 */
export async function runImport(memory: AgentMemory, input: HistoryInput, call: Call = {}): Promise<CaptureResult> {
  const { client, path } = input;
  memory.onWork?.();
  const found = await memory.transcripts.find({
    client,
    ...(path === undefined ? {} : { path }),
    ...(path !== undefined || input.all === true ? {} : { folder: memory.dir }),
    ...(call.signal && { signal: call.signal }),
  });
  if (found.length === 0) throw nothingFound(memory, input);
  const writing = input.dry_run === true ? "dry" : "wet";
  const way: SourceWay = { client, kind: "import", writing, end: "open", signal: call.signal };
  return captureAll(memory, { sources: found.toReversed(), way, idle: "ended" }, call);
}

interface Captures {
  readonly sources: readonly TranscriptSource[];
  readonly way: SourceWay;
  /** Whether a session to which nothing was added for a while has ended. */
  readonly idle: "ended" | "open";
}

async function captureAll(
  memory: AgentMemory,
  { sources, way, idle }: Captures,
  { signal, progress }: Call,
): Promise<CaptureResult> {
  const faults = new Faults();
  const sessions: CapturedSessionResult[] = [];
  const warnings: Warning[] = [];
  for (const [done, source] of sources.entries()) {
    if (sources.length > 1) progress?.({ phase: way.kind, done, total: sources.length });
    const end = idle === "ended" && isIdle(memory, source) ? "session" : way.end;
    for await (const { warnings: told, ...session } of captureSource(memory, source, { ...way, end }, faults)) {
      if (sources.length === 1 || hasNews(session)) sessions.push(session);
      pushAll(warnings, told);
      if (sources.length === 1) progress?.({ phase: way.kind, done: sessions.length, total: 0 });
      signal?.throwIfAborted();
    }
  }
  const result = { client: way.client, sessions, warnings: [...faults.warnings(), ...warnings] };
  return way.writing === "dry" ? { ...result, dry_run: true } : result;
}

function hasNews({ messages, entries, left_out }: CapturedSessionResult): boolean {
  return messages.added + messages.known + entries.added + entries.known > 0 || Object.keys(left_out).length > 0;
}

function isIdle(memory: AgentMemory, source: TranscriptSource): boolean {
  return memory.clock.now() - source.changed_at_ms >= idleFor;
}

function nothingFound(
  memory: AgentMemory,
  { client, path, session }: HistoryInput & Pick<CaptureInput, "session">,
): MemoryError {
  const where = path === undefined ? `for the folder ${memory.dir}` : `in ${shown(path, 200)}`;
  const which = session === undefined ? "No transcript" : `No session ${shown(session)}`;
  return new MemoryError(
    "not_found",
    `${which} of ${client} was found ${where}; name the file, or a folder in which files have the names that the client gives them.`,
    {
      client,
    },
  );
}

interface SourceWay extends CaptureWay {
  /** What the caller knows of the last turn: `open`, that it goes on; `turn`, that the model has had its last word; `session`, that nothing follows. */
  readonly end: "open" | "turn" | "session";
  readonly signal?: AbortSignal | undefined;
}

/** Captures one transcript with any number of sessions: frames, then entries, then the cursor. Results come as sessions are done. */
async function* captureSource(
  memory: AgentMemory,
  source: TranscriptSource,
  way: SourceWay,
  faults: Faults,
): AsyncGenerator<CapturedSessionResult & { readonly warnings: SessionCapture["warnings"] }, void, void> {
  const cursor = await cursorOf(memory, source, way);
  let reading = new SourceReading(memory, source, way);
  const position = cursor === undefined ? undefined : { at: cursor.at, check: cursor.check };
  const options = { ...(position && { from: position }), ...(way.signal && { signal: way.signal }) };
  for await (const item of memory.transcripts.read(source, options)) {
    if (item.kind === "session" && reading.isOther(item.session)) {
      yield* reading.done("session");
      reading = new SourceReading(memory, source, way);
    }
    if (item.kind === "unknown") faults.addUnknown(source.path, item);
    if (item.kind === "fault") faults.addFault(source.path, item);
    await reading.take(item, cursor);
  }
  yield* reading.done(way.end);
}

async function cursorOf(memory: AgentMemory, source: TranscriptSource, way: SourceWay): Promise<Cursor | undefined> {
  if (source.session === undefined || way.kind === "import") return undefined;
  return readCursor(memory, { client: way.client, session: source.session, source: source.path });
}

/** A transcript while it is read, at one of its sessions. */
class SourceReading {
  readonly #memory: AgentMemory;
  readonly #source: TranscriptSource;
  readonly #way: SourceWay;
  #session: SessionCapture | undefined;
  #position: TranscriptPosition | undefined;
  #ended: "no" | "yes" = "no";
  /** The cursor as it is on disk. */
  #noted = "";

  constructor(memory: AgentMemory, source: TranscriptSource, way: SourceWay) {
    this.#memory = memory;
    this.#source = source;
    this.#way = way;
  }

  isOther({ id }: SessionFacts): boolean {
    return this.#session !== undefined && this.#session.facts.id !== id;
  }

  async take(item: TranscriptItem, cursor: Cursor | undefined): Promise<void> {
    if (item.kind === "begin") this.#begin(item.at === "cursor" ? cursor : undefined);
    else if (item.kind === "session") this.#learn(item.session);
    else if (item.kind === "message") this.#session?.take(item.message);
    else if (item.kind === "left_out") this.#session?.leaveOut(item.reason);
    else if (item.kind === "unknown") this.#session?.leaveOut("unknown");
    else if (item.kind === "fault") this.#session?.missed();
    else if (item.kind === "turn_end") this.#session?.endTurn("said");
    else if (item.kind === "session_end") this.#ended = "yes";
    else if (item.kind === "position") this.#position = item.position;
    const canWrite = item.kind === "position" || (item.kind === "message" && this.#source.session === undefined);
    if (!canWrite || this.#session?.isFull !== true) return;
    this.#memory.onWork?.();
    await this.#write();
  }

  async *done(
    end: SourceWay["end"],
  ): AsyncGenerator<CapturedSessionResult & { readonly warnings: SessionCapture["warnings"] }> {
    const session = this.#session;
    if (session === undefined) return;
    if (end === "session" || this.#ended === "yes") session.endTurn("over");
    else if (end === "turn") session.endTurn("said");
    await this.#write();
    yield { ...session.result(), warnings: session.warnings };
  }

  #begin(cursor: Cursor | undefined): void {
    const id = this.#source.session;
    if (id === undefined) return;
    const { started_at_ms, last_at_ms, sitting_at_ms } = cursor?.session ?? {};
    const facts = { id, started_at_ms, folder: undefined, title: undefined };
    const from = { facts, last_at_ms, sitting_at_ms, turn: cursor?.turn };
    this.#session = new SessionCapture(this.#memory, this.#way, from);
    if (cursor === undefined) return;
    // Without a new row the turn may still end.
    this.#position = { at: cursor.at, check: cursor.check };
    this.#noted = printCursor(cursor);
  }

  #learn(facts: SessionFacts): void {
    this.#session ??= new SessionCapture(this.#memory, this.#way, { facts });
    this.#session.learn(facts);
  }

  async #write(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    await session.write();
    const position = this.#position;
    if (position === undefined || this.#source.session === undefined || this.#way.writing === "dry") return;
    const { id, started_at_ms, last_at_ms, sitting_at_ms } = session.facts;
    const { at, check } = position;
    const facts = { id, started_at_ms, last_at_ms, sitting_at_ms };
    const cursor = { source: this.#source.path, at, check, session: facts, turn: session.turn };
    const text = printCursor(cursor);
    if (text === this.#noted) return;
    await writeCursor(this.#memory, this.#way.client, cursor);
    this.#noted = text;
  }
}

type Fault = Extract<TranscriptItem, { kind: "fault" }>;
type Unknown = Extract<TranscriptItem, { kind: "unknown" }>;

interface Seen {
  readonly warning: Warning;
  count: number;
}

/** Kinds of rows beyond these are one warning together. */
const mostKinds = 40;

/** What could not be read of transcripts: one warning for each kind, with the first place and how often it came. */
class Faults {
  readonly #seen = new Map<string, Seen>();

  addUnknown(source: string, { what, place }: Unknown): void {
    const kind = this.#seen.size < mostKinds ? shown(what.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " "), 60) : "others";
    const message = `rows of the kind "${kind}" are not known and were left out, the first at ${place}`;
    this.#add(`unknown ${kind}`, { code: "unknown_row", path: shown(source, 1_000), message });
  }

  addFault(source: string, { code, message, place }: Fault): void {
    this.#add(`${code} ${source}`, { code, path: shown(source, 1_000), message: `${message}, the first at ${place}` });
  }

  warnings(): readonly Warning[] {
    return [...this.#seen.values()].map(({ warning, count }) =>
      count === 1 ? warning : { ...warning, message: `${warning.message} (${count} in all)` },
    );
  }

  #add(key: string, warning: Warning): void {
    const seen = this.#seen.get(key);
    if (seen === undefined) this.#seen.set(key, { warning, count: 1 });
    else seen.count += 1;
  }
}
