import { segmentOf, type Chain } from "./context-chain.ts";
import type { NewestMessages } from "./newest-messages.ts";

/** Which of the newest messages may be raw: all from an ordinal on, but for those that are too big. */
export interface RawChoice {
  readonly raw_from: number;
  /** Ascending. */
  readonly holes: readonly number[];
  readonly tokens: number;
}

export interface RawSpace {
  /** Tokens for everything that follows the opening. */
  readonly room: number;
  /** Tokens for raw messages; the newest message alone may take all of the room. */
  readonly half: number;
}

/** Tokens for a line that says what is not shown. */
export const GAP_TOKENS = 24;
const MOST_HOLES = 8;
/** A text of that many bytes a token of the room is not worth reading as a whole. */
const BYTES_A_TOKEN = 16;

/**
 * Goes back from the newest message while the space lasts. One that would take more than half of the space is passed over, so that one huge message
 * does not take the place of all others; the first of another size that does not fit ends it. A chain that fits as a whole is taken as a whole.
 */
export async function chooseNewest(newest: NewestMessages, chain: Chain, space: RawSpace): Promise<RawChoice> {
  if (chain.weight <= space.room * BYTES_A_TOKEN) {
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
  const kept = holes.filter((hole) => hole > from);
  return { raw_from: from, holes: kept, tokens };
}

/** Tokens for the heading of a thread, at most: an id has no more tokens than characters. */
function headingOf(threadId: string | undefined, before: string | undefined): number {
  if (threadId === undefined || before === undefined || threadId === before) return 0;
  return GAP_TOKENS + threadId.length;
}

/** The segments of a chain with messages that are not raw. */
export function summarisedSegments(chain: Chain, { raw_from, holes }: RawChoice): Chain["segments"] {
  const older = chain.segments.filter(
    ({ messages, messages_before }) => messages > 0 && messages_before + 1 < raw_from,
  );
  const within = holes.flatMap((hole) => segmentOf(chain, hole) ?? []);
  return [...new Set([...older, ...within])];
}
