import type { RecallSettings } from "../../ports/recall-settings.ts";
import type { Configuration } from "../configuration.ts";
import type { Memory } from "../memory.ts";
import type { Budgeted } from "./settings.ts";

/** What holds where nothing is set. */
export const defaultRecall: RecallSettings = {
  timeoutSeconds: 5,
  maxRequestsPerRun: 5,
  maxRequestsPerDay: 20,
  maxTokensPerDay: 100_000,
};

/** What choices may spend; a number of the project counts when it is smaller. */
export function choiceBudgets(memory: Memory, { summaries }: Configuration): Budgeted {
  const own = memory.user.recall ?? defaultRecall;
  const least = (key: keyof Budgeted): number => Math.min(own[key], summaries[key] ?? Number.POSITIVE_INFINITY);
  return {
    maxRequestsPerRun: least("maxRequestsPerRun"),
    maxRequestsPerDay: least("maxRequestsPerDay"),
    maxTokensPerDay: least("maxTokensPerDay"),
  };
}

/** Where a project lets nothing go out for summaries, nothing goes out for choices either. */
export function isChoosingOff({ chooser, summaries }: Configuration): boolean {
  return chooser === "off" || summaries.adapter !== undefined;
}
