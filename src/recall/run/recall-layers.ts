import { MemoryError } from "../../base/errors.ts";
import { isOneTopic } from "../context/remembered.ts";
import { printRecall } from "../context/print.ts";
import type { Layer, PreparedIndex, RecallMemory } from "../memory.ts";
import type { RecalledPassage, RecallResult } from "../search/results.ts";
import { markFor } from "./assemble-result.ts";
import { recallOne, type OneRecall } from "./recall-message.ts";

/** The share of the budget that a memory leaves to those under it. */
const shareOfOthers = 1 / 4;

/**
 * Recalls from a memory and then from those under it, each within what is left of the budget. On the same topic, only the first memory is heard: a
 * project's rule comes before a personal one. A memory under it that fails becomes a warning. Errors: `io`.
 */
export async function recallLayers(
  asked: Omit<OneRecall, "prepared">,
  prepare: (memory: RecallMemory) => Promise<PreparedIndex>,
): Promise<RecallResult> {
  const { memory, budget } = asked;
  const prepared = await prepare(memory);
  const layers = (await memory.under?.()) ?? [];
  if (layers.length === 0) return recallOne({ ...asked, prepared });
  let all = await recallOne({ ...asked, prepared, budget: budget - Math.floor(budget * shareOfOthers) });
  for (const layer of layers) {
    const left = budget - all.tokens;
    if (left <= 0) break;
    // Only the project's own nodes are shown to a model.
    const lower = { ...asked, memory: layer.memory, chooser: undefined, budget: left };
    all = await prepare(layer.memory)
      .then(async (ready) => joined(memory, all, layer, await recallOne({ ...lower, prepared: ready })))
      .catch((error: unknown) => withoutLayer(all, layer, error));
  }
  const { context } = all;
  const result = { ...all, mark: markFor(memory, context) };
  return { ...result, tokens_printed: context.length === 0 ? 0 : memory.tokens.count(printRecall(result)) };
}

function joined(memory: RecallMemory, all: RecallResult, { name }: Layer, lower: RecallResult): RecallResult {
  const isNew = (one: RecalledPassage): boolean => !all.context.some((given) => isOneTopic(given, one));
  const added = lower.context.filter(isNew).map((one) => ({ ...one, layer: name }));
  return {
    ...all,
    steps: [...all.steps, ...lower.steps.map((step) => ({ ...step, layer: name }))],
    context: [...all.context, ...added],
    tokens: all.tokens + added.reduce((sum, { text }) => sum + memory.tokens.count(text), 0),
    not_indexed: all.not_indexed + lower.not_indexed,
    warnings: [
      ...all.warnings,
      ...lower.warnings.map((warning) => ({ ...warning, message: `${name}: ${warning.message}` })),
    ],
  };
}

function withoutLayer(all: RecallResult, { name, memory }: Layer, error: unknown): RecallResult {
  if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
  const { code, message } = error;
  return {
    ...all,
    warnings: [...all.warnings, { code, path: memory.dir, message: `The ${name} memory was not searched: ${message}` }],
  };
}
