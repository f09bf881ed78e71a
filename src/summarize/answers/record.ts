import type { AnswerFinding, SummaryKind } from "./request.ts";

/** What is kept of an answer: `heartwood.answer.v1`, see docs/formats/summaries.md. */
export interface AnswerRecord {
  readonly state: AnswerState;
  readonly kind: SummaryKind;
  readonly label: string;
  readonly basis: string;
  /** Of the request. */
  readonly digest: string;
  readonly prompt_rule: string;
  readonly model: string;
  /** Who answered, as the caller of `submit` says. */
  readonly by?: string;
  /** Local time with offset. */
  readonly at: string;
  readonly tokens: { readonly prompt: number; readonly answer: number };
  readonly findings: readonly AnswerFinding[];
  /** As it came, with secrets replaced. */
  readonly answer: string;
  /** What was read from it: the lines of a summary with refs; empty when refused. */
  readonly summary: readonly string[];
}

export type AnswerState = "accepted" | "refused" | "dropped";
