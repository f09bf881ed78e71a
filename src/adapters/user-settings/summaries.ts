import { didYouMean } from "../../base/nearest.ts";
import type { SummariesSettings } from "../../ports/summaries-settings.ts";
import { address } from "./address.ts";
import { fault, hiddenFault, type Place } from "./fault.ts";
import { absolute, keySource, matching, modelName, numbersOf, type KeySource, type Values } from "./values.ts";

interface AnyModel {
  /** Tokens of a request and its answer together. */
  readonly contextTokens: number;
  /** For one try. */
  readonly timeoutSeconds: number;
}

/** What the settings say of the model itself, which only the adapter that asks it needs. */
export type ModelSettings =
  | (AnyModel & {
      readonly adapter: "openai-compatible";
      readonly model: string;
      readonly baseUrl: string;
      /** Further tries. */
      readonly retries: number;
      readonly key: KeySource | undefined;
    })
  | (AnyModel & {
      readonly adapter: "ai-sdk";
      readonly model: string;
      readonly provider: string;
      readonly key: KeySource | undefined;
    })
  | (AnyModel & { readonly adapter: "node-llama-cpp"; readonly modelFile: string });

export interface SummariesRead {
  readonly summaries: SummariesSettings;
  /** Absent with `off` and `pull`. */
  readonly model?: ModelSettings;
}

type Adapter = SummariesSettings["adapter"];

const budgets = ["maxRequestsPerRun", "maxRequestsPerDay", "maxTokensPerDay"] as const;
const asking = ["adapter", "contextTokens", "timeoutSeconds", ...budgets];
/** What says which model it is, and where. */
export const modelKeys: Readonly<Record<ModelSettings["adapter"], readonly string[]>> = {
  "openai-compatible": ["model", "baseUrl", "keyEnv", "keyFile"],
  "ai-sdk": ["model", "provider", "keyEnv", "keyFile"],
  "node-llama-cpp": ["modelFile"],
};
const keysOf: Readonly<Record<Adapter, readonly string[]>> = {
  off: [],
  pull: ["adapter", "contextTokens"],
  "openai-compatible": [...asking, ...modelKeys["openai-compatible"], "retries"],
  "ai-sdk": [...asking, ...modelKeys["ai-sdk"]],
  "node-llama-cpp": [...asking, ...modelKeys["node-llama-cpp"]],
};
const adapters = Object.keys(keysOf) as readonly Adapter[];
const allKeys = [...new Set(Object.values(keysOf).flat())];

/**
 * Reads `summaries` of the person's settings, see docs/formats/summaries.md. With `off` the other keys may stay as they are and are not looked at.
 * Errors: `invalid_config` with the key, the value seen and what is allowed; a value that may be a key or a password is not told.
 */
export function parseSummaries(path: string, value: unknown): SummariesRead {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fault({ path, key: "" }, value, 'an object such as {"adapter": "pull"}');
  const values = value as Values;
  const adapter = adapterOf(path, values["adapter"]);
  checkKeys(path, adapter, values);
  if (adapter === "off" || adapter === "pull") return { summaries: settingsOf(path, adapter, values) };
  return { summaries: settingsOf(path, adapter, values), model: parseModel({ path }, adapter, values) };
}

function adapterOf(path: string, value: unknown): Adapter {
  if (value === undefined) return "off";
  const known = adapters.find((candidate) => candidate === value);
  if (known === undefined)
    throw fault({ path, key: "adapter" }, value, `one of ${adapters.join(", ")}${didYouMean(value, adapters)}`);
  return known;
}

function checkKeys(path: string, adapter: Adapter, values: Values): void {
  for (const key of Object.keys(values)) {
    if (!allKeys.includes(key))
      throw hiddenFault({ path, key }, `is not known; known are ${allKeys.join(", ")}${didYouMean(key, allKeys)}`);
    if (adapter !== "off" && !keysOf[adapter].includes(key))
      throw hiddenFault({ path, key }, `is none of ${adapter}, which knows ${keysOf[adapter].join(", ")}`);
  }
}

function settingsOf(path: string, adapter: Adapter, values: Values): SummariesSettings {
  const seen = adapter === "off" ? {} : values;
  const number = numbersOf({ path, key: "" }, seen);
  return {
    adapter,
    contextTokens: number("contextTokens", { fallback: adapter === "pull" ? 32_768 : 16_384, ...contextRange }),
    maxRequestsPerRun: number("maxRequestsPerRun", { fallback: 5, ...budgetRange }),
    maxRequestsPerDay: number("maxRequestsPerDay", { fallback: 40, ...budgetRange }),
    maxTokensPerDay: number("maxTokensPerDay", { fallback: 200_000, ...budgetRange }),
  };
}

const contextRange = { min: 2048, max: 1_000_000 };
const budgetRange = { min: 0, max: 1_000_000_000 };

/** The keys of a model, of which `adapter` is known. Errors: `invalid_config`. */
export function parseModel(
  under: Omit<Place, "key">,
  adapter: ModelSettings["adapter"],
  values: Values,
): ModelSettings {
  const at = (key: string): Place => ({ ...under, key });
  const number = numbersOf(at(""), values);
  const any = {
    contextTokens: number("contextTokens", { fallback: 16_384, ...contextRange }),
    timeoutSeconds: number("timeoutSeconds", { fallback: 120, min: 1, max: 3600 }),
  };
  if (adapter === "node-llama-cpp")
    return { adapter, ...any, modelFile: absolute(at("modelFile"), values["modelFile"], "a GGUF file") };
  const model = modelName(at("model"), values["model"]);
  const key = keySource(at(""), values);
  if (adapter === "ai-sdk") {
    const provider = matching(at("provider"), values["provider"], {
      pattern: /^[a-z0-9][a-z0-9-]{0,63}$/u,
      allowed: "the name behind @ai-sdk/, such as anthropic or google",
    });
    return { adapter, ...any, model, provider, key };
  }
  const baseUrl = address(at("baseUrl"), values["baseUrl"], key === undefined ? "without key" : "with key");
  return { adapter, ...any, model, baseUrl, key, retries: number("retries", { fallback: 3, min: 0, max: 10 }) };
}
