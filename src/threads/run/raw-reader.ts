import type { Utterance } from "../../base/summary-line.ts";
import type { ThreadStore } from "../store/thread-store.ts";
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
  readonly #heard: AsyncGenerator<Heard, void, void>;
  #weight: number;
  #isAtEnd = false;

  constructor(store: ThreadStore, range: Range) {
    this.#heard = heardIn(store, range);
    this.#weight = range.weight;
  }

  /** Whether a message may be left before which the messages weigh less than `end`. */
  isBefore(end: number): boolean {
    return !this.#isAtEnd && this.#weight < end;
  }

  /** The messages before which the messages weigh less than `end`, with the tool effects before each. */
  async take(end: number): Promise<readonly Utterance[]> {
    const taken: Utterance[] = [];
    while (this.isBefore(end)) {
      const { value: heard } = await this.#heard.next();
      pushAll(taken, heard?.utterances ?? []);
      this.#weight += heard?.weight ?? 0;
      this.#isAtEnd = heard === undefined;
    }
    return taken;
  }
}

/** A message with the tool effects before it. */
interface Heard {
  readonly utterances: readonly Utterance[];
  readonly weight: number;
}

/** A page ends by weight, so that its size does not depend on how long messages are. */
async function* heardIn(
  store: ThreadStore,
  { thread_id, last_seq, onPage, ...start }: Range,
): AsyncGenerator<Heard, void, void> {
  let effects: readonly Utterance[] = [];
  for (let { seq, weight } = start; seq <= last_seq;) {
    await onPage();
    const [end] = await store.places(thread_id, [{ weight: weight + PAGE_WEIGHT }]);
    const to_seq = Math.min(last_seq, Math.max(seq, (end?.seq ?? Number.POSITIVE_INFINITY) - 1));
    const page = await store.frames({ thread_id, from_seq: seq, to_seq, ...PAGE });
    for (const stored of page) {
      const frame = stored.type === MESSAGE || stored.type === EFFECT ? frameOf(stored) : undefined;
      const message = messageOf(frame);
      if (message === undefined) {
        if (frame !== undefined) effects = [...effects, ...effectsOf(frame)].slice(-MOST_EFFECTS);
        continue;
      }
      const said = { seq: message.seq, role: roleOf(message.actor_id), text: message.content };
      const heard = { utterances: [...effects, said], weight: weightOf(message.content) };
      weight += heard.weight;
      effects = [];
      yield heard;
    }
    seq = (page.at(-1)?.seq ?? to_seq) + 1;
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
