import type { PromptTexts } from "../prompts/language.ts";
import type { SummaryKind } from "./request.ts";

/** The headings that an answer may have, in their order: those of the summaries of docs/formats/tree.md, and of ROOT.md without its index. None of a thread. */
export const nodeTitles: Readonly<
  Record<"daily" | "weekly" | "monthly", readonly (keyof PromptTexts["node"]["sections"])[]>
> = {
  daily: [
    "Topics",
    "User and Feedback",
    "Key Decisions",
    "Tasks Completed",
    "Lessons Learned",
    "Open Items",
    "Entities Referenced",
    "Notes",
  ],
  weekly: [
    "Topics",
    "User and Feedback",
    "Key Decisions",
    "Tasks Completed",
    "Entities Referenced",
    "Lessons Learned",
    "Open Items",
    "Notes",
  ],
  monthly: [
    "Topics",
    "User and Feedback",
    "Key Themes",
    "Major Decisions",
    "Completed Work",
    "Recurring Entities",
    "Lessons & Patterns",
    "Carried Forward",
  ],
};

export const rootTitles: readonly (keyof PromptTexts["root"]["sections"])[] = [
  "Active Context",
  "Recent Patterns",
  "Historical Summary",
];

/** Below it stand the entries that must be kept. */
export const keptTitle = "User and Feedback";

export function titlesOf(kind: SummaryKind): readonly string[] {
  if (kind === "thread") return [];
  return kind === "root" ? rootTitles : nodeTitles[kind];
}

/** The section without which an answer is refused; empty of a thread, which has none. */
export function requiredTitle(kind: SummaryKind): string {
  return titlesOf(kind)[0] ?? "";
}
