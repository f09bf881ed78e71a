import { MemoryError } from "../../base/errors.ts";
import type { Memory, NamedEmbedder } from "../memory.ts";
import { printRecall } from "../recall/printed.ts";
import { runRecall } from "../recall/recall.ts";
import type { RecallResult } from "../search/results.ts";
import { askedOf } from "./asked.ts";

/** Tokens, and characters that every client takes. */
const budget = 600;
const mostCharacters = 9500;

/**
 * What is remembered that bears on a prompt, fenced; empty when nothing does, and for a prompt that no person wrote. No model is asked, nothing goes over a network.
 * Errors: those of recall; `aborted` when the signal says so.
 */
export async function promptText(memory: Memory, prompt: string, signal: AbortSignal): Promise<string> {
  const text = askedOf(prompt);
  if (text === "") return "";
  const result = await runRecall(onlyHere(memory), { text, budget }, { signal });
  return "context" in result ? fitted(memory, result) : "";
}

/** What is printed, with its places and marks, is what has to fit. */
function fitted(memory: Memory, result: RecallResult): string {
  for (let { context } = result; context.length > 0; context = context.slice(0, -1)) {
    const text = printRecall({ ...result, context, not_indexed: 0 });
    if (text.length <= mostCharacters && memory.tokens.count(text) <= budget) return text;
  }
  return "";
}

/** Without models, which may be asked over a network or take long to load; the index keeps the vectors that it has. */
function onlyHere({ chooser: _chooser, ...memory }: Memory): Memory {
  const { embedder, embedders } = memory;
  return {
    ...memory,
    ...(embedder === undefined ? {} : { embedder: unopened(embedder) }),
    ...(embedders === undefined
      ? {}
      : { embedders: new Map([...embedders].map(([name, one]) => [name, unopened(one)])) }),
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
