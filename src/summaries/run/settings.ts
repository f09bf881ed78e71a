import type { RecallSettings, SummariesSettings } from "../../platform/user-settings/models.ts";
import { type Configuration, adapterOf } from "../../tree/setup/configuration.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { Budgets } from "./results.ts";

/** What holds where nothing is set. */
export const defaultSettings: SummariesSettings = {
  adapter: "off",
  contextTokens: 16_384,
  maxRequestsPerRun: 5,
  maxRequestsPerDay: 40,
  maxTokensPerDay: 200_000,
};

/** Of a job, where nothing is set. */
export const pullContextTokens = 32_768;

/** The person's settings, as the project's configuration narrows them: it can switch off, say pull, and lower budgets. */
export function effectiveSettings(memory: TreeMemory, configuration: Configuration): SummariesSettings {
  const own = memory.user.summaries ?? defaultSettings;
  const project = configuration.summaries;
  const adapter = adapterOf(memory, configuration);
  const contextTokens = adapter === "pull" && own.adapter !== "pull" ? pullContextTokens : own.contextTokens;
  return { adapter, contextTokens, ...narrowed(own, project) };
}

/** What may be spent. */
export type Budgeted = Pick<SummariesSettings, "maxRequestsPerRun" | "maxRequestsPerDay" | "maxTokensPerDay">;

export function budgetsOf(settings: Budgeted): Budgets {
  return {
    max_requests_per_run: settings.maxRequestsPerRun,
    max_requests_per_day: settings.maxRequestsPerDay,
    max_tokens_per_day: settings.maxTokensPerDay,
  };
}

/** Whether requests go out: a model is named, nothing switched it off, and it is no agent. */
export function isAsking(settings: SummariesSettings): boolean {
  return settings.adapter !== "off" && settings.adapter !== "pull";
}

/** What holds where nothing is set. */
export const defaultRecall: RecallSettings = {
  timeoutSeconds: 5,
  maxRequestsPerRun: 5,
  maxRequestsPerDay: 20,
  maxTokensPerDay: 100_000,
};

/** What choices may spend; a number of the project counts when it is smaller. */
export function choiceBudgets(memory: TreeMemory, { summaries }: Configuration): Budgeted {
  return narrowed(memory.user.recall ?? defaultRecall, summaries);
}

/** A number in the configuration of the project counts when it is smaller. */
function narrowed(own: Budgeted, project: Configuration["summaries"]): Budgeted {
  const least = (key: keyof Budgeted): number => Math.min(own[key], project[key] ?? Number.POSITIVE_INFINITY);
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
