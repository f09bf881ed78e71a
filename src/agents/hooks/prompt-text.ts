import { MemoryError } from "../../base/errors.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";
import type { AgentMemory } from "../memory.ts";
import type { NamedEmbedder } from "../../recall/memory.ts";
import { recallOne } from "../../recall/run/recall-message.ts";
import { printRecall } from "../../recall/context/print.ts";
import type { RecallResult } from "../../recall/search/results.ts";
import { withoutInjected } from "../capture/injected.ts";

/** Tokens of what is printed, and characters, which every client takes. */
const most = { tokens: 600, characters: 9500 };
/** Tokens of the passages: their places and marks take the rest. */
const budget = 480;

interface PromptText {
  /** Fenced; empty when nothing that is remembered bears on the prompt, and for a prompt that no person wrote. */
  readonly text: string;
  /** `behind`: the index lacks entries. Another process adds them: a prompt does not wait for it. */
  readonly index: "whole" | "behind";
}

/** What is remembered that bears on a prompt. No model is asked, nothing goes over a network. Errors: those of recall; `aborted` when the signal says so. */
export async function promptText(opened: AgentMemory, prompt: string, signal: AbortSignal): Promise<PromptText> {
  const text = askedOf(prompt);
  if (text === "") return { text: "", index: "whole" };
  const memory = onlyHere(opened);
  const call = { signal };
  const prepared = await prepareIndex(memory, { ms: 0, index: "as_it_is" }, call);
  const asked = { memory, prepared, text, budget, explain: "left out", way: "quick", call } as const;
  return { text: fitted(memory, await recallOne(asked)), index: prepared.not_indexed === 0 ? "whole" : "behind" };
}

function fitted(memory: AgentMemory, { context: all, mark, tokens_printed: counted }: RecallResult): string {
  for (let context = all; context.length > 0; context = context.slice(0, -1)) {
    const text = printRecall({ context, mark, not_indexed: 0 });
    const tokens = context === all ? counted : memory.tokens.count(text);
    if (text.length <= most.characters && tokens <= most.tokens) return text;
  }
  return "";
}

/** Without models, which may be asked over a network or take long to load; the index keeps the vectors that it has. */
function onlyHere(memory: AgentMemory): AgentMemory {
  const { embedder, embedders = new Map<string, NamedEmbedder>() } = memory;
  if (embedder === undefined && embedders.size === 0) return memory;
  return {
    ...memory,
    ...(embedder === undefined ? {} : { embedder: unopened(embedder) }),
    embedders: new Map([...embedders].map(([name, one]) => [name, unopened(one)])),
  };
}

function unopened(one: NamedEmbedder): NamedEmbedder {
  return {
    get id() {
      return one.id;
    },
    pace: "slow",
    open: async () => {
      throw new MemoryError("model_unavailable", "A hook asks no model; what it finds it finds by words.");
    },
  };
}

/** How texts begin that a client puts in the place of the user's words. */
const internal = [
  "<task-notification>",
  "<command-name>",
  "<command-message>",
  "<local-command-",
  "<bash-input>",
  "<bash-stdout>",
];

/** What a person said in a prompt; empty when it was none. What a hook put into it is left out: it would be looked for as if it had been asked. */
export function askedOf(prompt: string): string {
  const text = withoutInjected(prompt).trim();
  return internal.some((beginning) => text.startsWith(beginning)) ? "" : text;
}
