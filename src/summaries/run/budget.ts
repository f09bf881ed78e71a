import { localDay } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import type { Summarizer, SummarizerAnswer, SummarizerPrompt } from "../models/summarizer.ts";
import type { LedgerFold } from "../../tree/answers/ledger.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { appendLedger, type LedgerEvent, readLedgerFile } from "../../tree/run/answer-store.ts";
import type { Prepared } from "./subject.ts";
import type { Spent } from "./results.ts";
import type { Budgeted } from "./settings.ts";

/** What a run may still spend. Holds while the lock `summaries` is held: nobody else asks meanwhile. */
export class Budget {
  readonly #memory: SummaryMemory;
  readonly #settings: Budgeted;
  readonly #fold: LedgerFold;
  #requests: number;

  private constructor(memory: SummaryMemory, settings: Budgeted, { fold, sent }: { fold: LedgerFold; sent: number }) {
    this.#memory = memory;
    this.#settings = settings;
    this.#fold = fold;
    this.#requests = sent;
  }

  /** `sent`: requests that this run sent before. */
  static async open(memory: SummaryMemory, settings: Budgeted, sent = 0): Promise<Budget> {
    return new Budget(memory, settings, { fold: (await readLedgerFile(memory)).fold, sent });
  }

  /** Of the local day that it is now. */
  spent(): Spent {
    const { requests, tokens } = this.#fold.totals(localDay(this.#memory.clock.now(), this.#memory.clock.zone));
    return { requests, tokens };
  }

  /** Why a request that can cost so many tokens does not go out now; `undefined` when it may. */
  refusal(tokens: number): string | undefined {
    const { maxRequestsPerRun, maxRequestsPerDay, maxTokensPerDay } = this.#settings;
    const spent = this.spent();
    if (this.#requests >= maxRequestsPerRun)
      return `this run sent ${this.#requests} requests; maxRequestsPerRun is ${maxRequestsPerRun}`;
    if (spent.requests >= maxRequestsPerDay)
      return `${spent.requests} requests went out today; maxRequestsPerDay is ${maxRequestsPerDay}`;
    if (spent.tokens + tokens > maxTokensPerDay)
      return `${spent.tokens} tokens went out today and this can cost ${tokens} more; maxTokensPerDay is ${maxTokensPerDay}`;
    return undefined;
  }

  /** A try that is about to go out: on the ledger before it does, and not when it could go over the budget. */
  async ask(event: AskedEvent): Promise<void> {
    const refusal = this.refusal(event.tokens);
    if (refusal !== undefined) throw new OverBudget(refusal);
    await this.note(event);
    this.#requests += 1;
  }

  /** That try did not leave the machine. Of the run it counts all the same, so that a run ends. */
  takeBack(event: Omit<LedgerEvent, "event">): void {
    this.#fold.takeBack(event);
  }

  /** What a dry run would send counts like what goes out, and is not written down. */
  pretend({ subject, digest, tokens }: Prepared): void {
    const { kind, label } = subject;
    const day = localDay(this.#memory.clock.now(), this.#memory.clock.zone);
    this.#fold.add({ at: "", day, event: "asked", tokens, kind, label, digest });
    this.#requests += 1;
  }

  async note(event: LedgerEvent): Promise<void> {
    for (const line of await appendLedger(this.#memory, [event])) this.#fold.add(line);
  }
}

/** Stops a try that is over the budget. */
class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** A try that is about to go out, with the most that it can cost. */
export type AskedEvent = LedgerEvent & { readonly event: "asked"; readonly tokens: number };

/** What counts requests. */
export interface Counter {
  /** Before a try goes out; throws `OverBudget` when it must not. */
  ask(event: AskedEvent): Promise<void>;
  /** That try did not leave the machine. */
  takeBack(event: Omit<LedgerEvent, "event">): void;
  note(event: LedgerEvent): Promise<void>;
}

export interface Sending {
  readonly prompt: Omit<SummarizerPrompt, "beforeTry" | "notSent">;
  /** What stands on the ledger. */
  readonly event: Omit<LedgerEvent, "event">;
  /** The most that one try can cost. */
  readonly tokens: number;
  readonly summarizer: Summarizer;
  readonly counter: Counter;
  readonly call: Call;
}

/** An answer, which whoever asked still has to note on the ledger, or a failure, which stands there. */
export type Sent =
  | { readonly outcome: "answered"; readonly answer: SummarizerAnswer; readonly requests: number }
  | {
      readonly outcome: "failed" | "no_budget";
      readonly error: { readonly code: string; readonly message: string };
      readonly tokens: number;
      readonly requests: number;
    };

/** Sends one request, each of its tries on the ledger before it goes out. What a model does wrong is in the result. Errors: `aborted`, those of the disk. */
export async function sendCounted({ summarizer, prompt, event, tokens: each, counter, call }: Sending): Promise<Sent> {
  let [asked, unsent] = [0, 0];
  const beforeTry = async (): Promise<void> => {
    call.signal?.throwIfAborted();
    await counter.ask({ ...event, event: "asked", tokens: each, requests: asked + 1 });
    asked += 1;
  };
  const notSent = (): void => {
    if (unsent >= asked) return;
    counter.takeBack({ ...event, tokens: each });
    unsent += 1;
  };
  try {
    const options = call.signal === undefined ? {} : { signal: call.signal };
    const answer = await summarizer.summarize({ ...prompt, beforeTry, notSent }, options);
    // An adapter may not have reported each of its tries.
    return { outcome: "answered", answer, requests: Math.max(answer.requests, asked - unsent) };
  } catch (error) {
    const { code, message } = failureOf(reasonOf(error, call));
    const told = error instanceof MemoryError ? error.details : {};
    const requests = Math.max(typeof told["requests"] === "number" ? told["requests"] : 0, asked - unsent);
    const spent = tokensOf(told, { requests, unsent, each });
    const end = {
      ...event,
      event: "failed",
      requests,
      ...spent,
      code,
      message: sentences[code] ?? "It failed.",
    } as const;
    if (requests > 0 || asked > 0) await counter.note(end);
    if (call.signal?.aborted === true || code === "aborted" || isOfDisk(error)) throw error;
    const outcome = code === "budget_spent" && asked === 0 ? "no_budget" : "failed";
    return { outcome, error: { code, message }, tokens: spent.tokens ?? each * Math.max(1, requests), requests };
  }
}

/** Whoever stopped it may have said why: it was too late. */
function reasonOf(error: unknown, { signal }: Call): unknown {
  return signal?.aborted === true && signal.reason instanceof MemoryError ? signal.reason : error;
}

/** What the model said that it cost; where some tries went out and others did not, the most that those can cost. */
function tokensOf(
  told: Readonly<Record<string, unknown>>,
  { requests, unsent, each }: { readonly requests: number; readonly unsent: number; readonly each: number },
): { readonly tokens?: number } {
  if (requests === 0 && unsent > 0) return { tokens: 0 };
  if (typeof told["tokens"] === "number") return { tokens: told["tokens"] };
  return unsent === 0 ? {} : { tokens: requests * each };
}

/** The ledger holds no text of others: what a model or a server says may repeat what it was sent. */
const sentences: Readonly<Record<string, string>> = {
  model_unavailable: "The model was not reached, or did not answer in time.",
  model_refused: "The model did not take the request.",
  model_answer: "What came back was no answer.",
  budget_spent: "A further try would have gone over the budget.",
  aborted: "It was stopped.",
};

function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof OverBudget) return { code: "budget_spent", message: error.message };
  if (error instanceof MemoryError) return { code: error.code, message: redact(error.message).text };
  if (error instanceof Error && error.name === "AbortError") return { code: "aborted", message: "It was stopped." };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message: redact(message).text.slice(0, 200) };
}

function isOfDisk(error: unknown): boolean {
  return error instanceof MemoryError && ["disk_full", "io", "link_outside", "not_a_file"].includes(error.code);
}

/** What a model says that it cost. */
export function totalOf(tokens: { readonly prompt: number; readonly answer: number }): number {
  return Math.min(Number.MAX_SAFE_INTEGER, tokens.prompt + tokens.answer);
}
