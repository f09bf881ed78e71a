import { localTimestamp } from "../../base/calendar.ts";
import type { AnswerRecord } from "../../summarize/answers/record.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { commitRecord } from "./answer-store.ts";
import type { Prepared } from "./prepared.ts";
import type { GivenAnswer } from "./subject.ts";

export interface Judged {
  readonly record: AnswerRecord;
  readonly path: string;
  /** `known`: this answer, or an accepted one to the same request, was there before, and nothing was written. */
  readonly outcome: "written" | "known";
  /** o200k tokens of the answer. */
  readonly tokens: number;
}

/** The codes of what was found, each once. */
export function codesOf({ findings }: Pick<AnswerRecord, "findings">): readonly string[] {
  return [...new Set(findings.map(({ code }) => code))];
}

/** Checks an answer, records it, and puts an accepted one to use. Errors: those of reading and writing. */
export async function judgeAnswer(
  memory: Memory,
  prepared: Prepared,
  given: {
    readonly given: GivenAnswer;
    readonly model: string;
    readonly by?: string;
    readonly tokens: { readonly prompt: number; readonly answer: number } | undefined;
    readonly call: Call;
  },
): Promise<Judged> {
  const { subject, request, digest } = prepared;
  const { text, end } = given.given;
  const read = await subject.read(request, { text, end });
  const isRefused = read.findings.some(({ severity }) => severity === "error");
  const record: AnswerRecord = {
    state: isRefused ? "refused" : "accepted",
    kind: subject.kind,
    label: subject.label,
    basis: request.basis,
    digest,
    prompt_rule: request.promptRule,
    model: given.model,
    ...(given.by === undefined ? {} : { by: given.by }),
    at: localTimestamp(memory.clock.now(), memory.clock.zone),
    tokens: given.tokens ?? { prompt: prepared.promptTokens, answer: read.tokens },
    findings: read.findings,
    answer: read.text,
    summary: isRefused ? [] : read.summary,
  };
  const { path, outcome } = await commitRecord(memory, record);
  if (!isRefused && outcome === "written") await subject.accept?.(record, given.call);
  return { record, path, outcome, tokens: read.tokens };
}
