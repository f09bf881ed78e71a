import { setTimeout as sleep } from "node:timers/promises";
import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import { appendLedger } from "../../tree/run/answer-store.ts";
import type { NamedSummarizer, SummaryMemory } from "../memory.ts";
import type { Summarizer, SummarizerAnswer } from "../models/summarizer.ts";
import type { PrintedPrompt } from "../request/request.ts";
import { type AskedEvent, Budget, type Counter, sendCounted, totalOf } from "../run/budget.ts";
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
  readonly how: "asked" | "chosen before by";
  readonly warnings: readonly Warning[];
}

/** Tokens of an answer: some numbers, and a few thoughts of models that have them. */
export const answerTokens = 256;

/** How long a try waits for a process that asks for summaries, in milliseconds. A run of them takes minutes. */
const patience = 250;
/** How long work that was stopped may take to record how it ended, in milliseconds. */
const grace = 250;

/** Asks one model for the messages of one recall. */
export class ChoiceAsking {
  readonly #memory: SummaryMemory;
  readonly #model: NamedSummarizer;
  readonly #budgets: Budgeted;
  #sent = 0;
  #opening: Promise<Summarizer> | undefined;
  /** A model that does not answer once would be waited for again and again. */
  #gone = false;

  constructor(memory: SummaryMemory, model: NamedSummarizer, budgets: Budgeted) {
    this.#memory = memory;
    this.#model = model;
    this.#budgets = budgets;
  }

  /** Takes no longer than `ms`, whether or not the model heeds its signal. Errors: those of a model, `busy`, `aborted`, those of the disk. */
  async ask(request: ChoiceRequest, { call, ms }: { readonly call: Call; readonly ms: number }): Promise<MadeChoice> {
    const { id } = this.#model;
    if (this.#gone)
      throw new MemoryError("model_unavailable", `${id} did not answer before in this run, and is not asked again.`);
    call.signal?.throwIfAborted();
    const limit = AbortSignal.timeout(ms);
    const signal = AbortSignal.any([limit, ...(call.signal === undefined ? [] : [call.signal])]);
    const working = this.#askNow(request, { ...call, signal });
    const stopped = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    const made = await Promise.race([working, stopped]).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (made !== undefined) return made;
    // What was stopped may record how it ended.
    await Promise.race([working.catch(() => undefined), sleep(grace)]);
    call.signal?.throwIfAborted();
    this.#gone = true;
    throw new MemoryError("model_unavailable", `${id} took longer than ${ms / 1000} seconds.`);
  }

  async close(): Promise<void> {
    const close = async (): Promise<void> => (await this.#opening?.catch(() => undefined))?.close?.();
    // One that is still being loaded is not waited for.
    if (this.#gone) void close().catch(() => undefined);
    else await close();
  }

  async #askNow(request: ChoiceRequest, call: Call): Promise<MadeChoice> {
    const { prompt, digest } = request;
    const count = (text: string): number => this.#memory.tokens.count(text);
    const event = { kind: "choice", label: "recall", digest, model: this.#model.id } as const;
    const tokens = count(`${prompt.instructions}\n${prompt.prompt}`) + answerTokens;
    const overBudget = (why: string): MemoryError =>
      new MemoryError("model_unavailable", `${why}.`, { spent: "budget" });
    const refusal = (await Budget.open(this.#memory, this.#budgets, this.#sent)).refusal(tokens);
    if (refusal !== undefined) throw overBudget(refusal);
    this.#opening ??= this.#model.open();
    const summarizer = await this.#opening.catch((error: unknown) => {
      this.#gone = true;
      throw error;
    });
    const counter: Counter = {
      ask: (asked) => this.#countTry(asked, call),
      note: async (noted) => void (await appendLedger(this.#memory, [noted])),
    };
    const sent = await sendCounted({ prompt: { ...prompt, answerTokens }, event, tokens, summarizer, counter, call });
    if (sent.outcome !== "answered") {
      const { code, message } = sent.error;
      if (code === "budget_spent") throw overBudget(message);
      if (code === "busy") throw new MemoryError("busy", message);
      this.#gone = code !== "model_answer";
      throw new MemoryError(this.#gone ? "model_unavailable" : "model_answer", message);
    }
    const { answer, requests } = sent;
    const record = this.#recordOf(request, answer);
    const cost = answer.tokens === undefined ? tokens - answerTokens + count(answer.text) : totalOf(answer.tokens);
    const codes = record.code === undefined ? [] : [record.code];
    const end = { ...event, event: "answered", tokens: cost, requests, outcome: record.state, codes } as const;
    try {
      await writeChoiceRecord(this.#memory, record);
      await counter.note(end);
      return { record, how: "asked", warnings: [] };
    } catch (error) {
      // What was answered counts also where it cannot be kept.
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      const message = `what ${this.#model.id} chose is not recorded and may be asked for again: ${error.message}`;
      return { record, how: "asked", warnings: [{ code: "chooser_failed", message }] };
    }
  }

  /** The lock is held only while a try is noted at the most that it can cost: so all processes together keep to their budgets, and none waits for an answer here. */
  async #countTry(event: AskedEvent, call: Call): Promise<void> {
    const lease = await this.#memory.locks.acquire("summaries", { holder: "recall", waitMs: patience, ...call });
    try {
      await (await Budget.open(this.#memory, this.#budgets, this.#sent)).ask(event);
      this.#sent += 1;
    } finally {
      await lease.release();
    }
  }

  #recordOf({ digest, topics }: ChoiceRequest, { text, end }: SummarizerAnswer): ChoiceRecord {
    const { clock } = this.#memory;
    const at = localTimestamp(clock.now(), clock.zone);
    const read = end === "cut_off" ? ({ fault: "cut_off" } as const) : readChoice(text, topics.length);
    const facts = { digest, prompt_rule: choicePromptRule, model: this.#model.id, at, of: topics.length };
    return "fault" in read
      ? { ...facts, state: "refused", numbers: [], code: read.fault }
      : { ...facts, state: "accepted", numbers: read.numbers };
  }
}
