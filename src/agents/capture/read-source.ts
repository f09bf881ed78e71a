import type { SessionFacts, TranscriptItem, TranscriptPosition, TranscriptSource } from "../transcripts/transcripts.ts";
import type { AgentMemory } from "../memory.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { printCursor, type Cursor } from "./cursor-format.ts";
import type { Faults } from "./faults.ts";
import type { CapturedSessionResult } from "./results.ts";
import { SessionCapture, type CaptureWay } from "./session.ts";

export interface SourceWay extends CaptureWay {
  /** What the caller knows of the last turn: `open`, that it goes on; `turn`, that the model has had its last word; `session`, that nothing follows. */
  readonly end: "open" | "turn" | "session";
  readonly signal?: AbortSignal | undefined;
}

/** Captures one transcript, whatever number of sessions it has: frames, then entries, then the cursor. Results come as sessions are done. */
export async function* captureSource(
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
  /** The cursor as it stands on disk. */
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
