import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../base/redact/index.ts";
import type { Summarizer, SummarizerAnswer } from "../../ports/summarizer.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { Budget } from "./budget.ts";
import { formOf } from "./form.ts";
import { judgeAnswer } from "./judge.ts";
import type { LedgerEvent } from "./ledger.ts";
import type { Prepared } from "./prepared.ts";
import type { AskedRequest } from "./results.ts";

/** Stops a try that is over the budget. */
class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** Sends one request, checks and records the answer. What a model does wrong stands in the result. Errors: `aborted`, those of the disk. */
export async function askOnce(
  memory: Memory,
  prepared: Prepared,
  tools: { readonly summarizer: Summarizer; readonly budget: Budget; readonly call: Call },
): Promise<AskedRequest> {
  const { summarizer, budget, call } = tools;
  const tries = { sent: 0 };
  let answer: SummarizerAnswer;
  try {
    answer = await summarizer.summarize(
      {
        ...prepared.printed,
        answerTokens: prepared.request.budgetTokens,
        form: formOf(prepared.request),
        beforeTry: () => beforeTry(prepared, { ...tools, tries }),
      },
      call.signal === undefined ? {} : { signal: call.signal },
    );
  } catch (error) {
    return await endOf(error, prepared, { ...tools, tries });
  }
  // An adapter may not have told of each of its tries.
  const requests = Math.max(answer.requests, tries.sent);
  const judged = await judgeAnswer(memory, prepared, {
    given: answer,
    model: summarizer.id,
    tokens: answer.tokens,
    call,
  });
  const { record } = judged;
  const tokens = answer.tokens === undefined ? prepared.promptTokens + judged.tokens : totalOf(answer.tokens);
  const outcome = record.state === "accepted" ? "accepted" : "refused";
  const codes = record.findings.map(({ code }) => code);
  await budget.note({ ...eventOf(prepared, summarizer.id), event: "answered", tokens, requests, outcome, codes });
  return { ...base(prepared, summarizer.id), outcome, tokens, requests, findings: record.findings, error: null };
}

type Tools = Parameters<typeof askOnce>[2] & { readonly tries: { sent: number } };

async function beforeTry(prepared: Prepared, { summarizer, budget, call, tries }: Tools): Promise<void> {
  call.signal?.throwIfAborted();
  const refusal = budget.refusal(prepared.tokens);
  if (refusal !== undefined) throw new OverBudget(refusal);
  const event = { ...eventOf(prepared, summarizer.id), event: "asked", tokens: prepared.tokens } as const;
  await budget.ask({ ...event, requests: tries.sent + 1 });
  tries.sent += 1;
}

/** Whatever came instead of an answer. An end stands on the ledger too, where something went out. */
async function endOf(error: unknown, prepared: Prepared, tools: Tools): Promise<AskedRequest> {
  const { summarizer, budget, call, tries } = tools;
  const failure = failureOf(error);
  const told = error instanceof MemoryError ? error.details : {};
  const requests = typeof told["requests"] === "number" ? Math.max(told["requests"], tries.sent) : tries.sent;
  const spent = typeof told["tokens"] === "number" ? { tokens: told["tokens"] } : {};
  if (requests > 0)
    await budget.note({
      ...eventOf(prepared, summarizer.id),
      event: "failed",
      requests,
      ...spent,
      code: failure.code,
      message: sentences[failure.code] ?? "It failed.",
    });
  if (call.signal?.aborted === true || failure.code === "aborted" || isOfDisk(error)) throw error;
  const outcome = failure.code === "budget_spent" && requests === 0 ? "no_budget" : "failed";
  const tokens = spent.tokens ?? prepared.tokens * Math.max(1, requests);
  return { ...base(prepared, summarizer.id), outcome, tokens, requests, findings: [], error: failure };
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

function eventOf({ subject, digest }: Prepared, model: string): Omit<LedgerEvent, "event"> {
  return { kind: subject.kind, label: subject.label, digest, model };
}

function base({ jobId, subject }: Prepared, model: string): Pick<AskedRequest, "job_id" | "kind" | "label" | "model"> {
  return { job_id: jobId, kind: subject.kind, label: subject.label, model };
}

function totalOf(tokens: { readonly prompt: number; readonly answer: number }): number {
  return tokens.prompt + tokens.answer;
}
