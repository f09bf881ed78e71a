import { printRecall } from "../../recall/context/print.ts";
import type { Known } from "../../recall/context/remembered.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";
import type { PreparedIndex, RecallMemory } from "../../recall/memory.ts";
import { recallLayers } from "../../recall/run/recall.ts";
import type { RecallResult } from "../../recall/search/inputs-and-results.ts";
import { withoutInjected } from "../capture/injected.ts";
import type { AgentMemory } from "../memory.ts";

/** Limits of the printed text. Every client accepts this many characters. */
const most = { prompt: 600, brief: 500, characters: 9500 };
/** Tokens for the passages; their places and marks take the rest. */
const budget = { prompt: 480, brief: 400 };

/**
 * Memories relevant to a prompt, fenced; empty for a prompt that no user wrote. Calls no model and uses no network. Uses the
 * index as it is; another process adds what it lacks, since a prompt does not wait. Errors: any from recall; `aborted` if the signal is aborted.
 */
export async function promptText(
  memory: AgentMemory,
  prompt: string,
  { signal, known, limit = "prompt", floor }: PromptOptions,
): Promise<PromptText> {
  const asked = askedOf(prompt);
  if (asked === "") return { text: "", lines: [], incomplete: [], generation: "" };
  const call = { signal };
  const incomplete: string[] = [];
  const prepare = async (one: RecallMemory): Promise<PreparedIndex> => {
    // Ranks without the embedder. The index keeps its vectors, which belong to the embedder's id; `heartwood index` computes new ones.
    const { embedder: _unasked, ...prepared } = await prepareIndex(one, { ms: 0, index: "as_it_is" }, call);
    if (prepared.not_indexed > 0) incomplete.push(one.dir);
    return prepared;
  };
  const recall = {
    memory,
    text: asked,
    budget: budget[limit],
    explain: false,
    way: "quick",
    floor,
    known,
    call,
  } as const;
  const found = fitted(memory, await recallLayers(recall, prepare), most[limit]);
  return { ...found, incomplete, generation: await memory.searchIndex.generation() };
}

interface PromptOptions {
  readonly signal: AbortSignal;
  readonly known: Known;
  /** `brief`: the task of a subagent. Default: a prompt of the user. */
  readonly limit?: "prompt" | "brief";
  /** See `OneRecall`. */
  readonly floor?: "none";
}

export interface PromptText {
  readonly text: string;
  /** The places of its passages. */
  readonly lines: readonly string[];
  /** The folders of memories whose index lacks entries. */
  readonly incomplete: readonly string[];
  /** The state of the index that answered. */
  readonly generation: string;
}

function fitted(
  memory: AgentMemory,
  { context: all, mark, tokens_printed: counted }: RecallResult,
  tokensAllowed: number,
): Pick<PromptText, "text" | "lines"> {
  for (let context = all; context.length > 0; context = context.slice(0, -1)) {
    const text = printRecall({ context, mark, not_indexed: 0 });
    const tokens = context === all ? counted : memory.tokens.count(text);
    if (text.length <= most.characters && tokens <= tokensAllowed)
      return { text, lines: context.map(({ source }) => source) };
  }
  return { text: "", lines: [] };
}

/** How texts start that a client sends in place of the user's words. */
const internal = /^<(?:task-notification>|command-name>|command-message>|local-command-|bash-input>|bash-stdout>)/u;

/** The user's words in a prompt, without text that hooks added; empty if no user wrote the prompt. */
export function askedOf(prompt: string): string {
  const text = withoutInjected(prompt).trim();
  return internal.test(text) ? "" : text;
}
