import { defaultBudget } from "../rank/options.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { prepareIndex } from "../index/prepare.ts";
import type { PreparedIndex, RecallMemory, Chooser } from "../memory.ts";
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
    const prepare = (): Promise<PreparedIndex> => preparedAgain(memory, call);
    const prepared = await prepareIndex(memory, "whole", call);
    return recallBatch({ memory, prepared, prepare, batch, budget, explain, ...(await chooserOf(memory)), call });
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

/** Quick while nothing changes; else everything is brought in before the next question of a batch. */
async function preparedAgain(memory: RecallMemory, call: Call): Promise<PreparedIndex> {
  const prepared = await prepareIndex(memory, { ms: patience }, call);
  return prepared.not_indexed === 0 ? prepared : prepareIndex(memory, "whole", call);
}

/** What a choice that failed is told by. */
const choiceCodes: readonly string[] = ["chooser_failed", "budget_spent"];

interface BatchRecall {
  readonly memory: RecallMemory;
  /** As the batch begins. */
  readonly prepared: PreparedIndex;
  /** Brings the index up to date, or as far as a question may wait for; asked again for each, since a batch may take long. */
  readonly prepare: () => Promise<PreparedIndex>;
  readonly batch: InputFile;
  readonly budget: number;
  readonly explain: Explain;
  /** Closed at the end. */
  readonly chooser?: Chooser;
  readonly call: Call;
}

/** Lines as they come, and what has to be told beside them once they are through: each warning once. */
interface RecallLines extends AsyncIterable<string> {
  readonly warnings: readonly Warning[];
}

/**
 * A line of JSON `{question_id, context}` for each line of the file, as they come; with `not_indexed` when sources are missing, and `warnings` when a model was to choose and did not.
 * A line that is no question ends the stream with its number; what was printed before stays right. Errors: `invalid_body`, those of the file.
 */
function recallBatch(given: BatchRecall): RecallLines {
  const warnings: Warning[] = [];
  const tell = (warning: Warning): void => {
    const isKnown = warnings.some((known) => known.message === warning.message && known.path === warning.path);
    if (!isKnown) warnings.push(warning);
  };
  given.prepared.warnings.forEach(tell);
  return { warnings, [Symbol.asyncIterator]: () => linesOf(given, tell) };
}

async function* linesOf(
  { batch, prepare, ...given }: BatchRecall,
  tell: (warning: Warning) => void,
): AsyncGenerator<string, void, void> {
  try {
    for await (const { question_id, question } of questionsIn(batch, given.call.signal)) {
      const prepared = await prepare();
      const { context, not_indexed, warnings } = await recallOne({ ...given, prepared, text: question });
      const own = warnings.filter(({ code }) => choiceCodes.includes(code));
      warnings.filter((warning) => !own.includes(warning)).forEach(tell);
      const more = { ...(not_indexed > 0 ? { not_indexed } : {}), ...(own.length > 0 ? { warnings: own } : {}) };
      yield JSON.stringify({ question_id, context, ...more });
    }
  } finally {
    await given.chooser?.close();
  }
}

interface Question {
  readonly question_id: string | number;
  readonly question: string;
}

async function* questionsIn(file: InputFile, signal: AbortSignal | undefined): AsyncGenerator<Question, void, void> {
  let number = 0;
  for await (const line of linesIn(file, signal)) {
    number += 1;
    if (line.trim() !== "") yield questionIn(line, number, file);
  }
}

/** Characters of one line; a question is shorter. */
const longestLine = 16 * 1024 * 1024;

async function* linesIn(file: InputFile, signal: AbortSignal | undefined): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pending = "";
  let number = 0;
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
      yield line;
    }
    if (pending.length > longestLine) throw refusal(file, number + 1, `is longer than ${longestLine} characters`);
  }
  pending += decoded();
  if (pending !== "") yield pending;
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
