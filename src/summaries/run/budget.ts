import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import { redact } from "../../text/redact/redact.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { appendLedger, type LedgerEvent, readLedgerFile } from "../../tree/run/answer-store.ts";
import type { SummaryMemory, Summarizer, SummarizerAnswer, SummarizerPrompt } from "../memory.ts";
import type { Spent, Budgets } from "./inputs-and-results.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import { adapterOf, type Configuration } from "../../tree/setup/configuration.ts";

/** The fields that identify a request in the ledger. */
type RequestEvent = Omit<LedgerEvent, "event">;
/** A try that is about to be sent, with its maximum cost. */
type AskedEvent = LedgerEvent & { readonly event: "asked"; readonly tokens: number };

/**
 * What a run may spend. `lock`: taken for each try, so that all processes together stay within the budget. Without `lock`, the caller must hold the
 * lock for the whole run.
 */
export class Budget {
  readonly #memory: SummaryMemory;
  readonly #settings: Budgeted;
  readonly #lock: { readonly holder: string; readonly waitMs: number } | undefined;
  #sent = 0;
  #pretended: Spent = { requests: 0, tokens: 0 };

  constructor(memory: SummaryMemory, settings: Budgeted, lock?: { readonly holder: string; readonly waitMs: number }) {
    this.#memory = memory;
    this.#settings = settings;
    this.#lock = lock;
  }

  /** Why a request with this maximum cost may not be sent now; `undefined` if it may. */
  async refusal(cost: number): Promise<string | undefined> {
    const { maxRequestsPerRun, maxRequestsPerDay, maxTokensPerDay } = this.#settings;
    if (this.#sent >= maxRequestsPerRun)
      return `this run sent ${this.#sent} requests; maxRequestsPerRun is ${maxRequestsPerRun}`;
    const spent = await readSpent(this.#memory);
    const requests = spent.requests + this.#pretended.requests;
    const tokens = spent.tokens + this.#pretended.tokens;
    if (requests >= maxRequestsPerDay)
      return `${requests} requests were sent today; maxRequestsPerDay is ${maxRequestsPerDay}`;
    if (tokens + cost > maxTokensPerDay)
      return `${tokens} tokens were sent today and this may cost ${cost} more; maxTokensPerDay is ${maxTokensPerDay}`;
    return undefined;
  }

  /** Records a try in the ledger before it is sent, at its maximum cost; throws `OverBudget` if it may not be sent. */
  async ask(event: AskedEvent, call: Call): Promise<void> {
    const lease = this.#lock && (await this.#memory.locks.acquire("summaries", { ...this.#lock, ...call }));
    try {
      const refusal = await this.refusal(event.tokens);
      if (refusal !== undefined) throw new OverBudget(refusal);
      await this.note(event);
      this.#sent += 1;
    } finally {
      await lease?.release();
    }
  }

  /** Counts what a dry run would send, without recording it. */
  pretend(tokens: number): void {
    this.#pretended = { requests: this.#pretended.requests + 1, tokens: this.#pretended.tokens + tokens };
    this.#sent += 1;
  }

  note(event: LedgerEvent): Promise<void> {
    return appendLedger(this.#memory, [event]);
  }
}

/** Spending of the current local day. */
export async function readSpent(memory: TreeMemory): Promise<Spent> {
  const { requests, tokens } = (await readLedgerFile(memory)).fold.totals(memory.clock.today());
  return { requests, tokens };
}

class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** An answer, which the caller still has to record in the ledger, or a failure, which is already recorded. */
type Sent =
  | { readonly outcome: "answered"; readonly answer: SummarizerAnswer; readonly requests: number }
  | {
      readonly outcome: "failed" | "no_budget";
      readonly error: { readonly code: string; readonly message: string };
      readonly tokens: number;
      readonly requests: number;
    };

/** Sends one request; each try is recorded in the ledger before it is sent. Model failures are reported in the result. Errors: `aborted`, disk errors. */
export async function sendCounted(sending: {
  readonly prompt: Omit<SummarizerPrompt, "beforeTry">;
  readonly event: RequestEvent;
  readonly tokens: number;
  readonly open: () => Promise<Summarizer>;
  readonly budget: Budget;
  readonly call: Call;
}): Promise<Sent> {
  const { open, prompt, event, tokens, budget, call } = sending;
  let asked = 0;
  let summarizer: Summarizer | undefined;
  const beforeTry = async (): Promise<void> => {
    call.signal?.throwIfAborted();
    await budget.ask({ ...event, event: "asked", tokens, requests: asked + 1 }, call);
    asked += 1;
  };
  try {
    summarizer = await open();
    const answer = await summarizer.summarize({ ...prompt, beforeTry }, call);
    // An adapter may not have counted every try.
    return { outcome: "answered", answer, requests: Math.max(answer.requests, 1) };
  } catch (error) {
    const { code, message } = failureOf(error, call);
    const told = error instanceof MemoryError && summarizer !== undefined ? error.details : {};
    const { requests = asked, tokens: cost } = told as Partial<Spent>;
    const spent = cost ?? (requests === asked ? undefined : requests * tokens);
    if (requests > 0 || asked > 0) {
      const says = ledgerMessages[code] ?? "It failed.";
      const how = { requests, ...(spent === undefined ? {} : { tokens: spent }), code, message: says };
      await budget.note({ ...event, event: "failed", ...how });
    }
    const isOfDisk = error instanceof MemoryError && diskErrors.includes(error.code);
    if (call.signal?.aborted === true || code === "aborted" || isOfDisk) throw error;
    const outcome = code === "budget_spent" && asked === 0 ? "no_budget" : "failed";
    return { outcome, error: { code, message }, tokens: spent ?? tokens * Math.max(1, requests), requests };
  }
}

/** Fixed messages for the ledger: a message from a model or server may repeat what was sent to it. */
const ledgerMessages: Readonly<Record<string, string>> = {
  model_unavailable: "The model could not be reached, or did not answer in time.",
  model_refused: "The model refused the request.",
  model_answer: "The reply was not an answer.",
  budget_spent: "Another attempt would have exceeded the budget.",
  aborted: "The request was stopped.",
};
const diskErrors: readonly string[] = ["disk_full", "io", "link_outside", "not_a_file"];

function failureOf(caught: unknown, { signal }: Call): { readonly code: string; readonly message: string } {
  // The caller may have aborted with its own error, such as a timeout.
  const error: unknown = signal?.aborted === true && signal.reason instanceof MemoryError ? signal.reason : caught;
  if (error instanceof OverBudget) return { code: "budget_spent", message: error.message };
  if (error instanceof MemoryError) return { code: error.code, message: redact(error.message).text };
  if (error instanceof Error && error.name === "AbortError")
    return { code: "aborted", message: "The request was stopped." };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message: redact(message).text.slice(0, 200) };
}

export function totalOf(tokens: { readonly prompt: number; readonly answer: number }): number {
  return Math.min(Number.MAX_SAFE_INTEGER, tokens.prompt + tokens.answer);
}

export const defaultSettings: SummariesSettings = {
  adapter: "off",
  contextTokens: 16_384,
  maxRequestsPerRun: 5,
  maxRequestsPerDay: 40,
  maxTokensPerDay: 200_000,
};

export const pullContextTokens = 32_768;

export type Budgeted = Pick<SummariesSettings, "maxRequestsPerRun" | "maxRequestsPerDay" | "maxTokensPerDay">;

/** The user's settings, narrowed by the project's configuration, which can switch summaries off, select pull, and lower budgets. */
export function effectiveSettings(memory: TreeMemory, configuration: Configuration): SummariesSettings {
  const own = memory.user.summaries ?? defaultSettings;
  const adapter = adapterOf(memory, configuration);
  const contextTokens = adapter === "pull" && own.adapter !== "pull" ? pullContextTokens : own.contextTokens;
  return { adapter, contextTokens, ...narrowed(own, configuration) };
}

/** A number in the project's configuration applies only if it lowers the user's limit. */
export function narrowed(own: Budgeted, { summaries }: Configuration): Budgeted {
  const least = (key: keyof Budgeted): number => Math.min(own[key], summaries[key] ?? Number.POSITIVE_INFINITY);
  return {
    maxRequestsPerRun: least("maxRequestsPerRun"),
    maxRequestsPerDay: least("maxRequestsPerDay"),
    maxTokensPerDay: least("maxTokensPerDay"),
  };
}

export function budgetsOf(settings: Budgeted): Budgets {
  return {
    max_requests_per_run: settings.maxRequestsPerRun,
    max_requests_per_day: settings.maxRequestsPerDay,
    max_tokens_per_day: settings.maxTokensPerDay,
  };
}

/** If a project allows nothing to be sent for summaries, nothing is sent for choices either. */
export function isChoosingOff({ chooser, summaries }: Configuration): boolean {
  return chooser === "off" || summaries.adapter !== undefined;
}
