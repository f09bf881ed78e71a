import type { Warning } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { Section } from "./section.ts";

interface Budgets {
  /** Per recall (or batch of recalls) or summaries run. Default 5. */
  readonly maxRequestsPerRun: number;
  /** Per local day; a request that would exceed it is not sent. For recall, summaries requests count too. Default 40, for recall 20. */
  readonly maxRequestsPerDay: number;
  /** Same, in tokens. Default 200,000, for recall 100,000. */
  readonly maxTokensPerDay: number;
}

/** The user's settings for a model that chooses nodes; see docs/formats/recall.md. */
export interface RecallSettings extends Budgets {
  /** How long one message may wait for the model's choice in total. Default 5. */
  readonly timeoutSeconds: number;
}

/** The user's settings for summaries by a model; see docs/formats/summaries.md. */
export interface SummariesSettings extends Budgets {
  readonly adapter: "off" | "pull" | "openai-compatible" | "ai-sdk";
  /** Tokens of a request and its answer together. */
  readonly contextTokens: number;
}

/** A model that writes text. `contextTokens`: tokens of a request and its answer together. */
export type ModelSettings = ReturnType<typeof modelOf>;

/** A model that makes vectors. */
export type EmbedderSettings = ReturnType<typeof embedderOf>;

/** The settings about models. */
export interface ModelsRead {
  readonly summaries?: SummariesSettings;
  /** The model that writes summaries; not set with `off` and `pull`. */
  readonly model?: ModelSettings;
  readonly recall?: RecallSettings;
  /** The model that chooses nodes, if any. */
  readonly chooser?: ModelSettings;
  /** The embedders that a project may choose by name, if any. */
  readonly embedders?: ReadonlyMap<string, EmbedderSettings>;
  /** About unknown keys and adapters that no longer exist. */
  readonly warnings?: readonly Warning[];
}

const budgets = ["maxRequestsPerRun", "maxRequestsPerDay", "maxTokensPerDay"] as const;
const contextRange = { min: 2048, max: 1_000_000 };
const timeoutRange = { min: 1, max: 3600 };

/** An adapter from earlier versions; settings that use it can still be read (docs/decisions/0022). */
const removedAdapter = "node-llama-cpp";

/** The keys that identify a model and its endpoint. */
const modelKeys = {
  "openai-compatible": ["model", "baseUrl", "keyEnv", "keyFile"],
  "ai-sdk": ["model", "provider", "keyEnv", "keyFile"],
};
const asking = ["adapter", "contextTokens", "timeoutSeconds", ...budgets];
const summariesKeys: Readonly<Record<SummariesSettings["adapter"], readonly string[]>> = {
  off: [],
  pull: ["adapter", "contextTokens"],
  "openai-compatible": [...asking, ...modelKeys["openai-compatible"], "retries"],
  "ai-sdk": [...asking, ...modelKeys["ai-sdk"]],
};
const embedderKeys = {
  "openai-compatible": [...modelKeys["openai-compatible"], "timeoutSeconds", "retries"],
  transformers: ["modelFolder", "pooling", "weights"],
};

/** Reads `summaries`, `recall` and `embedders` of the settings file. Errors: `invalid_config`. */
export function parseModels(path: string, values: Readonly<Record<string, unknown>>): ModelsRead {
  const summaries = values["summaries"] === undefined ? {} : parseSummaries(path, values["summaries"]);
  const recall = values["recall"] === undefined ? {} : parseRecall(path, values["recall"], summaries);
  const embedders = values["embedders"] === undefined ? {} : parseEmbedders(path, values["embedders"]);
  const warnings = [summaries, recall, embedders].flatMap((read) => read.warnings ?? []);
  return { ...summaries, ...recall, ...embedders, warnings };
}

/** Reads `summaries`; see docs/formats/summaries.md. With `off`, the values of the other keys are ignored. */
export function parseSummaries(path: string, value: unknown): ModelsRead {
  const section = new Section({ path, name: "summaries", like: 'an object such as {"adapter": "pull"}' }, value);
  if (section.values["adapter"] === removedAdapter)
    return { summaries: boundsOf("off", section), warnings: [removed(section, "summaries are made without a model")] };
  const adapter = section.values["adapter"] === undefined ? "off" : section.oneOf("adapter", namesOf(summariesKeys));
  section.onlyKnows([...new Set(Object.values(summariesKeys).flat()), ...(adapter === "off" ? ["modelFile"] : [])]);
  if (adapter !== "off") section.onlyKnows(summariesKeys[adapter], adapter);
  const summaries = boundsOf(adapter, section);
  return adapter === "off" || adapter === "pull" ? { summaries } : { summaries, model: modelOf(section, adapter) };
}

function boundsOf(adapter: SummariesSettings["adapter"], from: Section): SummariesSettings {
  const section = adapter === "off" ? new Section({ ...from, like: "" }, {}) : from;
  return {
    adapter,
    contextTokens: section.number("contextTokens", { fallback: adapter === "pull" ? 32_768 : 16_384, ...contextRange }),
    ...budgetsOf(section, { requests: 40, tokens: 200_000 }),
  };
}

function budgetsOf(section: Section, day: { readonly requests: number; readonly tokens: number }): Budgets {
  const range = { min: 0, max: 1_000_000_000 };
  return {
    maxRequestsPerRun: section.number("maxRequestsPerRun", { fallback: 5, ...range }),
    maxRequestsPerDay: section.number("maxRequestsPerDay", { fallback: day.requests, ...range }),
    maxTokensPerDay: section.number("maxTokensPerDay", { fallback: day.tokens, ...range }),
  };
}

/** Reads `recall`; see docs/formats/recall.md. Empty if no model chooses. `summaries`: the settings read from that section. */
export function parseRecall(path: string, value: unknown, summaries: ModelsRead): ModelsRead {
  const section = new Section({ path, name: "recall", like: 'an object such as {"chooser": "summaries"}' }, value);
  section.onlyKnows(["chooser", "timeoutSeconds", ...budgets]);
  const recall = {
    timeoutSeconds: section.number("timeoutSeconds", { fallback: 5, min: 1, max: 300 }),
    ...budgetsOf(section, { requests: 20, tokens: 100_000 }),
  };
  const { model, warnings } = chooserOf(section, summaries);
  if (warnings !== undefined) return { warnings };
  if (model === undefined) return {};
  // The user's message is waiting; a retry would come too late.
  const once = model.adapter === "openai-compatible" ? { ...model, retries: 0 } : model;
  return { recall, chooser: { ...once, timeoutSeconds: recall.timeoutSeconds } };
}

function chooserOf(section: Section, summaries: ModelsRead): Pick<ModelsRead, "model" | "warnings"> {
  const value = section.values["chooser"];
  if (value === undefined || value === "off") return {};
  if (value === "summaries") {
    // The warning about summaries is enough.
    if (summaries.warnings !== undefined) return {};
    if (summaries.model !== undefined) return { model: summaries.model };
    const fault = 'is "summaries", but summaries has no model that can be asked; configure one there or here';
    throw section.hiddenFault("chooser", fault);
  }
  if (!isObject(value)) throw section.fault("chooser", 'off, summaries, or an object such as {"adapter": "ai-sdk", …}');
  const own = new Section({ path: section.path, name: "recall.chooser", like: "an object" }, value);
  if (value["adapter"] === removedAdapter) return { warnings: [removed(own, "recall ranks without a model")] };
  const adapter = own.oneOf("adapter", namesOf(modelKeys));
  own.onlyKnows(["adapter", "contextTokens", ...modelKeys[adapter]], adapter);
  return { model: modelOf(own, adapter) };
}

/** Reads `embedders`, the models for vectors by name; see docs/formats/recall.md. */
export function parseEmbedders(path: string, value: unknown): ModelsRead {
  const section = new Section({ path, name: "embedders", like: "an object of embedders by name" }, value);
  const embedders = new Map<string, EmbedderSettings>();
  const warnings: Warning[] = [];
  for (const [name, one] of Object.entries(section.values)) {
    const fault =
      "has an invalid name; use up to 64 letters, digits, ., - and _, starting with a letter or digit, but not auto";
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(name) || name === "auto") throw section.hiddenFault(name, fault);
    const like = 'an object such as {"adapter": "transformers"}';
    const own = new Section({ path, name: `embedders.${name}`, like }, one);
    if (own.values["adapter"] === removedAdapter) warnings.push(removed(own, "it makes no vectors"));
    else embedders.set(name, embedderOf(own));
  }
  return { embedders, warnings };
}

function embedderOf(section: Section) {
  const adapter = section.oneOf("adapter", namesOf(embedderKeys));
  section.onlyKnows(["adapter", "queryPrefix", "passagePrefix", ...embedderKeys[adapter]], adapter);
  const prefix = { pattern: /^[^\p{Cc}]{0,500}$/u, allowed: "one line of at most 500 characters", fallback: "" };
  const all = { query: section.text("queryPrefix", prefix), passage: section.text("passagePrefix", prefix) };
  const prefixes: { readonly prefixes?: typeof all } = all.query + all.passage === "" ? {} : { prefixes: all };
  if (adapter === "openai-compatible") return { ...prefixes, ...endpointOf(section, 30) };
  const pooling = section.values["pooling"] === undefined ? "mean" : section.oneOf("pooling", poolings);
  const weights = { pattern: /^[a-z0-9]{1,16}$/u, allowed: "a name such as fp32 or q8", fallback: "fp32" };
  return {
    ...prefixes,
    adapter,
    modelFolder: section.absolutePath("modelFolder", "a folder with config.json"),
    pooling,
    weights: section.text("weights", weights),
  };
}

const poolings = ["mean", "cls", "last_token"] as const;

function modelOf(section: Section, adapter: keyof typeof modelKeys) {
  const contextTokens = section.number("contextTokens", { fallback: 16_384, ...contextRange });
  if (adapter === "openai-compatible") return { contextTokens, ...endpointOf(section, 120) };
  return {
    adapter,
    contextTokens,
    timeoutSeconds: section.number("timeoutSeconds", { fallback: 120, ...timeoutRange }),
    model: section.text("model", modelName),
    provider: section.text("provider", {
      pattern: /^[a-z0-9][a-z0-9-]{0,63}$/u,
      allowed: "the name after @ai-sdk/, such as anthropic or google",
    }),
    key: section.keySource(),
  };
}

function endpointOf(section: Section, timeoutSeconds: number) {
  const key = section.keySource();
  return {
    adapter: "openai-compatible" as const,
    model: section.text("model", modelName),
    baseUrl: section.baseUrl(key),
    /** Per attempt. */
    timeoutSeconds: section.number("timeoutSeconds", { fallback: timeoutSeconds, ...timeoutRange }),
    /** Attempts after the first. */
    retries: section.number("retries", { fallback: 3, min: 0, max: 10 }),
    key,
  };
}

const modelName = {
  pattern: /^[!-~]{1,128}$/u,
  allowed: "the model's name, 1 to 128 printable ASCII characters without spaces",
};

function removed({ path, name }: Section, meanwhile: string): Warning {
  const instead = "serve the model file with llama-server, Ollama or LM Studio and use that endpoint";
  const message = `${name}.adapter is ${removedAdapter}, which heartwood no longer supports; ${instead} ("adapter": "openai-compatible", with baseUrl and model). Until then ${meanwhile}`;
  return { code: "adapter_removed", path, message };
}

function namesOf<Name extends string>(keys: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(keys) as Name[];
}
