import type { SummariesStatus } from "./results.ts";

/** What status says where no model is configured and no answer is on record. */
export const noSummaries: SummariesStatus = {
  adapter: "off",
  model: null,
  pending: 0,
  waiting: [],
  late: [],
  refused: 0,
  spent: { requests: 0, tokens: 0 },
  budgets: null,
};
