import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Memory } from "../src/engine/memory.ts";
import { openMemory } from "../src/open.ts";
import type { FrameDraft } from "../src/thread/frame.ts";
import { blockSize, levelsOf, rungKind, rungRule, weightOf, type Block } from "../src/thread/ladder.ts";
import { printLines, printSummary } from "../src/thread/summary-format.ts";
import { roleOf } from "../src/thread/frame.ts";
import type { SummaryLine } from "../src/thread/summarizer.ts";

export interface Said {
  readonly actor_id: string;
  readonly content: string;
}

export async function openFolder(): Promise<{
  readonly memory: Memory;
  readonly dir: string;
  remove(): Promise<void>;
}> {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-context-"));
  const memory = await openMemory({ dir, folder: "prepared" });
  const remove = async (): Promise<void> => {
    await memory.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { memory, dir, remove };
}

/** Frame ids in their order; each gets its own timestamp, a minute apart. */
export function createDrafts(start = 0): (type: FrameDraft["type"], payload: FrameDraft["payload"]) => FrameDraft {
  let count = start;
  return (type, payload) => {
    count += 1;
    const id = `00000000-0000-7000-8000-${count.toString(16).padStart(12, "0")}`;
    const named = type === "continuity_compaction_checkpoint_created" ? { checkpoint_id: id } : {};
    return { id, timestamp_ms: 1_767_225_600_000 + count * 60_000, type, payload: { ...named, ...payload } };
  };
}

export type Drafts = ReturnType<typeof createDrafts>;

export const messageDraft = (drafts: Drafts, { actor_id, content }: Said): FrameDraft =>
  drafts("continuity_message_appended", { actor_id, origin: "test", content });

export async function appendAll(memory: Memory, threadId: string, frames: readonly FrameDraft[]): Promise<void> {
  if (frames.length > 0) await memory.threads.append({ thread_id: threadId, frames });
}

interface Placed extends Said {
  readonly ordinal: number;
  readonly seq: number;
  readonly id: string;
  readonly before: number;
}

/** The messages of a thread with their weights. */
export function placed(said: readonly (Said & { readonly seq: number; readonly id: string })[]): readonly Placed[] {
  let weight = 0;
  return said.map((message, index) => {
    const before = weight;
    weight += weightOf(message.content);
    return { ...message, ordinal: index + 1, before };
  });
}

/** Every complete block with messages that `keep` keeps, as an artifact that is stored and the frame that names it. */
export async function plantRungs(
  memory: Memory,
  threadId: string,
  plant: {
    readonly messages: readonly Placed[];
    readonly drafts: Drafts;
    readonly keep?: (block: Block) => boolean;
    readonly lines?: number;
  },
): Promise<readonly FrameDraft[]> {
  const { messages, drafts, keep = () => true, lines = 12 } = plant;
  const last = messages.at(-1);
  const weight = last === undefined ? 0 : last.before + weightOf(last.content);
  const found: { block: Block; inside: readonly Placed[] }[] = [];
  for (let level = 0; level < levelsOf(weight); level += 1) {
    const groups = Map.groupBy(messages, ({ before }) => Math.floor(before / blockSize(level)));
    for (const [index, inside] of groups)
      if ((index + 1) * blockSize(level) <= weight && keep({ level, index }))
        found.push({ block: { level, index }, inside });
  }
  const bytes = found.map(({ block, inside }) => rungBytes(threadId, block, { inside, lines }));
  const ids = await memory.artifacts.putAll(bytes);
  return found.map(({ block, inside }, index) => {
    const [first, end] = [inside[0], inside.at(-1)];
    return drafts("continuity_compaction_checkpoint_created", {
      cut_rule_id: rungRule(block),
      summary_kind: rungKind(block.level),
      summary_artifact_id: ids[index],
      from_seq: first?.seq,
      to_seq: end?.seq,
      to_message_id: end?.id,
      actor_id: "heartwood",
      origin: "ladder",
    });
  });
}

function rungBytes(
  threadId: string,
  block: Block,
  { inside, lines }: { readonly inside: readonly Placed[]; readonly lines: number },
): Uint8Array {
  const step = Math.max(1, Math.floor(inside.length / lines));
  const chosen = inside.filter((_, index) => index % step === 0).slice(0, lines);
  const told: readonly SummaryLine[] = chosen.map(({ seq, actor_id, content }) => ({
    seq,
    role: roleOf(actor_id),
    text: content.replace(/\s+/gu, " ").trim().slice(0, 120) || "(nothing)",
  }));
  const [first, last] = [inside[0], inside.at(-1)];
  return printSummary({
    schema: "rip.compaction_summary.v1",
    kind: rungKind(block.level),
    coverage: { thread_id: threadId, from_seq: first?.seq ?? 0, to_seq: last?.seq ?? 0 },
    provenance: { actor_id: "heartwood", origin: "ladder", produced_by: { type: "summarizer", id: "test" } },
    summary_markdown: printLines(told, [first?.ordinal ?? 0, last?.ordinal ?? 0]),
  });
}
