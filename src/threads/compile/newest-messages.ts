import { redact } from "../../text/redact/redact.ts";
import type { MessagePart } from "../model/context.ts";
import { turnOf, TURN_TOKENS } from "../model/context-chat.ts";
import { messageText } from "../model/context-text.ts";
import { isFrame, messageOf, parseFrame } from "../model/frame-format.ts";
import type { ThreadMemory } from "../memory.ts";
import { segmentOf, type Chain, type Segment } from "./context-chain.ts";
import type { TokenMemo } from "../run/token-memo.ts";

/** A message that may be raw, by its ordinal in the chain. */
export interface RawMessage {
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
  const [last, window] = [await placeAt(threads, thread_id, ordinal), 2 * most];
  if (last === undefined || last.weight - last.weight_before > most) return [];
  const [first] = await threads.places(thread_id, [{ weight: Math.max(0, last.weight - window) }]);
  const query = { thread_id, types: [MESSAGE], order: "descending" as const, limit };
  const frames = await threads.frames({ ...query, from_seq: first?.seq ?? 0, to_seq: last.seq });
  const found: (readonly [number, MessagePart])[] = [];
  for (const frame of frames) {
    const parsed = parseFrame(frame.line);
    const message = isFrame(parsed) ? messageOf(parsed) : undefined;
    // The next page begins at it, and finds that it is too big.
    if (message === undefined || Buffer.byteLength(message.content, "utf8") > most) break;
    found.push([frame.ordinal, { kind: "message", thread_id, message }]);
  }
  return found;
}

const MESSAGE = "continuity_message_appended";

async function placeAt(threads: ThreadMemory["threads"], threadId: string, ordinal: number) {
  return (await threads.places(threadId, [{ ordinal }]))[0];
}

function priceOf(found: MessagePart, memo: TokenMemo): RawMessage {
  const { text: content } = redact(found.message.content);
  const part: MessagePart = { ...found, message: { ...found.message, content } };
  const turn = memo.sum(turnOf(part).blocks) + TURN_TOKENS;
  return { part, tokens: Math.max(memo.count(messageText(part, "same")) + DATE_TOKENS, turn) };
}

/** What a date takes more than a time of the same day. */
const DATE_TOKENS = 8;
