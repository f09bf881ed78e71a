import { printRecall } from "../../recall/context/print.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";
import { recallOne } from "../../recall/run/recall-message.ts";
import type { RecallResult } from "../../recall/search/results.ts";
import { withoutInjected } from "../capture/injected.ts";
import type { AgentMemory } from "../memory.ts";

/** Limits of the printed text that every client accepts. */
const most = { tokens: 600, characters: 9500 };
/** Tokens for the passages; their places and marks take the rest. */
const budget = 480;

/**
 * Memories relevant to a prompt, fenced; empty for a prompt that no user wrote. Calls no model and uses no network. `incomplete`: the index lacks
 * entries; another process adds them, since a prompt does not wait. Errors: any from recall; `aborted` if the signal is aborted.
 */
export async function promptText(memory: AgentMemory, prompt: string, signal: AbortSignal) {
  const asked = askedOf(prompt);
  if (asked === "") return { text: "", index: "whole" } as const;
  const call = { signal };
  // Ranks without the embedder. The index keeps its vectors, which belong to the embedder's id; `heartwood index` computes new ones.
  const { embedder: _unasked, ...prepared } = await prepareIndex(memory, { ms: 0, index: "as_it_is" }, call);
  const recall = { memory, prepared, text: asked, budget, explain: false, way: "quick", call } as const;
  const text = fitted(memory, await recallOne(recall));
  return { text, index: prepared.not_indexed === 0 ? "whole" : "incomplete" } as const;
}

function fitted(memory: AgentMemory, { context: all, mark, tokens_printed: counted }: RecallResult): string {
  for (let context = all; context.length > 0; context = context.slice(0, -1)) {
    const text = printRecall({ context, mark, not_indexed: 0 });
    const tokens = context === all ? counted : memory.tokens.count(text);
    if (text.length <= most.characters && tokens <= most.tokens) return text;
  }
  return "";
}

/** How texts start that a client sends in place of the user's words. */
const internal = /^<(?:task-notification>|command-name>|command-message>|local-command-|bash-input>|bash-stdout>)/u;

/** The user's words in a prompt, without text that hooks added; empty if no user wrote the prompt. */
export function askedOf(prompt: string): string {
  const text = withoutInjected(prompt).trim();
  return internal.test(text) ? "" : text;
}
