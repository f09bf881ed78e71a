import { printRecall } from "../../recall/context/print.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";
import { recallOne } from "../../recall/run/recall-message.ts";
import type { RecallResult } from "../../recall/search/results.ts";
import { withoutInjected } from "../capture/injected.ts";
import type { AgentMemory } from "../memory.ts";

/** Tokens of what is printed, and characters, which every client accepts. */
const most = { tokens: 600, characters: 9500 };
/** Tokens of the passages: their places and marks take the rest. */
const budget = 480;

/**
 * What is remembered that is relevant to a prompt, fenced; empty for a prompt that no user wrote. No model is asked, nothing goes over a network. `incomplete`: the index lacks
 * entries; another process adds them, since a prompt does not wait. Errors: those of recall; `aborted` when the signal says so.
 */
export async function promptText(memory: AgentMemory, prompt: string, signal: AbortSignal) {
  const asked = askedOf(prompt);
  if (asked === "") return { text: "", index: "whole" } as const;
  const call = { signal };
  // The index keeps its vectors, which go by the embedder's id. What embeds slowly, as all do that settings name, is left to `heartwood index`.
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

/** Beginnings of texts that a client puts in place of the user's words. */
const internal = /^<(?:task-notification>|command-name>|command-message>|local-command-|bash-input>|bash-stdout>)/u;

/** What a user said in a prompt, without what a hook put into it, which would be searched for as if the user had asked; empty when no user wrote it. */
export function askedOf(prompt: string): string {
  const text = withoutInjected(prompt).trim();
  return internal.test(text) ? "" : text;
}
