import { frameAt } from "../run/threads.ts";
import { CUMULATIVE_KIND } from "../plan/thread-state.ts";
import { redact } from "../../text/redact/redact.ts";
import type { StoredCheckpoint } from "../store/thread-store.ts";
import type { MessagePart, Part, SummaryPart } from "../model/context.ts";
import { messageOf } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import { readPart, type Segment, uncoveredPart } from "./context-chain.ts";
import type { Compiled, ContextFacts } from "./covering-strategy.ts";
import { TokenMemo } from "../model/context-renderings.ts";

/** The compiler ids of the reference strategies and of the covering strategy. */
export const REFERENCE_COMPILER = "rip.context_compiler.v1";
export const COVERING_COMPILER = "heartwood.context_compiler.v1";

/** How many of the newest messages after the last summary are included. */
export const MOST_MESSAGES = 16;
/** Cumulative checkpoints per strategy, newest first; each has at most half the `to_seq` of the one before. */
export const MOST_SUMMARIES = {
  recent_messages_v1: 0,
  summaries_recent_messages_v1: 1,
  hierarchical_summaries_recent_messages_v1: 3,
} as const;

type Strategy = keyof typeof MOST_SUMMARIES;

/** Compiles a context with a reference strategy. These have no budget: they take 16 messages of any length and whole summaries, and do not follow parents. */
export async function compileReference(
  memory: ThreadMemory,
  {
    segment,
    strategy,
    facts,
  }: { readonly segment: Segment; readonly strategy: Strategy; readonly facts: ContextFacts },
): Promise<Compiled> {
  const { thread_id, messages: count } = segment;
  const checkpoints = await chooseCheckpoints(memory, segment, strategy);
  const read = await Promise.all(
    checkpoints.map((checkpoint) => {
      const { to_seq, ordinals } = checkpoint;
      const messages = ordinals === null ? null : ordinals[1] - ordinals[0] + 1;
      return readPart(memory, thread_id, checkpoint, { note: `compaction checkpoint to_seq=${to_seq}`, messages });
    }),
  );
  const summaries = read.map(({ part, lines }): SummaryPart =>
    "code" in lines ? { ...part, state: "missing" } : { ...part, lines },
  );
  const [covered] = await memory.threads.places(thread_id, [{ seq: checkpoints.at(-1)?.to_seq ?? -1 }]);
  const before = covered?.ordinal ?? 0;
  const first = Math.max(before, count - MOST_MESSAGES) + 1;
  const messages = await messagesFrom(memory, segment, first);
  // The text mentions the messages these strategies skip, even though their bundles have no item for them.
  const gap = await uncoveredPart(memory, thread_id, [before + 1, first - 1]);
  const [raw, uncovered] = [count - first + 1, first - 1 - before];
  const counts = { messages: count, raw, summarized: before, uncovered };
  const parts: readonly Part[] = [...summaries, ...gap, ...messages];
  const context = { ...facts, counts, parts };
  const tokens = new TokenMemo(memory.tokens).text(context);
  return { context, tokens, checkpoints, warnings: read.flatMap(({ lines }) => ("code" in lines ? [lines] : [])) };
}

/** Oldest first. */
async function chooseCheckpoints(
  memory: ThreadMemory,
  { thread_id, to_seq }: Segment,
  strategy: Strategy,
): Promise<readonly StoredCheckpoint[]> {
  const query = { thread_id, kind: CUMULATIVE_KIND, frame_seq_at_most: to_seq, limit: 1 };
  const chosen: StoredCheckpoint[] = [];
  while (chosen.length < MOST_SUMMARIES[strategy]) {
    const last = chosen[0]?.to_seq;
    const to_seq_at_most = last === undefined ? to_seq : Math.floor(last / 2);
    const [next] = await memory.threads.checkpoints({ ...query, to_seq_at_most });
    if (next === undefined || next.to_seq === last) break;
    chosen.unshift(next);
  }
  return chosen;
}

async function messagesFrom(
  memory: ThreadMemory,
  { thread_id, messages: count }: Segment,
  first: number,
): Promise<readonly MessagePart[]> {
  const ordinals = Array.from({ length: count - first + 1 }, (_, at) => ({ ordinal: first + at }));
  const places = await memory.threads.places(thread_id, ordinals);
  const frames = await Promise.all(places.flatMap((place) => (place ? [frameAt(memory, thread_id, place.seq)] : [])));
  return frames.flatMap((frame): readonly MessagePart[] => {
    const message = messageOf(frame);
    if (message === undefined) return [];
    return [{ kind: "message", thread_id, message: { ...message, content: redact(message.content).text } }];
  });
}
