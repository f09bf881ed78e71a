import type { Utterance } from "../../base/summary-line.ts";
import type { StoredFrame, ThreadStore } from "../store/thread-store.ts";
import { pushAll } from "../../base/lists.ts";
import { messageOf, roleOf, type Frame, frameOf, MESSAGE } from "../model/frame.ts";
import { weightOf } from "../plan/ladder.ts";

/** Where reading begins: the first frame, and the weight of the messages before it. */
interface RawStart {
  readonly seq: number;
  readonly weight: number;
}

/**
 * Reads the messages of a thread once, in their order, and in pages of bounded weight. A tool effect goes with the message that follows it, so what a
 * message brings with it never changes after it was appended.
 */
export class RawReader {
  readonly #store: ThreadStore;
  readonly #threadId: string;
  readonly #onPage: () => Promise<void>;
  #page: readonly StoredFrame[] = [];
  #at = 0;
  #nextSeq = 0;
  #lastSeq = -1;
  #weight = 0;
  #effects: Utterance[] = [];

  constructor(store: ThreadStore, threadId: string, onPage: () => Promise<void>) {
    this.#store = store;
    this.#threadId = threadId;
    this.#onPage = onPage;
  }

  /** Reads from there on, up to and including the frame `lastSeq`. */
  begin(start: RawStart, lastSeq: number): void {
    this.#page = [];
    this.#at = 0;
    this.#nextSeq = start.seq;
    this.#lastSeq = lastSeq;
    this.#weight = start.weight;
    this.#effects = [];
  }

  /** Whether a message may be left before which the messages weigh less than `end`. */
  isBefore(end: number): boolean {
    return this.#weight < end && (this.#at < this.#page.length || this.#nextSeq <= this.#lastSeq);
  }

  /** The messages before which the messages weigh less than `end`, with the tool effects before each. */
  async take(end: number): Promise<readonly Utterance[]> {
    const taken: Utterance[] = [];
    while (this.#weight < end) {
      const heard = await this.#next();
      if (heard === undefined) break;
      if (heard.kind === "effect") {
        this.#effects.push(heard.utterance);
        if (this.#effects.length > MOST_EFFECTS) this.#effects.shift();
        continue;
      }
      pushAll(taken, [...this.#effects, heard.utterance]);
      this.#effects = [];
      this.#weight += heard.weight;
    }
    return taken;
  }

  async #next(): Promise<Heard | undefined> {
    for (;;) {
      for (; this.#at < this.#page.length;) {
        const frame = this.#page[this.#at++];
        if (frame === undefined || !HEARD_TYPES.has(frame.type)) continue;
        const heard = heardOf(frame);
        if (heard !== undefined) return heard;
      }
      if (this.#nextSeq > this.#lastSeq) return undefined;
      await this.#turn();
    }
  }

  /** A page ends by weight, so that its size does not depend on how long messages are. */
  async #turn(): Promise<void> {
    await this.#onPage();
    const thread_id = this.#threadId;
    const [end] = await this.#store.places(thread_id, [{ weight: this.#weight + PAGE_WEIGHT }]);
    const to_seq = Math.min(this.#lastSeq, Math.max(this.#nextSeq, (end?.seq ?? Number.POSITIVE_INFINITY) - 1));
    this.#page = await this.#store.frames({ thread_id, from_seq: this.#nextSeq, to_seq, ...PAGE });
    this.#at = 0;
    this.#nextSeq = (this.#page.at(-1)?.seq ?? to_seq) + 1;
  }
}

const PAGE_WEIGHT = 1024 * 1024;
/** Frames that are no messages have no weight. */
const PAGE = { limit: 2_000, most_bytes: 4 * 1024 * 1024 };
/** Of more effects before one message the latest count. */
const MOST_EFFECTS = 64;

/** What a frame says to a summarizer: a message with its weight on the ladder, or what a tool changed, which weighs nothing. */
interface Heard {
  readonly kind: "message" | "effect";
  readonly utterance: Utterance;
  readonly weight: number;
}

const EFFECT = "continuity_tool_side_effects";
/** The types of frames that a summarizer hears. */
const HEARD_TYPES: ReadonlySet<string> = new Set([MESSAGE, EFFECT]);

/** `undefined` for a frame that says nothing to a summarizer. */
function heardOf(stored: StoredFrame): Heard | undefined {
  const frame = frameOf(stored);
  if (frame === undefined) return undefined;
  const message = messageOf(frame);
  if (message === undefined) return effectOf(frame);
  const { seq, actor_id, content } = message;
  return { kind: "message", utterance: { seq, role: roleOf(actor_id), text: content }, weight: weightOf(content) };
}

/** Paths after that many characters say no more about what was done. */
const LONGEST_EFFECT = 1_000;

function effectOf({ type, seq, fields }: Frame): Heard | undefined {
  if (type !== EFFECT) return undefined;
  const paths = fields["affected_paths"];
  const named = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  const tool = typeof fields["tool_name"] === "string" ? fields["tool_name"] : "tool";
  if (named.length === 0) return undefined;
  let text = `${tool}: ${named[0]}`;
  for (const path of named.slice(1)) {
    if (text.length > LONGEST_EFFECT) break;
    text += `, ${path}`;
  }
  return { kind: "effect", utterance: { seq, role: "tool", text: text.slice(0, LONGEST_EFFECT) }, weight: 0 };
}
