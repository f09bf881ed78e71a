import { setTimeout as sleep } from "node:timers/promises";
import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import type { NamedSummarizer, SummaryMemory, Summarizer } from "../memory.ts";
import type { PrintedPrompt } from "../request/request.ts";
import { Budget, sendCounted, totalOf, type Budgeted } from "../run/budget.ts";
import { choicePromptRule, type ChoiceRecord, readChoice, writeChoiceRecord } from "./choice.ts";
import type { ManifestTopic } from "./manifest.ts";

export interface ChoiceRequest {
  readonly topics: readonly ManifestTopic[];
  readonly prompt: PrintedPrompt;
  readonly digest: string;
}

export interface MadeChoice {
  readonly record: ChoiceRecord;
  readonly warnings: readonly Warning[];
}

/** Tokens for the answer: a few numbers and words, plus some reasoning for reasoning models. */
export const answerTokens = 256;

/** How long a try waits for a process that is requesting summaries, in milliseconds. Waiting for it to finish could take minutes. */
const patience = 250;
/** How long an aborted request gets to record how it ended, in milliseconds. */
const grace = 250;

/** Asks one model to choose topics for the messages of one recall. */
export function createChoiceAsking(memory: SummaryMemory, model: NamedSummarizer, budgets: Budgeted) {
  const { id } = model;
  const budget = new Budget(memory, budgets, { holder: "recall", waitMs: patience });
  let opening: Promise<Summarizer> | undefined;
  // After a model has failed to answer once, do not waste time waiting for it again.
  let isGone = false;

  const askNow = async ({ topics, prompt, digest }: ChoiceRequest, call: Call): Promise<MadeChoice> => {
    const count = (text: string): number => memory.tokens.count(text);
    const event = { kind: "choice", label: "recall", digest, model: id } as const;
    const tokens = count(`${prompt.instructions}\n${prompt.prompt}`) + answerTokens;
    const refusal = await budget.refusal(tokens);
    if (refusal !== undefined) throw overBudget(refusal);
    const open = (): Promise<Summarizer> => (opening ??= model.open());
    const sent = await sendCounted({ prompt: { ...prompt, answerTokens }, event, tokens, open, budget, call });
    if (sent.outcome !== "answered") {
      const { code, message } = sent.error;
      if (code === "budget_spent") throw overBudget(message);
      if (code === "busy") throw new MemoryError("busy", message);
      isGone = code !== "model_answer";
      throw new MemoryError(isGone ? "model_unavailable" : "model_answer", message);
    }
    const { text, end, tokens: told } = sent.answer;
    const read = end === "cut_off" ? ({ fault: "cut_off" } as const) : readChoice(text, topics.length);
    const at = localTimestamp(memory.clock.now(), memory.clock.zone);
    const facts = { digest, prompt_rule: choicePromptRule, model: id, at, of: topics.length };
    const record: ChoiceRecord =
      "fault" in read
        ? { ...facts, state: "refused", numbers: [], words: [], code: read.fault }
        : { ...facts, state: "accepted", ...read };
    const cost = told === undefined ? tokens - answerTokens + count(text) : totalOf(told);
    const codes = record.code === undefined ? [] : [record.code];
    const { requests } = sent;
    try {
      await writeChoiceRecord(memory, record);
      await budget.note({ ...event, event: "answered", tokens: cost, requests, outcome: record.state, codes });
      return { record, warnings: [] };
    } catch (error) {
      // The answer is valid even if it cannot be stored.
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      const message = `the choice of ${id} could not be recorded and may be requested again: ${error.message}`;
      return { record, warnings: [{ code: "chooser_failed", message }] };
    }
  };

  return {
    /** Takes at most `ms` (plus a short grace period), even if the model ignores its signal. Errors: model errors, `busy`, `aborted`, disk errors. */
    ask: async (
      request: ChoiceRequest,
      { call, ms }: { readonly call: Call; readonly ms: number },
    ): Promise<MadeChoice> => {
      if (isGone)
        throw new MemoryError(
          "model_unavailable",
          `${id} already failed to answer in this run, so it is not asked again.`,
        );
      call.signal?.throwIfAborted();
      const limit = AbortSignal.timeout(ms);
      const signal = AbortSignal.any([limit, ...(call.signal === undefined ? [] : [call.signal])]);
      const working = askNow(request, { ...call, signal });
      const stopped = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
      const made = await Promise.race([working, stopped]).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (made !== undefined) return made;
      // Give the aborted request time to record how it ended.
      await Promise.race([working.catch(() => undefined), sleep(grace)]);
      call.signal?.throwIfAborted();
      isGone = true;
      throw new MemoryError("model_unavailable", `${id} took longer than ${ms / 1000} seconds.`);
    },
    close: async (): Promise<void> => {
      const closed = opening?.then((summarizer) => summarizer.close?.()).catch(() => undefined);
      // A failed model may still be loading; do not wait for it.
      if (!isGone) await closed;
    },
  };
}

function overBudget(why: string): MemoryError {
  return new MemoryError("model_unavailable", `${why}.`, { spent: "budget" });
}
