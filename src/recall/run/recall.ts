import { defaultBudget } from "../rank/options.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { prepareIndex } from "../index/prepare.ts";
import type { RecallMemory, Chooser } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { RecallInput } from "../search/inputs.ts";
import type { RecallResult } from "../search/results.ts";
import { recallOne } from "./recall-message.ts";
import type { Explain } from "./assemble-result.ts";

/** Milliseconds that one message may wait for what is new to come into the index. */
const patience = 250;

/** Passages relevant to a message; with `batch` a line of JSON for each of many. Errors: `usage`, `invalid_body`, `io`. */
export async function runRecall(
  memory: RecallMemory,
  input: RecallInput,
  call: Call,
): Promise<RecallResult | AsyncIterable<string>> {
  const { text, batch, budget = defaultBudget } = input;
  const explain = input.explain === true ? "told" : "left out";
  if (batch !== undefined) {
    if (text !== undefined)
      throw new MemoryError("usage", "TEXT and --batch are both given; leave one of them out.", { field: "batch" });
    return recallBatch({ memory, batch, budget, explain, call });
  }
  if (text === undefined || text.trim() === "")
    throw new MemoryError(
      "usage",
      "There is no text to recall for; give what the user said as TEXT or on standard input, or many with --batch FILE.",
      { field: "text" },
    );
  const prepared = await prepareIndex(memory, { ms: patience }, call);
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

/** Warnings of a choice that failed. */
const choiceCodes: readonly string[] = ["chooser_failed", "budget_spent"];

interface BatchRecall {
  readonly memory: RecallMemory;
  readonly batch: InputFile;
  readonly budget: number;
  readonly explain: Explain;
  readonly call: Call;
}

/** Lines as they come, and each warning once, complete at the end. */
interface RecallLines extends AsyncIterable<string> {
  readonly warnings: readonly Warning[];
}

/**
 * A line of JSON `{question_id, context}` for each line of the file, as they come; with `not_indexed` when sources are missing, and `warnings` when a model was to choose and did not.
 * A line that is no question ends the stream with its number; what was printed before stays valid. Errors: `invalid_body`, those of the file.
 */
async function recallBatch({ batch, ...given }: BatchRecall): Promise<RecallLines> {
  const { memory, call } = given;
  const warnings: Warning[] = [];
  const tell = (warning: Warning): void => {
    const isKnown = warnings.some((known) => known.message === warning.message && known.path === warning.path);
    if (!isKnown) warnings.push(warning);
  };
  (await prepareIndex(memory, "whole", call)).warnings.forEach(tell);
  const chosen = await chooserOf(memory);
  async function* lines(): AsyncGenerator<string, void, void> {
    try {
      for await (const { question_id, question } of questionsIn(batch, call.signal)) {
        // Quick while nothing changes; else everything is brought in before the next question.
        const quick = await prepareIndex(memory, { ms: patience }, call);
        const prepared = quick.not_indexed === 0 ? quick : await prepareIndex(memory, "whole", call);
        const result = await recallOne({ ...given, ...chosen, prepared, text: question });
        const { context, not_indexed } = result;
        const own = result.warnings.filter(({ code }) => choiceCodes.includes(code));
        result.warnings.filter((warning) => !own.includes(warning)).forEach(tell);
        const more = { ...(not_indexed > 0 ? { not_indexed } : {}), ...(own.length > 0 ? { warnings: own } : {}) };
        yield JSON.stringify({ question_id, context, ...more });
      }
    } finally {
      await chosen.chooser?.close();
    }
  }
  return { warnings, [Symbol.asyncIterator]: lines };
}

interface Question {
  readonly question_id: string | number;
  readonly question: string;
}

/** Characters of one line; a question is shorter. */
const longestLine = 16 * 1024 * 1024;

async function* questionsIn(file: InputFile, signal: AbortSignal | undefined): AsyncGenerator<Question, void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [pending, number] = ["", 0];
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw refusal(file, number + 1, "is not UTF-8");
    }
  };
  for await (const chunk of file.chunks(signal)) {
    const lines = (pending + decoded(chunk)).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) {
      number += 1;
      if (line.trim() !== "") yield questionIn(line, number, file);
    }
    if (pending.length > longestLine) throw refusal(file, number + 1, `is longer than ${longestLine} characters`);
  }
  pending += decoded();
  if (pending.trim() !== "") yield questionIn(pending, number + 1, file);
}

function questionIn(line: string, number: number, file: InputFile): Question {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refusal(file, number, "is not a complete JSON object");
  }
  const fields: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
  const { question_id, question } = fields;
  if ((typeof question_id !== "string" && typeof question_id !== "number") || typeof question !== "string")
    throw refusal(file, number, "has no question_id and question");
  return { question_id, question };
}

function refusal({ name }: InputFile, line: number, fault: string): MemoryError {
  const message = `Line ${line} of ${name} ${fault}; give a JSON object {"question_id": "…", "question": "…"} on each line.`;
  return new MemoryError("invalid_body", message, { file: name, line });
}
