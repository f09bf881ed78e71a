import { setTimeout as sleep } from "node:timers/promises";
import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { Summarizer, SummarizerAnswer } from "../models/summarizer.ts";
import type { ManifestTopic } from "./manifest.ts";
import {
  choicePromptRule,
  readChoice,
  type ChoicePrompt,
  type ChoiceRecord,
  readChoiceRecord,
  writeChoiceRecord,
} from "./choice.ts";
import type { SummaryMemory, NamedSummarizer } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { appendLedger } from "../../tree/run/answer-store.ts";
import { Budget, sendCounted, totalOf, type AskedEvent, type Counter, type Sent } from "../run/budget.ts";
import type { Budgeted } from "../run/settings.ts";

/** What a model is asked for one message. */
export interface ChoiceRequest {
  readonly topics: readonly ManifestTopic[];
  readonly prompt: ChoicePrompt;
  readonly digest: string;
}

interface MadeChoice {
  readonly record: ChoiceRecord;
  readonly how: "asked" | "chosen before by";
  readonly warnings: readonly Warning[];
}

/** Tokens of an answer: some numbers, and a few thoughts of models that have them. */
export const answerTokens = 256;

/** How long a try waits for whoever asks for summaries, in milliseconds. A run of them takes minutes. */
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
  /** Whoever does not answer once would be waited for again and again. */
  #gone = false;

  constructor(memory: SummaryMemory, model: NamedSummarizer, budgets: Budgeted) {
    this.#memory = memory;
    this.#model = model;
    this.#budgets = budgets;
  }

  /** One process asks at a time; what another one was answered meanwhile counts. Errors: those of a model, `busy`, `aborted`, those of the disk. */
  async ask(request: ChoiceRequest, limit: { readonly call: Call; readonly ms: number }): Promise<MadeChoice> {
    const { id } = this.#model;
    if (this.#gone)
      throw new MemoryError("model_unavailable", `${id} did not answer before in this run, and is not asked again.`);
    const late = new MemoryError("model_unavailable", `${id} took longer than ${limit.ms / 1000} seconds.`);
    try {
      return await inTime({ ...limit, late }, (call) => this.#inTurn(request, { call, ms: limit.ms }));
    } catch (error) {
      this.#gone ||= error === late;
      throw error;
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    // One that is still being loaded is not waited for.
    const close = async (): Promise<void> => (await opening?.catch(() => undefined))?.close?.();
    if (this.#gone) void close().catch(() => undefined);
    else await close();
  }

  async #inTurn(
    request: ChoiceRequest,
    { call, ms }: { readonly call: Call; readonly ms: number },
  ): Promise<MadeChoice> {
    const signal = call.signal === undefined ? {} : { signal: call.signal };
    const lease = await this.#memory.locks.acquire("choices", { holder: "recall", waitMs: ms / 2, ...signal });
    try {
      const before = await readChoiceRecord(this.#memory, request.digest);
      if (before !== undefined) return { record: before, how: "chosen before by", warnings: [] };
      return await this.#askNow(request, call);
    } finally {
      await lease.release();
    }
  }

  async #askNow(request: ChoiceRequest, call: Call): Promise<MadeChoice> {
    const { prompt, digest } = request;
    const event = { kind: "choice", label: "recall", digest, model: this.#model.id } as const;
    const tokens = this.#count(`${prompt.instructions}\n${prompt.prompt}`) + answerTokens;
    const refusal = (await this.#budget()).refusal(tokens);
    if (refusal !== undefined) throw overBudget(refusal);
    const summarizer = await this.#open();
    const counter = this.#counter(call);
    const sent = await sendCounted({
      prompt: { ...prompt, answerTokens },
      event,
      tokens,
      summarizer,
      counter,
      call,
    });
    if (sent.outcome !== "answered") throw this.#failureOf(sent);
    const { answer, requests } = sent;
    const record = this.#recordOf(request, answer);
    const cost =
      answer.tokens === undefined ? tokens - answerTokens + this.#count(answer.text) : totalOf(answer.tokens);
    const codes = record.code === undefined ? [] : [record.code];
    const warnings = await this.#keep(record, async () => {
      const end = { event: "answered", tokens: cost, requests, outcome: record.state, codes } as const;
      await counter.note({ ...event, ...end });
    });
    return { record, how: "asked", warnings };
  }

  #budget(): Promise<Budget> {
    return Budget.open(this.#memory, this.#budgets, this.#sent);
  }

  /** Counts tries on the ledger of summaries. */
  #counter(call: Call): Counter {
    return {
      ask: (event) => this.#countTry(event, call),
      // The ledger says how it ended; it still counts towards this run.
      takeBack: () => {},
      note: async (event) => void (await appendLedger(this.#memory, [event])),
    };
  }

  /**
   * The lock of summaries is held only while a try is put down at the most that it can cost: so nobody waits for an answer here, and all processes together keep
   * to their budgets.
   */
  async #countTry(event: AskedEvent, { signal }: Call): Promise<void> {
    const options = { holder: "recall", waitMs: patience, ...(signal === undefined ? {} : { signal }) };
    const lease = await this.#memory.locks.acquire("summaries", options);
    try {
      await (await this.#budget()).ask(event);
      this.#sent += 1;
    } finally {
      await lease.release();
    }
  }

  async #open(): Promise<Summarizer> {
    try {
      this.#opening ??= this.#model.open();
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      this.#gone = true;
      throw error;
    }
  }

  #recordOf({ digest, topics }: ChoiceRequest, { text, end }: SummarizerAnswer): ChoiceRecord {
    const { now, zone } = { now: this.#memory.clock.now(), zone: this.#memory.clock.zone };
    const read = end === "cut_off" ? ({ fault: "cut_off" } as const) : readChoice(text, topics.length);
    const of = { digest, prompt_rule: choicePromptRule, model: this.#model.id, at: localTimestamp(now, zone) };
    const from = { ...of, of: topics.length };
    if ("fault" in read) return { ...from, state: "refused", numbers: [], code: read.fault };
    return { ...from, state: "accepted", numbers: read.numbers };
  }

  /** What was answered counts also where it cannot be kept. */
  async #keep(record: ChoiceRecord, note: () => Promise<void>): Promise<readonly Warning[]> {
    const warnings: Warning[] = [];
    for (const put of [() => writeChoiceRecord(this.#memory, record), note])
      try {
        await put();
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
        const message = `what ${this.#model.id} chose is not recorded and may be asked for again: ${error.message}`;
        warnings.push({ code: "chooser_failed", message });
      }
    return warnings.slice(0, 1);
  }

  #failureOf(sent: Extract<Sent, { readonly outcome: "failed" | "no_budget" }>): MemoryError {
    const { code, message } = sent.error;
    if (code === "budget_spent") return overBudget(message);
    if (code === "busy") return new MemoryError("busy", message);
    this.#gone = code !== "model_answer";
    return new MemoryError(code === "model_answer" ? "model_answer" : "model_unavailable", message);
  }

  #count(text: string): number {
    return this.#memory.tokens.count(text);
  }
}

function overBudget(refusal: string): MemoryError {
  return new MemoryError("model_unavailable", `${refusal}.`, { spent: "budget" });
}

/**
 * What the work gives, unless it takes longer than `ms` (then `late` is thrown) or the caller stops it. Whether or not the work heeds its signal, nobody waits
 * longer; it has a moment to end in order.
 */
async function inTime<T>(
  limit: { readonly ms: number; readonly call: Call; readonly late: MemoryError },
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const tooLate = new AbortController();
  const own = limit.call.signal;
  const signal = own === undefined ? tooLate.signal : AbortSignal.any([own, tooLate.signal]);
  signal.throwIfAborted();
  const timer = setTimeout(() => tooLate.abort(limit.late), limit.ms);
  const working = work({ ...limit.call, signal });
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([working, stopped]);
  } catch (error) {
    if (!signal.aborted) throw error;
    await Promise.race([working.catch(() => undefined), sleep(grace)]);
    throw own?.aborted === true ? error : limit.late;
  } finally {
    clearTimeout(timer);
    stopped.catch(() => undefined);
  }
}
