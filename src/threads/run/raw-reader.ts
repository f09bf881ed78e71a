import type { Utterance } from "../../base/summary-line.ts";
import type { StoredFrame, ThreadStore } from "../store/thread-store.ts";
import { pushAll } from "../../base/lists.ts";
import { messageOf, roleOf, type Frame, frameOf } from "../model/frame.ts";
import { weightOf } from "../plan/ladder.ts";

interface Range {
  readonly thread_id: string;
  readonly from_seq: number;
  readonly to_seq: number;
}

/** Page limits. Weight alone is not enough: frames other than messages have none, and a message may be long. */
const PAGE = { limit: 1_000, most_bytes: 1024 * 1024 };

/** The frames of a range, in pages of bounded size. `onPage` is called before each page; if it throws, reading ends. */
export async function* framesIn(
  store: ThreadStore,
  { thread_id, from_seq, to_seq }: Range,
  onPage: () => Promise<void>,
): AsyncGenerator<StoredFrame, void, void> {
  for (let next = from_seq; next <= to_seq;) {
    await onPage();
    const page = await store.frames({ thread_id, from_seq: next, to_seq, ...PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    next = last.seq + 1;
  }
}

/**
 * Reads the messages in a thread once, in order. Tool effects are returned with the next message, so what belongs to a message never changes once it
 * is appended.
 */
export class RawReader {
  readonly #frames: AsyncGenerator<StoredFrame, void, void>;
  /** The weight of the messages before the next frame. */
  #weight: number;
  #isAtEnd = false;
  /** Tool effects since the last message. */
  #effects: readonly Utterance[] = [];

  constructor(store: ThreadStore, range: Range & { readonly weight: number; readonly onPage: () => Promise<void> }) {
    this.#frames = framesIn(store, range, range.onPage);
    this.#weight = range.weight;
  }

  /** Whether there may be another message whose preceding messages weigh less than `end`. */
  isBefore(end: number): boolean {
    return !this.#isAtEnd && this.#weight < end;
  }

  /** The messages whose preceding messages weigh less than `end`, each preceded by its tool effects. */
  async take(end: number): Promise<readonly Utterance[]> {
    const taken: Utterance[] = [];
    while (this.isBefore(end)) {
      const { value: stored } = await this.#frames.next();
      const frame = frameOf(stored ?? undefined);
      const message = messageOf(frame);
      if (stored === undefined) this.#isAtEnd = true;
      else if (message !== undefined) {
        pushAll(taken, this.#effects);
        taken.push({ seq: message.seq, role: roleOf(message.actor_id), text: message.content });
        this.#weight += weightOf(message);
        this.#effects = [];
      } else if (frame?.type === EFFECT) this.#effects = [...this.#effects, ...effectsOf(frame)].slice(-MOST_EFFECTS);
    }
    return taken;
  }
}

/** Only the last effects before a message, up to this number, are kept. */
const MOST_EFFECTS = 64;
const EFFECT = "continuity_tool_side_effects";
/** Paths beyond this many characters add no information. */
const LONGEST_EFFECT = 1_000;

/** What a tool changed, as one utterance; empty for an effect without paths. */
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
