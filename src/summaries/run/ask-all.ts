import { shortDigest } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import type { AskedRequest, SummaryKind } from "../../tree/answers/record.ts";
import { listAllRecords, readRecord } from "../../tree/run/answer-store.ts";
import type { NamedSummarizer, SummaryMemory, Summarizer } from "../memory.ts";
import { Budget, readSpent, sendCounted, totalOf } from "./budget.ts";
import type { Spent } from "./inputs-and-results.ts";
import {
  codesOf,
  errorsIn,
  judgeAnswer,
  type Prepared,
  prepareRequest,
  type SubjectSource,
  unanswered,
  unreadable,
} from "./subject.ts";

export interface Asking {
  readonly settings: SummariesSettings;
  readonly model: NamedSummarizer;
  /** In the order in which they are asked, with at most one request each. */
  readonly kinds: readonly SummaryKind[];
  readonly subjects: SubjectSource;
  readonly call: Call;
}

/** Brings the tree up to date after an accepted answer, so that requests for parents are based on final children. */
export type Compose = (kind: SummaryKind) => Promise<void>;

export interface Asked {
  readonly requests: readonly AskedRequest[];
  readonly spent: Spent;
  readonly warnings: readonly Warning[];
}

/**
 * Sends at most one request per kind, within the budgets. Only one process asks at a time: if another one is asking, this sends nothing and returns
 * a warning. `holder`: the command name that other processes see. Errors: `aborted`, disk errors.
 */
export async function askAll(
  memory: SummaryMemory,
  asking: Asking & { readonly holder: string; readonly compose: Compose },
): Promise<Asked> {
  let lease;
  try {
    lease = await memory.locks.acquire("summaries", { holder: asking.holder, ...asking.call });
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === "busy")) throw error;
    const message = `no model was asked: ${error.message}`;
    return { requests: [], spent: await readSpent(memory), warnings: [{ code: "busy", message }] };
  }
  try {
    return await askEach(memory, asking);
  } finally {
    await lease.release();
  }
}

/** Returns the requests that would be sent now and the most each can cost. Sends and writes nothing, and takes no lock. */
export async function previewAll(memory: SummaryMemory, asking: Asking): Promise<Asked> {
  return askEach(memory, { ...asking, compose: undefined });
}

/** Without `compose`, sends nothing. */
async function askEach(
  memory: SummaryMemory,
  asking: Asking & { readonly compose: Compose | undefined },
): Promise<Asked> {
  const { model, kinds, subjects, settings, call, compose } = asking;
  const budget = new Budget(memory, settings);
  const requests: AskedRequest[] = [];
  const warnings: Warning[] = [];
  let opened: Promise<Summarizer> | undefined;
  const open = (): Promise<Summarizer> => (opened ??= model.open());
  try {
    for (const [done, kind] of kinds.entries()) {
      call.signal?.throwIfAborted();
      const prepared = await nextDue(memory, asking, { kind, warnings });
      if (prepared === undefined) continue;
      const refusal = await budget.refusal(prepared.tokens);
      let request: AskedRequest;
      if (refusal !== undefined) request = unsent(prepared, "no_budget", { code: "budget_spent", message: refusal });
      else if (compose === undefined) {
        budget.pretend(prepared.tokens);
        request = unsent(prepared, "would_ask", null);
      } else {
        call.progress?.({ phase: `ask ${kind}`, done, total: kinds.length });
        request = await send(memory, prepared, { open, budget, call });
        if (request.outcome === "accepted") await compose(kind);
        subjects.forget();
      }
      requests.push(request);
      pushAll(warnings, warningsAbout(request, warnings));
      // After a model has failed to answer once, do not waste time waiting for it again for each kind.
      if (request.error !== null && !["model_answer", "budget_spent"].includes(request.error.code)) break;
    }
  } finally {
    await (await opened?.catch(() => undefined))?.close?.();
  }
  return { requests, spent: await readSpent(memory), warnings };
}

/** The newest subject of a kind whose request has not been sent yet. Skips unreadable subjects with a warning. */
async function nextDue(
  memory: SummaryMemory,
  { subjects, model, settings, call }: Asking,
  { kind, warnings }: { readonly kind: SummaryKind; readonly warnings: Warning[] },
): Promise<Prepared | undefined> {
  const due = (await unanswered(memory, subjects, kind)).filter(({ state }) => state === "due");
  if (due.length === 0) return undefined;
  const records = await listAllRecords(memory, kind);
  const space = { contextTokens: settings.contextTokens };
  for (const subject of due) {
    try {
      const prepared = await prepareRequest(memory, subject, { model: model.id, space, call });
      // The outcome of an earlier answer to this same request does not matter; a damaged record is ignored.
      const same = records.filter(
        ({ label, digest }) => label === subject.label && digest === shortDigest(prepared.event.digest),
      );
      const before = await Promise.all(same.map(({ path }) => readRecord(memory, path)));
      if (before.every((record) => record === "damaged")) return prepared;
    } catch (error) {
      pushAll(warnings, unreadable(subject, error));
    }
  }
  return undefined;
}

/** Sends one request, then checks and records the answer. Model failures are reported in the result. */
async function send(
  memory: SummaryMemory,
  prepared: Prepared,
  how: { readonly open: () => Promise<Summarizer>; readonly budget: Budget; readonly call: Call },
): Promise<AskedRequest> {
  const { event, request, printed } = prepared;
  const prompt = { ...printed, answerTokens: request.budgetTokens };
  const sent = await sendCounted({ prompt, event, tokens: prepared.tokens, ...how });
  if (sent.outcome !== "answered") return { ...unsent(prepared, sent.outcome, sent.error), ...sent };
  const { answer, requests } = sent;
  const { record } = await judgeAnswer(memory, prepared, { ...answer, call: how.call });
  const { findings } = record;
  const tokens = totalOf(record.tokens);
  const outcome = record.state === "accepted" ? "accepted" : "refused";
  await how.budget.note({ ...event, event: "answered", tokens, requests, outcome, codes: codesOf(findings) });
  return { ...unsent(prepared, outcome, null), tokens, requests, findings };
}

function unsent(
  { jobId, event: { kind, label, model }, tokens }: Prepared,
  outcome: AskedRequest["outcome"],
  error: AskedRequest["error"],
): AskedRequest {
  return { job_id: jobId, kind, label, model, outcome, tokens, requests: 0, findings: [], error };
}

function warningsAbout(
  { error, job_id: id, findings, outcome }: AskedRequest,
  before: readonly Warning[],
): readonly Warning[] {
  if (error?.code === "budget_spent") {
    if (before.some(({ code }) => code === "budget_spent")) return [];
    return [{ code: "budget_spent", message: `${id} was not requested: ${error.message}` }];
  }
  if (error !== null) return [{ code: error.code, message: `${id}: ${error.message}` }];
  if (outcome !== "refused") return [];
  const why = codesOf(errorsIn(findings)).join(", ");
  const message = `the answer for ${id} was refused (${why}) and set aside; the built-in summary stays`;
  return [{ code: "answer_refused", message }];
}
