import { shortDigest } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import type { Summarizer } from "../models/summarizer.ts";
import type { SummaryKind, AskedRequest } from "../../tree/answers/record.ts";
import type { SummaryMemory, NamedSummarizer } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { firstUsable, listAllRecords, type ListedRecord, readRecord } from "../../tree/run/answer-store.ts";
import { Budget, sendCounted, totalOf } from "./budget.ts";
import type { Spent } from "./results.ts";
import {
  codesOf,
  errorsIn,
  judgeAnswer,
  type Prepared,
  prepareRequest,
  type SubjectSource,
  unreadable,
} from "./subject.ts";

/** What is to be asked, of whom. */
export interface Asking {
  readonly settings: SummariesSettings;
  readonly model: NamedSummarizer;
  /** In the order in which they are asked: at most one request of each. */
  readonly kinds: readonly SummaryKind[];
  readonly subjects: SubjectSource;
  readonly call: Call;
}

/** Brings the tree up to date after an accepted answer, so that parents are asked about final children. */
export type Compose = (kind: SummaryKind) => Promise<void>;

export interface Asked {
  readonly requests: readonly AskedRequest[];
  readonly spent: Spent;
  readonly warnings: readonly Warning[];
}

/**
 * Sends at most one request a kind, within the budgets. One process asks at a time: while another one does, nothing is asked, with a warning. Errors:
 * `aborted`, those of the disk.
 */
export async function askAll(
  memory: SummaryMemory,
  asking: Asking & {
    /** The command, for the sentence that another process sees. */
    readonly holder: string;
    readonly compose: Compose;
  },
): Promise<Asked> {
  const { holder, call, compose } = asking;
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
    return await new AskingRun(memory, asking, { budget: await Budget.open(memory, asking.settings), compose }).run();
  } finally {
    await lease.release();
  }
}

/** Which requests would go out now, and the most that each can cost. Sends and writes nothing, and takes no lock. */
export async function previewAll(memory: SummaryMemory, asking: Asking): Promise<Asked> {
  const budget = await Budget.open(memory, asking.settings);
  const spent = budget.spent();
  return { ...(await new AskingRun(memory, asking, { budget, compose: undefined }).run()), spent };
}

class AskingRun {
  readonly #requests: AskedRequest[] = [];
  readonly #warnings: Warning[] = [];
  readonly #memory: SummaryMemory;
  readonly #asking: Asking;
  /** Without it nothing is sent. */
  readonly #compose: Compose | undefined;
  readonly #budget: Budget;
  #summarizer: Summarizer | undefined;

  constructor(
    memory: SummaryMemory,
    asking: Asking,
    how: { readonly budget: Budget; readonly compose: Compose | undefined },
  ) {
    this.#memory = memory;
    this.#asking = asking;
    this.#budget = how.budget;
    this.#compose = how.compose;
  }

  async run(): Promise<Asked> {
    const { kinds, call, subjects } = this.#asking;
    try {
      for (const [done, kind] of kinds.entries()) {
        call.signal?.throwIfAborted();
        const prepared = await this.#next(kind);
        if (prepared === undefined) continue;
        const refusal = this.#budget.refusal(prepared.tokens);
        if (refusal !== undefined) {
          const error = { code: "budget_spent", message: refusal };
          this.#add(this.#unsent(prepared, { outcome: "no_budget", error }));
        } else if (this.#compose === undefined) {
          this.#budget.pretend(prepared);
          this.#add(this.#unsent(prepared, { outcome: "would_ask", error: null }));
        } else {
          call.progress?.({ phase: `ask ${kind}`, done, total: kinds.length });
          const request = await this.#ask(prepared);
          this.#add(request);
          if (request.outcome === "accepted") await this.#compose(kind);
          subjects.forget();
          // A model that does not answer once would be waited for again and again.
          if (isGone(request)) break;
        }
      }
    } finally {
      await this.#summarizer?.close?.();
    }
    return { requests: this.#requests, spent: this.#budget.spent(), warnings: this.#warnings };
  }

  /** The newest subject of a kind whose request did not go out before. One that cannot be read is passed over with a warning. */
  async #next(kind: SummaryKind): Promise<Prepared | undefined> {
    const { subjects, model, settings, call } = this.#asking;
    const due = (await subjects.list(kind)).filter(({ state }) => state === "due");
    if (due.length === 0) return undefined;
    const records = await listAllRecords(this.#memory, kind);
    const space = { contextTokens: settings.contextTokens };
    for (const subject of due) {
      try {
        if ((await firstUsable(this.#memory, records, subject)) !== undefined) continue;
        const prepared = await prepareRequest(this.#memory, subject, { model: model.id, space, call });
        if (!(await this.#isAsked(records, prepared))) return prepared;
      } catch (error) {
        pushAll(this.#warnings, unreadable(subject, error));
      }
    }
    return undefined;
  }

  /** Whether this very request was answered before, whatever became of the answer; a damaged record does not count. */
  async #isAsked(records: readonly ListedRecord[], { subject, digest }: Prepared): Promise<boolean> {
    const same = records.filter(({ label, digest: own }) => label === subject.label && own === shortDigest(digest));
    for (const { path } of same) if ((await readRecord(this.#memory, path)) !== "damaged") return true;
    return false;
  }

  async #ask(prepared: Prepared): Promise<AskedRequest> {
    try {
      this.#summarizer ??= await this.#asking.model.open();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      const { code, message } = error;
      return this.#unsent(prepared, { outcome: "failed", error: { code, message } });
    }
    return this.#send(prepared, this.#summarizer);
  }

  /** Sends one request, checks and records the answer. What a model does wrong is in the result. */
  async #send(prepared: Prepared, summarizer: Summarizer): Promise<AskedRequest> {
    const { subject, digest, request, jobId, printed } = prepared;
    const { call, model } = this.#asking;
    const of = { kind: subject.kind, label: subject.label, model: model.id };
    const prompt = { ...printed, answerTokens: request.budgetTokens };
    const event = { ...of, digest };
    const counter = this.#budget;
    const sent = await sendCounted({ prompt, event, tokens: prepared.tokens, summarizer, counter, call });
    if (sent.outcome !== "answered") return { job_id: jobId, ...of, ...sent, findings: [] };
    const { answer, requests } = sent;
    // The request was made for the name that the model had before it was opened.
    const { record } = await judgeAnswer(this.#memory, prepared, { ...answer, model: model.id, call });
    const tokens = totalOf(record.tokens);
    const outcome = record.state === "accepted" ? "accepted" : "refused";
    const codes = codesOf(record.findings);
    await this.#budget.note({ ...event, event: "answered", tokens, requests, outcome, codes });
    return { job_id: jobId, ...of, outcome, tokens, requests, findings: record.findings, error: null };
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
      const why = codesOf(errorsIn(findings));
      const message = `the answer for ${id} is refused (${why.join(", ")}) and kept aside; the built-in summary stands`;
      this.#warnings.push({ code: "answer_refused", message });
    }
  }
}

function isGone({ error }: AskedRequest): boolean {
  return error !== null && error.code !== "model_answer" && error.code !== "budget_spent";
}
