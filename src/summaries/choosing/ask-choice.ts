import { setTimeout as sleep } from "node:timers/promises";
import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import type { NamedSummarizer, SummaryMemory } from "../memory.ts";
import type { Summarizer } from "../models/summarizer.ts";
import type { PrintedPrompt } from "../request/request.ts";
import { Budget, sendCounted, totalOf } from "../run/budget.ts";
import type { Budgeted } from "../run/settings.ts";
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

/** Tokens of an answer: some numbers, and a few thoughts of models that have them. */
export const answerTokens = 256;

/** How long a try waits for a process that asks for summaries, in milliseconds. A run of them takes minutes. */
const patience = 250;
/** How long work that was stopped may take to record how it ended, in milliseconds. */
const grace = 250;

/** Asks one model for the messages of one recall. */
export function createChoiceAsking(memory: SummaryMemory, model: NamedSummarizer, budgets: Budgeted) {
  const { id } = model;
  const budget = new Budget(memory, budgets, { holder: "recall", waitMs: patience });
  let opening: Promise<Summarizer> | undefined;
  // A model that does not answer once would be waited for again and again.
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
        ? { ...facts, state: "refused", numbers: [], code: read.fault }
        : { ...facts, state: "accepted", numbers: read.numbers };
    const cost = told === undefined ? tokens - answerTokens + count(text) : totalOf(told);
    const codes = record.code === undefined ? [] : [record.code];
    const { requests } = sent;
    try {
      await writeChoiceRecord(memory, record);
      await budget.note({ ...event, event: "answered", tokens: cost, requests, outcome: record.state, codes });
      return { record, warnings: [] };
    } catch (error) {
      // What was answered counts also where it cannot be kept.
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      const message = `what ${id} chose is not recorded and may be asked for again: ${error.message}`;
      return { record, warnings: [{ code: "chooser_failed", message }] };
    }
  };

  return {
    /** Takes no longer than `ms`, whether or not the model heeds its signal. Errors: those of a model, `busy`, `aborted`, those of the disk. */
    ask: async (
      request: ChoiceRequest,
      { call, ms }: { readonly call: Call; readonly ms: number },
    ): Promise<MadeChoice> => {
      if (isGone)
        throw new MemoryError("model_unavailable", `${id} did not answer before in this run, and is not asked again.`);
      call.signal?.throwIfAborted();
      const limit = AbortSignal.timeout(ms);
      const signal = AbortSignal.any([limit, ...(call.signal === undefined ? [] : [call.signal])]);
      const working = askNow(request, { ...call, signal });
      const stopped = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
      const made = await Promise.race([working, stopped]).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (made !== undefined) return made;
      // What was stopped may record how it ended.
      await Promise.race([working.catch(() => undefined), sleep(grace)]);
      call.signal?.throwIfAborted();
      isGone = true;
      throw new MemoryError("model_unavailable", `${id} took longer than ${ms / 1000} seconds.`);
    },
    close: async (): Promise<void> => {
      const closed = opening?.then((summarizer) => summarizer.close?.()).catch(() => undefined);
      // One that is still being loaded is not waited for.
      if (!isGone) await closed;
    },
  };
}

function overBudget(why: string): MemoryError {
  return new MemoryError("model_unavailable", `${why}.`, { spent: "budget" });
}
