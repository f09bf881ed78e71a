import { printRecall } from "../../../recall/context/print.ts";
import type { RecallResult } from "../../../recall/search/results.ts";
import type { Screen } from "./screen.ts";

/** What goes into a prompt; with `--explain` also how it was found. */
export function renderRecall(result: RecallResult, { input, paint }: Screen): string {
  const printed = printRecall(result);
  if (input["explain"] !== true) return printed;
  const steps = result.steps.map(({ step, took_ms, candidates, kept, notes }) => {
    const found = notes.length === 0 ? "" : `: ${notes.join(", ")}`;
    return `${step} (${took_ms} ms): ${candidates} looked at, ${kept} passages${found}`;
  });
  const why = result.context.map(({ source, score, why: parts = [] }, at) => {
    return `${at + 1}. ${source} ${score} = ${parts.map(({ part, score: own }) => `${part} ${own}`).join(", ")}`;
  });
  const sum = `${result.tokens} tokens of passages, ${result.tokens_printed} printed`;
  return [printed, "", paint.title("Why"), ...steps, ...why, sum].join("\n");
}
