import type { Utterance } from "../../base/summary-line.ts";
import type { StoredFrame, ThreadStore } from "../store/thread-store.ts";
import { pushAll } from "../../base/lists.ts";
import { messageOf, roleOf, type Frame, frameOf, MESSAGE } from "../model/frame.ts";
import { weightOf } from "../plan/ladder.ts";

interface Range {
  readonly thread_id: string;
  /** The first frame, and the weight of the messages before it. */
  readonly seq: number;
  readonly weight: number;
  readonly last_seq: number;
  /** Called before each page. What it throws ends the work. */
  readonly onPage: () => Promise<void>;
}

/**
 * Reads the messages of a thread once, in order, in pages of bounded weight. A tool effect goes with the message that follows it, so what comes with a
 * message never changes after it was appended.
 */
export class RawReader {
  readonly #store: ThreadStore;
  readonly #range: Range;
  #page: readonly StoredFrame[] = [];
  #at = 0;
  #nextSeq: number;
  #weight: number;
  #effects: Utterance[] = [];

  constructor(store: ThreadStore, range: Range) {
    this.#store = store;
    this.#range = range;
    this.#nextSeq = range.seq;
    this.#weight = range.weight;
  }

  /** Whether a message may be left before which the messages weigh less than `end`. */
  isBefore(end: number): boolean {
    return this.#weight < end && (this.#at < this.#page.length || this.#nextSeq <= this.#range.last_seq);
  }

  /** The messages before which the messages weigh less than `end`, with the tool effects before each. */
  async take(end: number): Promise<readonly Utterance[]> {
    const taken: Utterance[] = [];
    while (this.#weight < end) {
      const frame = await this.#next();
      if (frame === undefined) break;
      const message = messageOf(frame);
      if (message === undefined) {
        this.#effects = [...this.#effects, ...effectsOf(frame)].slice(-MOST_EFFECTS);
        continue;
      }
      const { seq, actor_id, content } = message;
      pushAll(taken, this.#effects);
      taken.push({ seq, role: roleOf(actor_id), text: content });
      this.#effects = [];
      this.#weight += weightOf(content);
    }
    return taken;
  }

  async #next(): Promise<Frame | undefined> {
    for (;;) {
      for (; this.#at < this.#page.length;) {
        const stored = this.#page[this.#at++];
        const isHeard = stored?.type === MESSAGE || stored?.type === EFFECT;
        const frame = isHeard ? frameOf(stored) : undefined;
        if (frame !== undefined) return frame;
      }
      if (this.#nextSeq > this.#range.last_seq) return undefined;
      await this.#turnPage();
    }
  }

  /** A page ends by weight, so that its size does not depend on how long messages are. */
  async #turnPage(): Promise<void> {
    const { thread_id, last_seq, onPage } = this.#range;
    await onPage();
    const [end] = await this.#store.places(thread_id, [{ weight: this.#weight + PAGE_WEIGHT }]);
    const to_seq = Math.min(last_seq, Math.max(this.#nextSeq, (end?.seq ?? Number.POSITIVE_INFINITY) - 1));
    this.#page = await this.#store.frames({ thread_id, from_seq: this.#nextSeq, to_seq, ...PAGE });
    this.#at = 0;
    this.#nextSeq = (this.#page.at(-1)?.seq ?? to_seq) + 1;
  }
}

const PAGE_WEIGHT = 1024 * 1024;
/** Frames that are not messages have no weight. */
const PAGE = { limit: 2_000, most_bytes: 4 * 1024 * 1024 };
/** Only this many of the last effects before a message count. */
const MOST_EFFECTS = 64;

const EFFECT = "continuity_tool_side_effects";
/** Paths after that many characters add nothing to what was done. */
const LONGEST_EFFECT = 1_000;

/** What a tool changed, as one utterance; nothing for an effect without paths. */
function effectsOf({ seq, fields }: Frame): readonly Utterance[] {
  const paths = fields["affected_paths"];
  const [first, ...others] = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  if (first === undefined) return [];
  let text = `${typeof fields["tool_name"] === "string" ? fields["tool_name"] : "tool"}: ${first}`;
  for (const path of others) {
    if (text.length > LONGEST_EFFECT) break;
    text += `, ${path}`;
  }
  return [{ seq, role: "tool", text: text.slice(0, LONGEST_EFFECT) }];
}
