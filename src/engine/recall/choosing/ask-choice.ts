import { localTimestamp } from "../../../base/calendar.ts";
import { MemoryError, type Warning } from "../../../base/errors.ts";
import type { Summarizer, SummarizerAnswer } from "../../../ports/summarizer.ts";
import { readChoice } from "../../../recall/choice/answer.ts";
import type { ManifestTopic } from "../../../recall/choice/manifest.ts";
import { choicePromptRule, mostChosen, type ChoicePrompt } from "../../../recall/choice/prompt.ts";
import type { ChoiceRecord } from "../../../recall/choice/record.ts";
import type { Memory, NamedSummarizer } from "../../memory.ts";
import type { Call } from "../../operation.ts";
import { sendCounted, type Sent, totalOf } from "../../summaries/budget.ts";
import type { Budgeted } from "../../summaries/settings.ts";
import { ChoiceCounter } from "./choice-counter.ts";
import { readChoiceRecord, writeChoiceRecord } from "./choice-store.ts";
import { inTime } from "./in-time.ts";

/** What a model is asked for one message. */
export interface ChoiceRequest {
  readonly topics: readonly ManifestTopic[];
  readonly prompt: ChoicePrompt;
  readonly digest: string;
}

export interface MadeChoice {
  readonly record: ChoiceRecord;
  readonly how: "asked" | "chosen before by";
  readonly warnings: readonly Warning[];
}

/** Tokens of an answer: some numbers, and a few thoughts of models that have them. */
export const answerTokens = 256;

/** Asks one model for the messages of one recall. */
export class ChoiceAsking {
  readonly #memory: Memory;
  readonly #model: NamedSummarizer;
  readonly #counter: ChoiceCounter;
  #opening: Promise<Summarizer> | undefined;
  /** Whoever does not answer once would be waited for again and again. */
  #gone = false;

  constructor(memory: Memory, model: NamedSummarizer, budgets: Budgeted) {
    this.#memory = memory;
    this.#model = model;
    this.#counter = new ChoiceCounter(memory, budgets);
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
    const { topics, prompt, digest } = request;
    const event = { kind: "choice", label: "recall", digest, model: this.#model.id } as const;
    const tokens = this.#count(`${prompt.instructions}\n${prompt.prompt}`) + answerTokens;
    const refusal = await this.#counter.refusal(tokens);
    if (refusal !== undefined) throw overBudget(refusal);
    const summarizer = await this.#open();
    const numbers = { upTo: topics.length, most: mostChosen };
    const sent = await sendCounted({
      prompt: { ...prompt, answerTokens, numbers },
      event,
      tokens,
      summarizer,
      counter: this.#counter.of(call),
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
      await this.#counter.of(call).note({ ...event, ...end });
    });
    return { record, how: "asked", warnings };
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
