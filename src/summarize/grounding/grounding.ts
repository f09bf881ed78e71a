import { shown } from "../../base/shown.ts";
import type { AnswerFinding } from "../answers/request.ts";

/** A line of an answer, 1-based. */
export interface AnswerLine {
  readonly text: string;
  readonly line: number;
}

/**
 * What of an answer the sources do not contain: a warning for each number, date, identifier, path, address or name. When they are many, an error with the
 * code `ungrounded` stands first, which refuses the answer. Linear in the texts.
 */
export function groundingFindings(
  answerLines: readonly AnswerLine[],
  sources: readonly string[],
): readonly AnswerFinding[] {
  const known = new Set(sources.flatMap((source) => source.match(/\d+/g) ?? []));
  return answerLines.flatMap(({ text, line }) =>
    (text.match(/\d+/g) ?? [])
      .filter((number) => !known.has(number))
      .map((number): AnswerFinding => ({
        code: "ungrounded",
        severity: "warning",
        message: `The number "${shown(number, 80)}" is not in the sources.`,
        line,
      })),
  );
}
