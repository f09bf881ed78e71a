import { MemoryError, type Warning } from "../../base/errors.ts";
import type { SummariesSettings } from "../../ports/summaries-settings.ts";
import type { Summarizer } from "../../ports/summarizer.ts";
import type { SummaryKind } from "../../summarize/answers/request.ts";
import type { Memory, NamedSummarizer } from "../memory.ts";
import type { Call } from "../operation.ts";
import { listAllRecords } from "./answer-store.ts";
import { askOnce } from "./ask.ts";
import { Budget } from "./budget.ts";
import { codesOf } from "./judge.ts";
import { isAccepted, isAsked, prepareRequest, type Prepared } from "./prepared.ts";
import type { AskedRequest, Spent } from "./results.ts";
import type { SubjectSource } from "./subject-source.ts";

/** What is to be asked, of whom. */
export interface Asking {
  readonly settings: SummariesSettings;
  readonly model: NamedSummarizer;
  /** In the order in which they are asked: at most one request of each. */
  readonly kinds: readonly SummaryKind[];
  readonly subjects: SubjectSource;
  /** The command, for the sentence that another process sees. */
  readonly holder: string;
  readonly call: Call;
  /** Brings the tree up to date after an accepted answer, so that parents are asked about final children. */
  readonly compose: (kind: SummaryKind) => Promise<void>;
}

export interface Asked {
  readonly requests: readonly AskedRequest[];
  readonly spent: Spent;
  readonly warnings: readonly Warning[];
}

/**
 * Sends at most one request a kind, within the budgets. One process asks at a time: while another one does, nothing is asked, with a warning. Errors:
 * `aborted`, those of the disk.
 */
export async function askAll(memory: Memory, asking: Asking): Promise<Asked> {
  const { holder, call } = asking;
  const signal = call.signal === undefined ? {} : { signal: call.signal };
  let lease;
  try {
    lease = await memory.locks.acquire("summaries", { holder, ...signal });
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === "busy")) throw error;
    const message = `nothing was asked: ${error.message}`;
    const budget = await Budget.open(memory, asking.settings);
    return { requests: [], spent: budget.spent(), warnings: [{ code: "busy", message }] };
  }
  try {
    return await new AskingRun(memory, asking, await Budget.open(memory, asking.settings)).ask();
  } finally {
    await lease.release();
  }
}

/** Which requests would go out now, and the most that each can cost. Sends and writes nothing, and takes no lock. */
export async function previewAll(memory: Memory, asking: Omit<Asking, "compose" | "holder">): Promise<Asked> {
  const budget = await Budget.open(memory, asking.settings);
  const spent = budget.spent();
  const run = new AskingRun(memory, { ...asking, holder: "", compose: async () => undefined }, budget);
  return { ...(await run.preview()), spent };
}

class AskingRun {
  readonly #memory: Memory;
  readonly #asking: Asking;
  readonly #budget: Budget;
  readonly #requests: AskedRequest[] = [];
  readonly #warnings: Warning[] = [];
  #summarizer: Summarizer | undefined;

  constructor(memory: Memory, asking: Asking, budget: Budget) {
    this.#memory = memory;
    this.#asking = asking;
    this.#budget = budget;
  }

  async ask(): Promise<Asked> {
    const { kinds, call, compose } = this.#asking;
    try {
      for (const [done, kind] of kinds.entries()) {
        call.signal?.throwIfAborted();
        const prepared = await this.#next(kind);
        if (prepared === undefined) continue;
        call.progress?.({ phase: `ask ${kind}`, done, total: kinds.length });
        const request = await this.#askFor(prepared);
        this.#add(request);
        if (request.outcome === "accepted") await compose(kind);
        // Whoever does not answer once would be waited for again and again.
        if (isGone(request)) break;
      }
    } finally {
      await this.#summarizer?.close?.();
    }
    return this.#asked();
  }

  async preview(): Promise<Asked> {
    for (const kind of this.#asking.kinds) {
      const prepared = await this.#next(kind);
      if (prepared === undefined) continue;
      const refusal = this.#budget.refusal(prepared.tokens);
      if (refusal === undefined) this.#budget.pretend(prepared);
      const error = refusal === undefined ? null : { code: "budget_spent", message: refusal };
      this.#add(this.#unsent(prepared, { outcome: error === null ? "would_ask" : "no_budget", error }));
    }
    return this.#asked();
  }

  /** The newest subject of a kind whose request did not go out before. One that cannot be read is passed over with a warning. */
  async #next(kind: SummaryKind): Promise<Prepared | undefined> {
    const { subjects, model, settings, call } = this.#asking;
    const due = (await subjects.list(kind)).filter(({ state }) => state === "due");
    if (due.length === 0) return undefined;
    const records = await listAllRecords(this.#memory, kind);
    const space = { contextTokens: settings.contextTokens };
    for (const subject of due) {
      const own = records.filter(({ label }) => label === subject.label);
      try {
        if (await isAccepted(this.#memory, own, subject.basis)) continue;
        const prepared = await prepareRequest(this.#memory, subject, { model: model.id, space, call });
        if (!(await isAsked(this.#memory, own, prepared.digest))) return prepared;
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
        // There is nothing in its sources that may go out: nobody can do anything about that.
        if (error.code !== "not_found")
          this.#warnings.push({ code: error.code, message: `${kind} ${subject.label}: ${error.message}` });
      }
    }
    return undefined;
  }

  async #askFor(prepared: Prepared): Promise<AskedRequest> {
    const refusal = this.#budget.refusal(prepared.tokens);
    const noBudget = { code: "budget_spent", message: refusal ?? "" };
    if (refusal !== undefined) return this.#unsent(prepared, { outcome: "no_budget", error: noBudget });
    const { model, call } = this.#asking;
    try {
      this.#summarizer ??= await model.open();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      const { code, message } = error;
      return this.#unsent(prepared, { outcome: "failed", error: { code, message } });
    }
    // The name that it had before it was opened is the one that the request was made for.
    const summarizer = named(this.#summarizer, model.id);
    return askOnce(this.#memory, prepared, { summarizer, budget: this.#budget, call });
  }

  #unsent(prepared: Prepared, end: Pick<AskedRequest, "outcome" | "error">): AskedRequest {
    const { jobId, subject, tokens } = prepared;
    const { kind, label } = subject;
    return { job_id: jobId, kind, label, model: this.#asking.model.id, ...end, tokens, requests: 0, findings: [] };
  }

  #add(request: AskedRequest): void {
    this.#requests.push(request);
    const { error, job_id: id, findings, outcome } = request;
    if (error?.code === "budget_spent") {
      if (this.#warnings.some(({ code }) => code === error.code)) return;
      this.#warnings.push({ code: error.code, message: `${id} is not asked for: ${error.message}` });
    } else if (error !== null) this.#warnings.push({ code: error.code, message: `${id}: ${error.message}` });
    else if (outcome === "refused") {
      const why = codesOf({ findings: findings.filter(({ severity }) => severity === "error") });
      const message = `the answer for ${id} is refused (${why.join(", ")}) and kept aside; the built-in summary stands`;
      this.#warnings.push({ code: "answer_refused", message });
    }
  }

  #asked(): Asked {
    return { requests: this.#requests, spent: this.#budget.spent(), warnings: this.#warnings };
  }
}

function isGone({ error }: AskedRequest): boolean {
  return error !== null && error.code !== "model_answer" && error.code !== "budget_spent";
}

function named(summarizer: Summarizer, id: string): Summarizer {
  if (summarizer.id === id) return summarizer;
  return { id, contextTokens: summarizer.contextTokens, summarize: (prompt, how) => summarizer.summarize(prompt, how) };
}
