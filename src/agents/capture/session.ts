import type { Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import type { Client, LeftOut, SessionFacts, TranscriptMessage } from "../transcripts/transcripts.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import type { Entry } from "../../tree/model/entry-format.ts";
import type { AgentMemory } from "../memory.ts";
import {
  appendTurns,
  countTurns,
  dayOfSitting,
  entryOfTurn,
  appendFrames,
  countFrames,
  frameIdOf,
  threadIdOf,
  type CapturedCount,
} from "./append.ts";
import { withoutInjected } from "./injected.ts";
import { sittingAt, answered, turnOf, worked, type Turn } from "./turn.ts";
import { pushAll } from "../../base/lists.ts";

/** Why a row is no message, or a message no turn of the log; `courtesy` counts turns. */
type NotKept = LeftOut | "courtesy";

/** What was captured of one session. */
export interface CapturedSessionResult {
  readonly session: string;
  readonly thread_id: string;
  /** The local day on which it began. */
  readonly day: string;
  /** The logs in which entries of this call stand, in their order. */
  readonly days: readonly string[];
  readonly messages: CapturedCount;
  readonly entries: CapturedCount;
  readonly left_out: Readonly<Partial<Record<NotKept, number>>>;
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

export interface CaptureWay {
  readonly client: Client;
  /** `import`: what a person takes over; `capture`: what goes on. */
  readonly kind: "capture" | "import";
  readonly writing: "dry" | "wet";
}

/** What is held back at most before it is written. Messages, and characters. */
const mostMessages = 256;
const mostCharacters = 1_000_000;

const nothing: CapturedCount = { added: 0, known: 0 };

/** One session while it is read: what is not written yet, and what was. */
export class SessionCapture {
  readonly threadId: string;
  readonly #memory: AgentMemory;
  readonly #way: CaptureWay;
  #facts: SessionFacts;
  #lastAt: number | undefined;
  #sittingAt: number | undefined;
  #turn: Turn | undefined;
  #drafts: FrameDraft[] = [];
  /** By the day of their log. */
  #entries = new Map<string, Entry[]>();
  readonly #days = new Set<string>();
  #characters = 0;
  #messages = nothing;
  #turns = nothing;
  #leftOut: Partial<Record<NotKept, number>> = {};
  readonly warnings: Warning[] = [];

  constructor(
    memory: AgentMemory,
    way: CaptureWay,
    from: {
      readonly facts: SessionFacts;
      readonly last_at_ms?: number | undefined;
      readonly sitting_at_ms?: number | undefined;
      readonly turn?: Turn | undefined;
    },
  ) {
    this.#memory = memory;
    this.#way = way;
    this.#facts = from.facts;
    this.#lastAt = from.last_at_ms;
    this.#sittingAt = from.sitting_at_ms;
    this.#turn = from.turn;
    this.threadId = threadIdOf(way.client, from.facts.id);
  }

  get turn(): Turn | undefined {
    return this.#turn;
  }

  get facts(): SessionFacts & Pick<CapturedSession, "last_at_ms" | "sitting_at_ms"> {
    return { ...this.#facts, last_at_ms: this.#lastAt, sitting_at_ms: this.#sittingAt };
  }

  /** Whether so much is held back that it should be written at the next place where that can be. */
  get isFull(): boolean {
    return this.#drafts.length >= mostMessages || this.#characters >= mostCharacters;
  }

  learn(facts: SessionFacts): void {
    const { id, started_at_ms, folder, title } = this.#facts;
    this.#facts = {
      id,
      started_at_ms: started_at_ms ?? facts.started_at_ms,
      folder: folder ?? facts.folder,
      title: title ?? facts.title,
    };
  }

  leaveOut(reason: NotKept): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
    if (reason === "tool") this.#turn = this.#turn && worked(this.#turn, "tool");
    if (reason === "unknown") this.missed();
  }

  /** Something of the turn could not be read: whether it was work is not known. */
  missed(): void {
    this.#turn = this.#turn && worked(this.#turn, "unsure");
  }

  take(message: TranscriptMessage): void {
    const at = message.at_ms ?? this.#lastAt ?? this.#facts.started_at_ms ?? this.#memory.clock.now();
    const sitting_at_ms = sittingAt(at, this.facts);
    [this.#lastAt, this.#sittingAt] = [at, sitting_at_ms];
    if (this.#facts.started_at_ms === undefined) this.#facts = { ...this.#facts, started_at_ms: at };
    if (message.text.trim() === "") return this.leaveOut("empty");
    const own = withoutInjected(message.text);
    if (own.trim() === "") return this.leaveOut("injected");
    const text = redact(own.toWellFormed()).text;
    this.#drafts.push(this.#draftOf(message, text, at));
    this.#characters += text.length;
    if (message.role === "assistant") this.#turn = this.#turn && answered(this.#turn, text);
    else {
      this.endTurn("over");
      this.#turn = turnOf({ id: message.id, text, at_ms: at, sitting_at_ms });
      if (this.#turn === undefined) this.leaveOut("empty");
    }
  }

  #draftOf(message: TranscriptMessage, content: string, timestamp_ms: number): FrameDraft {
    const { client, kind } = this.#way;
    const origin = kind === "import" ? `import:${client}` : client;
    return {
      id: frameIdOf(client, this.#facts.id, message.id),
      timestamp_ms,
      type: "continuity_message_appended",
      payload: { actor_id: message.role, origin, content },
    };
  }

  /**
   * `said`: only when the model's last word is there, since a client may say that a turn is over before it has written it; one of courtesy waits, since work
   * may follow.
   */
  endTurn(when: "over" | "said"): void {
    const turn = this.#turn;
    if (turn === undefined || (when === "said" && (turn.last !== "words" || turn.holds === "courtesy"))) return;
    this.#turn = undefined;
    if (turn.holds === "courtesy") return this.leaveOut("courtesy");
    const { client, kind } = this.#way;
    const origin = kind === "import" ? "import" : "agent";
    const { zone } = this.#memory.clock;
    const day = dayOfSitting(this.#memory, turn.sitting_at_ms);
    const entry = entryOfTurn(turn, { client, session: this.#facts.id, origin, zone });
    this.#entries.set(day, [...(this.#entries.get(day) ?? []), entry]);
  }

  /** Frames first, then entries. */
  async write(): Promise<void> {
    const [drafts, entries] = [this.#drafts, this.#entries];
    [this.#drafts, this.#entries, this.#characters] = [[], new Map(), 0];
    const isDry = this.#way.writing === "dry";
    if (drafts.length > 0) {
      const thread = { id: this.threadId, created: this.#created() };
      const counted = isDry
        ? await countFrames(this.#memory, thread.id, drafts)
        : await appendFrames(this.#memory, thread, drafts);
      this.#messages = sumOf(this.#messages, counted);
    }
    for (const [day, ofDay] of entries) await this.#writeEntries(day, ofDay);
  }

  async #writeEntries(day: string, entries: readonly Entry[]): Promise<void> {
    const days = { day, start: this.#day() };
    this.#days.add(day);
    if (this.#way.writing === "dry") {
      this.#turns = sumOf(this.#turns, await countTurns(this.#memory, days, entries));
      return;
    }
    const { warnings, ...counted } = await appendTurns(this.#memory, days, entries);
    this.#turns = sumOf(this.#turns, counted);
    pushAll(this.warnings, warnings);
  }

  #day(): string {
    return dayOfSitting(this.#memory, this.#facts.started_at_ms ?? this.#memory.clock.now());
  }

  #created(): FrameDraft {
    const { id, started_at_ms, folder, title } = this.#facts;
    const workspace = lineOf(folder, 1_000) ?? this.#memory.dir;
    return {
      id: frameIdOf(this.#way.client, id, ""),
      timestamp_ms: started_at_ms ?? this.#memory.clock.now(),
      type: "continuity_created",
      payload: { workspace, title: lineOf(title, 256) ?? null },
    };
  }

  result(): CapturedSessionResult {
    return {
      session: this.#facts.id,
      thread_id: this.threadId,
      day: this.#day(),
      days: [...this.#days].toSorted(),
      messages: this.#messages,
      entries: this.#turns,
      left_out: { ...this.#leftOut },
    };
  }
}

/** A name of one line, without secrets. */
function lineOf(text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined;
  const line = redact(text.toWellFormed())
    .text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return line === "" ? undefined : line.slice(0, most).toWellFormed();
}

function sumOf(one: CapturedCount, other: CapturedCount): CapturedCount {
  return { added: one.added + other.added, known: one.known + other.known };
}
