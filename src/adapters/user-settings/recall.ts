import { didYouMean } from "../../base/nearest.ts";
import type { RecallSettings } from "../../ports/recall-settings.ts";
import { fault, hiddenFault } from "./fault.ts";
import { modelKeys, parseModel, type ModelSettings } from "./summaries.ts";
import { numbersOf, type Values } from "./values.ts";

export interface RecallRead {
  /** The model that chooses. */
  readonly chooser: ModelSettings;
  readonly recall: RecallSettings;
}

const bounds = ["timeoutSeconds", "maxRequestsPerRun", "maxRequestsPerDay", "maxTokensPerDay"];
const keys = ["chooser", ...bounds];
const ofChooser = ["adapter", "contextTokens"];
const adapters = Object.keys(modelKeys) as readonly ModelSettings["adapter"][];

/**
 * Reads `recall` of the person's settings, see docs/formats/recall.md; nothing where no model is to choose. `model`: that of `summaries`. Errors: `invalid_config`
 * with the key, the value seen and what is allowed; a value that may be a key or a password is not told.
 */
export function parseRecall(path: string, value: unknown, model: ModelSettings | undefined): Partial<RecallRead> {
  const under = { path, under: "recall" };
  if (!isObject(value)) throw fault({ ...under, key: "" }, value, 'an object such as {"chooser": "summaries"}');
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw hiddenFault({ ...under, key: other }, `is not known; known are ${keys.join(", ")}${didYouMean(other, keys)}`);
  const number = numbersOf({ ...under, key: "" }, value);
  const recall = {
    timeoutSeconds: number("timeoutSeconds", { fallback: 5, min: 1, max: 300 }),
    maxRequestsPerRun: number("maxRequestsPerRun", { fallback: 5, ...budgetRange }),
    maxRequestsPerDay: number("maxRequestsPerDay", { fallback: 20, ...budgetRange }),
    maxTokensPerDay: number("maxTokensPerDay", { fallback: 100_000, ...budgetRange }),
  };
  const named = chooserOf(path, value["chooser"], model);
  if (named === undefined) return {};
  // One message waits for one answer: a further try would come too late.
  const once = named.adapter === "openai-compatible" ? { ...named, retries: 0 } : named;
  return { recall, chooser: { ...once, timeoutSeconds: recall.timeoutSeconds } };
}

const budgetRange = { min: 0, max: 1_000_000_000 };

function chooserOf(path: string, value: unknown, model: ModelSettings | undefined): ModelSettings | undefined {
  const place = { path, under: "recall", key: "chooser" };
  if (value === undefined || value === "off") return undefined;
  if (value === "summaries" && model === undefined)
    throw hiddenFault(place, 'is "summaries", and summaries names no model that can be asked; name one there or here');
  if (value === "summaries") return model;
  if (!isObject(value)) throw fault(place, value, 'off, summaries, or an object such as {"adapter": "ai-sdk", …}');
  const under = { path, under: "recall.chooser" };
  const adapter = adapters.find((known) => known === value["adapter"]);
  if (adapter === undefined)
    throw fault(
      { ...under, key: "adapter" },
      value["adapter"],
      `one of ${adapters.join(", ")}${didYouMean(value["adapter"], adapters)}`,
    );
  const known = [...ofChooser, ...modelKeys[adapter]];
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other !== undefined)
    throw hiddenFault(
      { ...under, key: other },
      `is none of ${adapter}, which knows ${known.join(", ")}${didYouMean(other, known)}`,
    );
  return parseModel(under, adapter, value);
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
