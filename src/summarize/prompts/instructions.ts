import type { KeptEntry, SummaryKind } from "../answers/request.ts";
import type { Language } from "./language.ts";
import { promptRules } from "./prompt.ts";

/** What the instructions of a request depend on. */
export interface AskedFor {
  readonly kind: SummaryKind;
  readonly label: string;
  readonly space: { readonly lines: number; readonly bytes: number };
  readonly budgetTokens: number;
  readonly mustKeep: readonly KeptEntry[];
  /** Lines of the sources that are not sent. */
  readonly leftOut: number;
  readonly notes: string | undefined;
}

/** The version of the prompt that asks for such a summary. */
export function ruleOf(kind: SummaryKind): string {
  return kind === "root" || kind === "thread" ? promptRules[kind] : promptRules.node;
}

/** The instructions, without a line end at their end. */
export function printInstructions(asked: AskedFor, _language: Language): string {
  return `Summarise ${asked.label}.`;
}

/** What stands before and behind the sources. */
export function printFrame(
  asked: { readonly kind: SummaryKind; readonly id: string },
  _language: Language,
): { readonly before: string; readonly after: string } {
  return { before: `Sources ${asked.id}:`, after: "Answer now." };
}
