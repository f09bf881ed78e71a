import type { Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { redact } from "../../text/redact/redact.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import type { Entry } from "../../tree/model/entry-format.ts";
import type { AgentMemory } from "../memory.ts";
import type { Client, LeftOut, SessionFacts, Subagent, TranscriptMessage } from "../transcripts/transcripts.ts";
import { appendFrames, appendTurns, countTurns, dayOfSitting, entryOfTurn, lastMessageAt } from "./append.ts";
import { threadIdOf } from "../sessions/record.ts";
import { frameIdOf, type CapturedCount } from "./append.ts";
import { withoutInjected } from "./injected.ts";
import { answered, sittingAt, turnOf, worked, type Turn } from "./turn.ts";

/** Why a row is not a message, or why a message is not logged. `courtesy` counts turns. */
type NotKept = LeftOut | "courtesy";

/** What was captured from one session. */
export interface CapturedSessionResult {
  readonly session: string;
  readonly thread_id: string;
  /** For a subagent: the thread of the session that started it. */
  readonly branch_of?: string;
  /** The local day on which the session started. */
  readonly day: string;
  /** The days whose logs have entries from this call, in order. */
  readonly days: readonly string[];
  readonly messages: CapturedCount;
  readonly entries: CapturedCount;
  readonly left_out: Readonly<Partial<Record<NotKept, number>>>;
}

export interface CaptureWay {
  readonly client: Client;
  /** `import`: past conversations; `capture`: one that may still be going on. */
  readonly kind: "capture" | "import";
  readonly writing: "dry" | "wet";
  /** Set for a subagent: its thread is a branch, its messages are all the assistant's, and it makes no entries. */
  readonly subagent?: Subagent | undefined;
}

/** What is needed to continue capturing a session. */
export interface SessionState {
  readonly facts: SessionFacts;
  /** The time of the last row that has one. */
  readonly last_at_ms?: number | undefined;
  /** When the current sitting started. */
  readonly sitting_at_ms?: number | undefined;
  readonly turn?: Turn | undefined;
}

/** Identifies the frame of the branch. No message id starts with NUL, so it cannot be mistaken for a message. */
const branchMark = "\0branch";

/** Maximum messages and characters collected before writing. */
const mostMessages = 256;
const mostCharacters = 1_000_000;

/** Collects one session while it is read, writes it and counts what was written. */
export class SessionCapture {
  readonly warnings: Warning[] = [];
  readonly #memory: AgentMemory;
  readonly #way: CaptureWay;
  #state: SessionState;
  #drafts: FrameDraft[] = [];
  /** By the day of the log. */
  #entries = new Map<string, Entry[]>();
  readonly #days = new Set<string>();
  #characters = 0;
  #messages: CapturedCount = { added: 0, known: 0 };
  #turns: CapturedCount = { added: 0, known: 0 };
  readonly #leftOut: Partial<Record<NotKept, number>> = {};

  constructor(memory: AgentMemory, way: CaptureWay, state: SessionState) {
    this.#memory = memory;
    this.#way = way;
    this.#state = state;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether enough is collected to write it at the next opportunity. */
  get isFull(): boolean {
    return this.#drafts.length >= mostMessages || this.#characters >= mostCharacters;
  }

  learn(more: SessionFacts): void {
    const { id, started_at_ms, folder, title } = this.#state.facts;
    this.#set({
      facts: {
        id,
        started_at_ms: started_at_ms ?? more.started_at_ms,
        folder: folder ?? more.folder,
        title: title ?? more.title,
      },
    });
  }

  leaveOut(reason: NotKept): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
    if (reason === "tool") this.#set({ turn: this.#state.turn && worked(this.#state.turn, "tool") });
    if (reason === "unknown") this.missed();
  }

  /** Notes that part of the turn could not be read; it may have been work. */
  missed(): void {
    this.#set({ turn: this.#state.turn && worked(this.#state.turn, "unsure") });
  }

  take(message: TranscriptMessage): void {
    const { facts, last_at_ms, sitting_at_ms } = this.#state;
    const { started_at_ms } = facts;
    const at_ms = message.at_ms ?? last_at_ms ?? started_at_ms ?? this.#memory.clock.now();
    const sitting = sittingAt(at_ms, { started_at_ms, last_at_ms, sitting_at_ms });
    const begun = { ...facts, started_at_ms: started_at_ms ?? at_ms };
    this.#set({ facts: begun, last_at_ms: at_ms, sitting_at_ms: sitting });
    if (message.text.trim() === "") return this.leaveOut("empty");
    const own = withoutInjected(message.text);
    if (own.trim() === "") return this.leaveOut("injected");
    const text = redact(own.toWellFormed()).text;
    this.#drafts.push(this.#draftOf(message, text, at_ms));
    this.#characters += text.length;
    // A model wrote the task of a subagent, not the user.
    if (this.#way.subagent !== undefined) return;
    if (message.role === "user") {
      this.endTurn("over");
      const turn = turnOf({ message: message.id, at_ms, sitting_at_ms: sitting }, text);
      this.#set({ turn });
      if (turn === undefined) this.leaveOut("empty");
    } else this.#set({ turn: this.#state.turn && answered(this.#state.turn, text) });
  }

  /**
   * `said`: ends the turn only if the model's final words are there, since a client may report the end before writing them. A courtesy turn stays open, since work
   * may follow.
   */
  endTurn(when: "over" | "said"): void {
    const { turn, facts } = this.#state;
    if (turn === undefined || (when === "said" && (turn.last !== "words" || turn.holds === "courtesy"))) return;
    this.#set({ turn: undefined });
    if (turn.holds === "courtesy") return this.leaveOut("courtesy");
    const { client, kind } = this.#way;
    const origin = kind === "import" ? "import" : "agent";
    const day = dayOfSitting(this.#memory, turn.sitting_at_ms);
    const entry = entryOfTurn(turn, { client, session: facts.id, origin, zone: this.#memory.clock.zone });
    this.#entries.set(day, [...(this.#entries.get(day) ?? []), entry]);
  }

  /** Writes frames first, then entries. */
  async write(): Promise<void> {
    const memory = this.#memory;
    const [drafts, entries] = [this.#drafts, this.#entries];
    [this.#drafts, this.#entries, this.#characters] = [[], new Map(), 0];
    const isDry = this.#way.writing === "dry";
    const [first] = drafts;
    if (first !== undefined) {
      const thread = { id: this.#threadId, begun: () => this.#begun(first) };
      const counted = await appendFrames(memory, thread, drafts, this.#way.writing);
      this.#messages = sumOf(this.#messages, counted);
    }
    for (const [day, ofDay] of entries) {
      const days = { day, start: this.#day() };
      this.#days.add(day);
      const { warnings, ...counted } = await (isDry ? countTurns : appendTurns)(memory, days, ofDay);
      this.#turns = sumOf(this.#turns, counted);
      pushAll(this.warnings, warnings);
    }
  }

  result(): CapturedSessionResult {
    return {
      session: this.#state.facts.id,
      thread_id: this.#threadId,
      ...(this.#parentId !== undefined && { branch_of: this.#parentId }),
      day: this.#day(),
      days: [...this.#days].toSorted(),
      messages: this.#messages,
      entries: this.#turns,
      left_out: { ...this.#leftOut },
    };
  }

  get #threadId(): string {
    return threadIdOf(this.#way.client, this.#state.facts.id);
  }

  get #parentId(): string | undefined {
    const { client, subagent } = this.#way;
    return subagent && threadIdOf(client, subagent.parent);
  }

  #set(changed: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changed };
  }

  #draftOf(message: TranscriptMessage, content: string, timestamp_ms: number): FrameDraft {
    return {
      id: frameIdOf(this.#way.client, this.#state.facts.id, message.id),
      timestamp_ms,
      type: "continuity_message_appended",
      payload: { actor_id: this.#actor ?? message.role, origin: this.#origin, content },
    };
  }

  get #origin(): string {
    const { client, kind } = this.#way;
    return kind === "import" ? `import:${client}` : client;
  }

  /** Who says everything in the transcript of a subagent. */
  get #actor(): string | undefined {
    const { subagent } = this.#way;
    return subagent && `assistant:${subagent.agent.replaceAll(/[^\w.:-]/gu, "-").slice(0, 128)}`;
  }

  #day(): string {
    return dayOfSitting(this.#memory, this.#state.facts.started_at_ms ?? this.#memory.clock.now());
  }

  /** The first frames of the thread. A subagent's thread leaves that of its session at the last message before its own first. */
  async #begun(first: FrameDraft): Promise<readonly FrameDraft[]> {
    const { id, started_at_ms, folder, title } = this.#state.facts;
    const { client } = this.#way;
    const workspace = lineOf(folder, 1_000) ?? this.#memory.dir;
    const timestamp_ms = started_at_ms ?? this.#memory.clock.now();
    const created: FrameDraft = {
      id: frameIdOf(client, id, ""),
      timestamp_ms,
      type: "continuity_created",
      payload: { workspace, title: lineOf(title, 256) ?? null },
    };
    const parent_thread_id = this.#parentId;
    if (parent_thread_id === undefined) return [created];
    const { seq: parent_seq, id: parent_message_id } = await lastMessageAt(
      this.#memory,
      parent_thread_id,
      first.timestamp_ms,
    );
    const by = { actor_id: this.#actor, origin: this.#origin };
    const payload = { parent_thread_id, parent_seq, parent_message_id, ...by };
    return [created, { id: frameIdOf(client, id, branchMark), timestamp_ms, type: "continuity_branched", payload }];
  }
}

/** The text on one line, without secrets, cut to `most`. */
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
