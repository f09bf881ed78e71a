import { segmentOf, type Chain, type Segment } from "./context-chain.ts";
import { redact } from "../../text/redact/redact.ts";
import { type MessagePart, messageText } from "../model/context.ts";
import { turnOf, TURN_TOKENS, type TokenMemo } from "../model/context-renderings.ts";
import { messageOf, frameOf, MESSAGE } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";

/** Which of the newest messages may be raw: all from an ordinal on, but for those that are too big. */
export interface RawChoice {
  readonly raw_from: number;
  /** Ascending. */
  readonly holes: readonly number[];
  readonly tokens: number;
}

interface RawSpace {
  /** Tokens for everything that follows the opening. */
  readonly room: number;
  /** Tokens for raw messages; the newest message alone may take all of the room. */
  readonly half: number;
}

/** Tokens for a line that says what is not shown. */
export const GAP_TOKENS = 24;
const MOST_HOLES = 8;
/** A text of that many bytes a token of the room is not worth reading as a whole. */
const WHOLE_BYTES_A_TOKEN = 16;

/**
 * Goes back from the newest message while the space lasts. One that would take more than half of the space is passed over, so that one huge message
 * does not take the place of all others; the first of another size that does not fit ends it. A chain that fits as a whole is taken as a whole.
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

/** A message that may be raw, by its ordinal in the chain. */
interface RawMessage {
  readonly part: MessagePart;
  /** Tokens that it takes at most, whichever the rendering, when it is said on another day than the message before it. */
  readonly tokens: number;
}

/** Reads messages from the newest to the oldest, in pages, each once. */
export interface NewestMessages {
  /** The message of that ordinal; undefined when it is bigger than any budget allows. Everything newer is read first. */
  read(ordinal: number): Promise<RawMessage | undefined>;
}

/** No message with more bytes a token of the budget is looked at. */
const BYTES_A_TOKEN = 32;

export function createNewestMessages(
  memory: ThreadMemory,
  chain: Chain,
  limits: { readonly budget: number; readonly memo: TokenMemo },
): NewestMessages {
  const most = limits.budget * BYTES_A_TOKEN;
  const parts = new Map<number, MessagePart>();
  const priced = new Map<number, RawMessage>();
  let next = chain.messages;
  let page = FIRST_PAGE;
  const readPage = async (): Promise<void> => {
    const segment = segmentOf(chain, next);
    if (segment === undefined) return;
    const found = await pageUpTo(memory, segment, { ordinal: next - segment.messages_before, most, limit: page });
    for (const [ordinal, part] of found) parts.set(segment.messages_before + ordinal, part);
    // Without any, the message there is too big, and nothing of it was read.
    next -= Math.max(1, found.length);
    page = Math.min(2 * page, 1_000);
  };
  return {
    read: async (ordinal) => {
      while (next >= ordinal && next >= 1) await readPage();
      const known = priced.get(ordinal);
      const part = parts.get(ordinal);
      if (known !== undefined || part === undefined) return known;
      const message = priceOf(part, limits.memo);
      priced.set(ordinal, message);
      return message;
    },
  };
}

const FIRST_PAGE = 32;

interface Page {
  readonly ordinal: number;
  /** The weight of one message up to which it is read. */
  readonly most: number;
  readonly limit: number;
}

async function pageUpTo(
  { threads }: ThreadMemory,
  { thread_id }: Segment,
  { ordinal, most, limit }: Page,
): Promise<readonly (readonly [number, MessagePart])[]> {
  const [last] = await threads.places(thread_id, [{ ordinal }]);
  if (last === undefined || last.weight - last.weight_before > most) return [];
  const [first] = await threads.places(thread_id, [{ weight: Math.max(0, last.weight - 2 * most) }]);
  const query = { thread_id, types: [MESSAGE], order: "descending" as const, limit };
  const frames = await threads.frames({ ...query, from_seq: first?.seq ?? 0, to_seq: last.seq });
  const found: (readonly [number, MessagePart])[] = [];
  for (const frame of frames) {
    const message = messageOf(frameOf(frame));
    // The next page begins at it, and finds that it is too big.
    if (message === undefined || Buffer.byteLength(message.content, "utf8") > most) break;
    found.push([frame.ordinal, { kind: "message", thread_id, message }]);
  }
  return found;
}

function priceOf(found: MessagePart, memo: TokenMemo): RawMessage {
  const { text: content } = redact(found.message.content);
  const part: MessagePart = { ...found, message: { ...found.message, content } };
  const turn = memo.sum(turnOf(part).blocks) + TURN_TOKENS;
  return { part, tokens: Math.max(memo.count(messageText(part, "same")) + DATE_TOKENS, turn) };
}

/** What a date takes more than a time of the same day. */
const DATE_TOKENS = 8;
