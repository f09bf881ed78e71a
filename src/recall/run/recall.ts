import { MemoryError } from "../../base/errors.ts";
import { prepareIndex } from "../index/prepare.ts";
import type { PreparedIndex } from "../index/prepared.ts";
import type { RecallMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { RecallInput } from "../search/inputs.ts";
import type { RecallResult } from "../search/results.ts";
import { recallBatch } from "./batch.ts";
import type { Chooser } from "./chooser.ts";
import { recallOne } from "./one.ts";

/** Tokens of the passages when nothing else is asked for. */
const usualBudget = 2000;
/** Milliseconds that one message may wait for what is new to come into the index. */
const patience = 250;

/** What the memory holds that bears on a message; with `batch` a line of JSON for each of many. Errors: `usage`, `invalid_body`, `io`. */
export async function runRecall(
  memory: RecallMemory,
  input: RecallInput,
  call: Call,
): Promise<RecallResult | AsyncIterable<string>> {
  const { text, batch, budget = usualBudget } = input;
  const explain = input.explain === true ? "told" : "left out";
  if (batch !== undefined) {
    if (text !== undefined) throw bothGiven();
    const prepare = (): Promise<PreparedIndex> => preparedAgain(memory, call);
    const prepared = await prepareIndex(memory, "whole", call);
    return recallBatch({ memory, prepared, prepare, batch, budget, explain, ...(await chooserOf(memory)), call });
  }
  if (text === undefined || text.trim() === "") throw nothingGiven();
  const prepared = await preparedNow(memory, call);
  const chosen = await chooserOf(memory);
  try {
    return await recallOne({ memory, prepared, text, budget, explain, ...chosen, call });
  } finally {
    await chosen.chooser?.close();
  }
}

/** Only the user's own settings can name a model that chooses; without one nothing of this is loaded. */
async function chooserOf(memory: RecallMemory): Promise<{ readonly chooser?: Chooser }> {
  const chooser = await memory.openChooser?.(memory);
  return chooser === undefined ? {} : { chooser };
}

/** Quick while nothing changes; else everything is brought in before the next question of a batch. */
async function preparedAgain(memory: RecallMemory, call: Call): Promise<PreparedIndex> {
  const prepared = await preparedNow(memory, call);
  return prepared.not_indexed === 0 ? prepared : prepareIndex(memory, "whole", call);
}

async function preparedNow(memory: RecallMemory, call: Call): Promise<PreparedIndex> {
  return prepareIndex(memory, { ms: patience }, call);
}

function nothingGiven(): MemoryError {
  const message =
    "There is no text to recall for; give what the user said as TEXT or on standard input, or many with --batch FILE.";
  return new MemoryError("usage", message, { field: "text" });
}

function bothGiven(): MemoryError {
  return new MemoryError("usage", "TEXT and --batch are both given; leave one of them out.", { field: "batch" });
}
