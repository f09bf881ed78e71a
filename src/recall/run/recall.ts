import { defaultBudget } from "../rank/weights.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { prepareIndex } from "../index/prepare.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { RecallInput, RecalledPassage, RecallResult, RankedSessions } from "../search/inputs-and-results.ts";
import { isOneTopic } from "../context/remembered.ts";
import { printRecall } from "../context/print.ts";
import type { Layer, PreparedIndex, RecallMemory } from "../memory.ts";
import { markFor } from "./assemble-result.ts";
import { recallOne, type OneRecall } from "./recall-message.ts";

/** How long one message may wait for new sources to be indexed, in milliseconds. */
const patience = 250;

/** How many sessions are returned if the caller does not say. */
const usualSessions = 10;

/** Finds passages relevant to a message, or sessions; with `batch`, streams one line of JSON per message. Errors: `usage`, `invalid_body`, `io`. */
export async function runRecall(
  memory: RecallMemory,
  input: RecallInput,
  call: Call,
): Promise<RecallResult | RankedSessions | AsyncIterable<string>> {
  const { text, also, batch, budget = defaultBudget, explain = false } = input;
  const limit = sessionsWanted(input);
  if (also !== undefined && batch !== undefined)
    throw new MemoryError("usage", '--also is for one message; a line of --batch has its own "also".', {
      field: "also",
    });
  if (batch !== undefined) {
    if (text !== undefined)
      throw new MemoryError("usage", "TEXT and --batch cannot be used together; omit one of them.", { field: "batch" });
    return recallBatch(batch, { memory, budget, explain, call }, limit);
  }
  if (text === undefined || text.trim() === "")
    throw new MemoryError(
      "usage",
      "No message to recall for; pass it as TEXT or on standard input, or pass several questions with --batch FILE.",
      { field: "text" },
    );
  const chooser = await memory.openChooser?.(memory);
  try {
    const prepare = (one: RecallMemory) => prepareIndex(one, { ms: patience }, call);
    // Imported lazily, because a message is seldom asked for sessions.
    if (limit !== undefined)
      return await (
        await import("./sessions.ts")
      ).rankSessions({ memory, prepared: await prepare(memory), text, also, chooser, call }, limit);
    return await recallLayers({ memory, text, also, budget, explain, chooser, call }, prepare);
  } finally {
    await chooser?.close();
  }
}

/** How many sessions are wanted; `undefined` if passages are. */
function sessionsWanted({ sessions = false, limit, budget, explain }: RecallInput): number | undefined {
  if (!sessions && limit === undefined) return undefined;
  if (!sessions)
    throw new MemoryError("usage", "--limit is for --sessions; passages have --budget.", { field: "limit" });
  const field = budget !== undefined ? "budget" : explain === true ? "explain" : undefined;
  if (field !== undefined)
    throw new MemoryError("usage", `--${field} is for passages; omit it, or --sessions.`, { field });
  return limit ?? usualSessions;
}

/** Codes of the warnings for a failed model choice. */
const choiceCodes: readonly string[] = ["chooser_failed", "budget_spent"];

/**
 * Yields a line of JSON `{question_id, context}` (`{question_id, sessions}` with `limit`) for each line `{question_id, question, also}` of the file as soon as it is answered, with `not_indexed` if sources are missing, and `warnings`
 * if the model's choice failed. An invalid line ends the stream with an error that contains its line number; earlier lines stay valid. `warnings` lists each
 * warning once and is complete at the end. Errors: `invalid_body`, any from the file.
 */
async function recallBatch(
  batch: InputFile,
  given: Pick<OneRecall, "memory" | "budget" | "explain" | "call">,
  limit: number | undefined,
) {
  const { memory, call } = given;
  const warnings: Warning[] = [];
  const tell = (warning: Warning): void => {
    const isKnown = warnings.some((known) => known.message === warning.message && known.path === warning.path);
    if (!isKnown) warnings.push(warning);
  };
  (await prepareIndex(memory, "whole", call)).warnings.forEach(tell);
  const chooser = await memory.openChooser?.(memory);
  async function* lines(): AsyncGenerator<string, void, void> {
    try {
      for await (const { question_id, question, also } of questionsIn(batch, call.signal)) {
        // Quick if nothing changed; otherwise everything is indexed before the question is answered.
        const prepare = async (one: RecallMemory) => {
          const quick = await prepareIndex(one, { ms: patience }, call);
          return quick.not_indexed === 0 ? quick : prepareIndex(one, "whole", call);
        };
        const asked = { ...given, chooser, text: question, also };
        const result =
          limit === undefined
            ? await recallLayers(asked, prepare)
            : await (await import("./sessions.ts")).rankSessions({ ...asked, prepared: await prepare(memory) }, limit);
        const found = "sessions" in result ? { sessions: result.sessions } : { context: result.context };
        const { not_indexed } = result;
        const own = result.warnings.filter(({ code }) => choiceCodes.includes(code));
        result.warnings.filter((warning) => !own.includes(warning)).forEach(tell);
        const more = { ...(not_indexed > 0 ? { not_indexed } : {}), ...(own.length > 0 ? { warnings: own } : {}) };
        yield JSON.stringify({ question_id, ...found, ...more });
      }
    } finally {
      await chooser?.close();
    }
  }
  return { warnings, [Symbol.asyncIterator]: lines };
}

interface Question {
  readonly question_id: string | number;
  readonly question: string;
  readonly also?: string;
}

/** Longest line, in characters. */
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
  const value = parseJson(line);
  if (value === undefined) throw refusal(file, number, "is not a complete JSON object");
  const { question_id, question, also } = isObject(value) ? value : {};
  if ((typeof question_id !== "string" && typeof question_id !== "number") || typeof question !== "string")
    throw refusal(file, number, "lacks a question_id or a question");
  if (also !== undefined && typeof also !== "string") throw refusal(file, number, 'has an "also" that is not a text');
  return { question_id, question, ...(also === undefined ? {} : { also }) };
}

function refusal({ name }: InputFile, line: number, fault: string): MemoryError {
  const message = `Line ${line} of ${name} ${fault}; each line must be a JSON object {"question_id": "…", "question": "…"}, with other words for it as "also" if there are any.`;
  return new MemoryError("invalid_body", message, { file: name, line });
}

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
    ...(lower.embedder !== undefined && {
      embedder: all.embedder ?? lower.embedder,
      embeddable: (all.embeddable ?? 0) + (lower.embeddable ?? 0),
      not_embedded: (all.not_embedded ?? 0) + (lower.not_embedded ?? 0),
    }),
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
