import type { Summarizer } from "../../ports/summarizer.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { Budget } from "./budget.ts";
import { codesOf, judgeAnswer } from "./judge.ts";
import type { Prepared } from "./prepared.ts";
import type { AskedRequest } from "./results.ts";
import { sendCounted, totalOf } from "./send.ts";

/** Sends one request, checks and records the answer. What a model does wrong stands in the result. Errors: `aborted`, those of the disk. */
export async function askOnce(
  memory: Memory,
  prepared: Prepared,
  tools: { readonly summarizer: Summarizer; readonly budget: Budget; readonly call: Call },
): Promise<AskedRequest> {
  const { summarizer, budget, call } = tools;
  const { subject, digest, request, jobId } = prepared;
  const event = { kind: subject.kind, label: subject.label, digest, model: summarizer.id };
  const base = { job_id: jobId, kind: subject.kind, label: subject.label, model: summarizer.id };
  const prompt = { ...prepared.printed, answerTokens: request.budgetTokens };
  const sent = await sendCounted({ prompt, event, tokens: prepared.tokens, summarizer, counter: budget, call });
  if (sent.outcome !== "answered") return { ...base, ...sent, findings: [] };
  const { answer, requests } = sent;
  const given = { given: answer, model: summarizer.id, tokens: answer.tokens, call };
  const judged = await judgeAnswer(memory, prepared, given);
  const { record } = judged;
  const tokens = answer.tokens === undefined ? prepared.promptTokens + judged.tokens : totalOf(answer.tokens);
  const outcome = record.state === "accepted" ? "accepted" : "refused";
  await budget.note({ ...event, event: "answered", tokens, requests, outcome, codes: codesOf(record) });
  return { ...base, outcome, tokens, requests, findings: record.findings, error: null };
}
