import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { adapterOf, type Configuration } from "../../tree/setup/configuration.ts";
import type { Budgets } from "./results.ts";

export const defaultSettings: SummariesSettings = {
  adapter: "off",
  contextTokens: 16_384,
  maxRequestsPerRun: 5,
  maxRequestsPerDay: 40,
  maxTokensPerDay: 200_000,
};

export const pullContextTokens = 32_768;

export type Budgeted = Pick<SummariesSettings, "maxRequestsPerRun" | "maxRequestsPerDay" | "maxTokensPerDay">;

/** The user's settings, narrowed by the project's configuration, which can switch summaries off, select pull, and lower budgets. */
export function effectiveSettings(memory: TreeMemory, configuration: Configuration): SummariesSettings {
  const own = memory.user.summaries ?? defaultSettings;
  const adapter = adapterOf(memory, configuration);
  const contextTokens = adapter === "pull" && own.adapter !== "pull" ? pullContextTokens : own.contextTokens;
  return { adapter, contextTokens, ...narrowed(own, configuration) };
}

/** A number in the project's configuration applies only if it lowers the user's limit. */
export function narrowed(own: Budgeted, { summaries }: Configuration): Budgeted {
  const least = (key: keyof Budgeted): number => Math.min(own[key], summaries[key] ?? Number.POSITIVE_INFINITY);
  return {
    maxRequestsPerRun: least("maxRequestsPerRun"),
    maxRequestsPerDay: least("maxRequestsPerDay"),
    maxTokensPerDay: least("maxTokensPerDay"),
  };
}

export function budgetsOf(settings: Budgeted): Budgets {
  return {
    max_requests_per_run: settings.maxRequestsPerRun,
    max_requests_per_day: settings.maxRequestsPerDay,
    max_tokens_per_day: settings.maxTokensPerDay,
  };
}

/** If a project allows nothing to be sent for summaries, nothing is sent for choices either. */
export function isChoosingOff({ chooser, summaries }: Configuration): boolean {
  return chooser === "off" || summaries.adapter !== undefined;
}
