import { segmentOf, type Chain, type Segment } from "./context-chain.ts";
import { once } from "../../base/lines.ts";
import { redact } from "../../text/redact/redact.ts";
import { type MessagePart, messageText } from "../model/context.ts";
import { turnOf, TURN_TOKENS, type TokenMemo } from "../model/context-renderings.ts";
import { messageOf, frameOf, MESSAGE } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";

/** Which of the newest messages may be raw: all from an ordinal onward, except those that are too big. */
export interface RawChoice {
  readonly raw_from: number;
  /** Ascending. */
  readonly holes: readonly number[];
  readonly tokens: number;
}

/** `room`: tokens for everything after the opening. `half`: tokens for raw messages; the newest message alone may use all of `room`. */
type RawSpace = Readonly<Record<"room" | "half", number>>;

/** Tokens for a line that says what is not shown. */
export const GAP_TOKENS = 24;
const MOST_HOLES = 8;
/** A chain with more bytes than this per token of room cannot fit as a whole, so that is not tried. */
const WHOLE_BYTES_A_TOKEN = 16;

/**
 * Goes back from the newest message while there is space. Skips a message that would take more than half of the space, so that one huge message does
 * not displace all others; stops at the first smaller one that does not fit. If the whole chain fits, takes everything.
 */
export async function chooseNewest(newest: NewestMessages, chain: Chain, space: RawSpace): Promise<RawChoice> {
  if (chain.weight <= space.room * WHOLE_BYTES_A_TOKEN) {
    const whole = await walk(newest, chain, { ...space, half: space.room });
    if (whole.raw_from === 1 && whole.holes.length === 0) return whole;
  }
  return walk(newest, chain, space);
}

async function walk(newest: NewestMessages, chain: Chain, { room, half }: RawSpace): Promise<RawChoice> {
  let [from, tokens, left] = [chain.messages + 1, 0, half];
  const holes: number[] = [];
  let thread: string | undefined;
  for (let ordinal = chain.messages; ordinal >= 1; ordinal -= 1) {
    const message = await newest.read(ordinal);
    const price = (message?.tokens ?? Number.POSITIVE_INFINITY) + headingOf(message?.part.thread_id, thread);
    if (price <= Math.min(ordinal === chain.messages ? room : left, room - tokens)) {
      [tokens, left, from, thread] = [tokens + price, left - price, ordinal, message?.part.thread_id];
    } else if (price > half / 2 && holes.length < MOST_HOLES && left >= GAP_TOKENS) {
      holes.unshift(ordinal);
      left -= GAP_TOKENS;
      tokens += GAP_TOKENS;
    } else break;
  }
  return { raw_from: from, holes: holes.filter((hole) => hole > from), tokens };
}

/** Upper bound on the tokens in a thread's heading: an id has no more tokens than characters. */
function headingOf(threadId: string | undefined, before: string | undefined): number {
  if (threadId === undefined || before === undefined || threadId === before) return 0;
  return GAP_TOKENS + threadId.length;
}

export function summarisedSegments(chain: Chain, { raw_from, holes }: RawChoice): Chain["segments"] {
  const older = chain.segments.filter(
    ({ messages, messages_before }) => messages > 0 && messages_before + 1 < raw_from,
  );
  return [...new Set([...older, ...holes.flatMap((hole) => segmentOf(chain, hole) ?? [])])];
}

interface RawMessage {
  readonly part: MessagePart;
  /** Its maximum tokens in any rendering, assuming that the previous message is from another day. */
  readonly tokens: number;
}

/** Messages with more bytes than this per token of the budget are not considered. */
const BYTES_A_TOKEN = 32;
const FIRST_PAGE = 32;
const MOST_IN_PAGE = 1_000;
/** Extra tokens for a full date instead of just a time. */
const DATE_TOKENS = 8;

/** Reads messages from newest to oldest, in pages, each only once. */
export class NewestMessages {
  readonly #memory: ThreadMemory;
  readonly #chain: Chain;
  readonly #memo: TokenMemo;
  /** The maximum weight of a message that is read. */
  readonly #most: number;
  readonly #messages = new Map<number, () => RawMessage>();
  #next: number;
  #limit = FIRST_PAGE;

  constructor(memory: ThreadMemory, chain: Chain, { budget, memo }: { budget: number; memo: TokenMemo }) {
    this.#memory = memory;
    this.#chain = chain;
    this.#memo = memo;
    this.#most = budget * BYTES_A_TOKEN;
    this.#next = chain.messages;
  }

  /** The message with this ordinal in the chain; undefined if it is too big for the budget. Reads everything newer first. */
  async read(ordinal: number): Promise<RawMessage | undefined> {
    while (this.#next >= ordinal && this.#next >= 1) {
      const segment = segmentOf(this.#chain, this.#next);
      if (segment === undefined) break;
      const found = await this.#readPage(segment);
      // If nothing was read, the message there is too big.
      this.#next -= Math.max(1, found);
      this.#limit = Math.min(2 * this.#limit, MOST_IN_PAGE);
    }
    return this.#messages.get(ordinal)?.();
  }

  async #readPage({ thread_id, messages_before }: Segment): Promise<number> {
    const { threads } = this.#memory;
    const [last] = await threads.places(thread_id, [{ ordinal: this.#next - messages_before }]);
    if (last === undefined || last.weight - last.weight_before > this.#most) return 0;
    const range = { thread_id, to_seq: last.seq, limit: this.#limit, most_bytes: 2 * this.#most };
    let read = 0;
    for (const stored of await threads.frames({ ...range, order: "descending" })) {
      if (stored.type !== MESSAGE) continue;
      const message = messageOf(frameOf(stored));
      // The next page starts at this message and finds that it is too big.
      if (message === undefined || Buffer.byteLength(message.content, "utf8") > this.#most) break;
      const priced = once(() => this.#priceOf({ kind: "message", thread_id, message }));
      this.#messages.set(messages_before + stored.ordinal, priced);
      read += 1;
    }
    return read;
  }

  #priceOf(found: MessagePart): RawMessage {
    const { text: content } = redact(found.message.content);
    const part: MessagePart = { ...found, message: { ...found.message, content } };
    const turn = this.#memo.sum(turnOf(part).blocks) + TURN_TOKENS;
    return { part, tokens: Math.max(this.#memo.count(messageText(part, "same")) + DATE_TOKENS, turn) };
  }
}
