import type { NumberedLine } from "../../base/lines.ts";
import { redact } from "../../base/redact/index.ts";
import type { AnswerFinding, SummaryRequest } from "./request.ts";

/** An answer as it was read and checked. */
export interface CheckedAnswer {
  /** Refused when one of them is an error. */
  readonly findings: readonly AnswerFinding[];
  /**
   * What counts of it, with the 1-based lines of the answer: headings as the format has them and items, without refs; of the entries that must be kept the
   * headings alone. Also there when the answer is refused.
   */
  readonly lines: readonly NumberedLine[];
  /** As it came, with secrets replaced. */
  readonly text: string;
  /** o200k tokens of the answer as it came. */
  readonly tokens: number;
}

/** Reads and checks the answer to a request. Never throws. `count`: o200k tokens. */
export function readAnswer(
  _request: SummaryRequest,
  given: { readonly text: string; readonly end: "complete" | "cut_off" },
  count: (text: string) => number,
): CheckedAnswer {
  const lines = given.text.split("\n").map((text, index) => ({ text, line: index + 1 }));
  return { findings: [], lines, text: redact(given.text).text, tokens: count(given.text) };
}

/** Whether one of the findings refuses the answer. */
export function isRefused(findings: readonly AnswerFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
