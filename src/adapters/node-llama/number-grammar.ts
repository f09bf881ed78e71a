import type { SummarizerPrompt } from "../../ports/summarizer.ts";
import { oneOf } from "./literals.ts";

/** The grammar of an answer that is some numbers, or 0: `3, 17`. Pure. */
export function numberGrammarOf({ upTo, most }: NonNullable<SummarizerPrompt["numbers"]>): string {
  const numbers = Array.from({ length: upTo }, (_, at) => String(at + 1));
  return `root ::= "0" | number (", " number){0,${Math.max(0, most - 1)}}\nnumber ::= ${oneOf(numbers)}\n`;
}
