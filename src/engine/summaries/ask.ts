import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../base/redact/index.ts";
import type { Summarizer, SummarizerAnswer } from "../../ports/summarizer.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { Budget } from "./budget.ts";
import { formOf } from "./form.ts";
import { codesOf, judgeAnswer } from "./judge.ts";
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
  const tries = { asked: 0, unsent: 0 };
  let answer: SummarizerAnswer;
  try {
    answer = await summarizer.summarize(
      {
        ...prepared.printed,
        answerTokens: prepared.request.budgetTokens,
        form: formOf(prepared.request),
        beforeTry: () => beforeTry(prepared, { ...tools, tries }),
        notSent: () => notSent(prepared, { ...tools, tries }),
      },
      call.signal === undefined ? {} : { signal: call.signal },
    );
  } catch (error) {
    return await endOf(error, prepared, { ...tools, tries });
  }
  // An adapter may not have told of each of its tries.
  const requests = Math.max(answer.requests, tries.asked - tries.unsent);
  const judged = await judgeAnswer(memory, prepared, {
    given: answer,
    model: summarizer.id,
    tokens: answer.tokens,
    call,
  });
  const { record } = judged;
  const tokens = answer.tokens === undefined ? prepared.promptTokens + judged.tokens : totalOf(answer.tokens);
  const outcome = record.state === "accepted" ? "accepted" : "refused";
  const codes = codesOf(record);
  await budget.note({ ...eventOf(prepared, summarizer.id), event: "answered", tokens, requests, outcome, codes });
  return { ...base(prepared, summarizer.id), outcome, tokens, requests, findings: record.findings, error: null };
}

type Tools = Parameters<typeof askOnce>[2] & { readonly tries: { asked: number; unsent: number } };

async function beforeTry(prepared: Prepared, { summarizer, budget, call, tries }: Tools): Promise<void> {
  call.signal?.throwIfAborted();
  const refusal = budget.refusal(prepared.tokens);
  if (refusal !== undefined) throw new OverBudget(refusal);
  const event = { ...eventOf(prepared, summarizer.id), event: "asked", tokens: prepared.tokens } as const;
  await budget.ask({ ...event, requests: tries.asked + 1 });
  tries.asked += 1;
}

/** Where nobody listens nothing is spent. */
function notSent(prepared: Prepared, { summarizer, budget, tries }: Tools): void {
  if (tries.unsent >= tries.asked) return;
  budget.takeBack({ ...eventOf(prepared, summarizer.id), tokens: prepared.tokens });
  tries.unsent += 1;
}

/** Whatever came instead of an answer. An end stands on the ledger too, where something went out. */
async function endOf(error: unknown, prepared: Prepared, tools: Tools): Promise<AskedRequest> {
  const { summarizer, budget, call, tries } = tools;
  const failure = failureOf(error);
  const told = error instanceof MemoryError ? error.details : {};
  const went = tries.asked - tries.unsent;
  const requests = typeof told["requests"] === "number" ? Math.max(told["requests"], went) : went;
  const spent = tokensOf(told, { requests, unsent: tries.unsent, each: prepared.tokens });
  if (requests > 0 || tries.asked > 0)
    await budget.note({
      ...eventOf(prepared, summarizer.id),
      event: "failed",
      requests,
      ...spent,
      code: failure.code,
      message: sentences[failure.code] ?? "It failed.",
    });
  if (call.signal?.aborted === true || failure.code === "aborted" || isOfDisk(error)) throw error;
  const outcome = failure.code === "budget_spent" && tries.asked === 0 ? "no_budget" : "failed";
  const tokens = spent.tokens ?? prepared.tokens * Math.max(1, requests);
  return { ...base(prepared, summarizer.id), outcome, tokens, requests, findings: [], error: failure };
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

function eventOf({ subject, digest }: Prepared, model: string): Omit<LedgerEvent, "event"> {
  return { kind: subject.kind, label: subject.label, digest, model };
}

function base({ jobId, subject }: Prepared, model: string): Pick<AskedRequest, "job_id" | "kind" | "label" | "model"> {
  return { job_id: jobId, kind: subject.kind, label: subject.label, model };
}

function totalOf(tokens: { readonly prompt: number; readonly answer: number }): number {
  return Math.min(Number.MAX_SAFE_INTEGER, tokens.prompt + tokens.answer);
}
