import { didYouMean } from "../../base/nearest.ts";
import type { EmbedPrefixes } from "../../ports/embedder.ts";
import { address } from "./address.ts";
import { fault, hiddenFault, type Place } from "./fault.ts";
import { absolute, keySource, matching, modelName, numbersOf, type KeySource, type Values } from "./values.ts";

/** An embedder of the person's settings; only the adapter that asks the model needs to know more. */
export type EmbedderSettings = { readonly prefixes?: EmbedPrefixes } & (
  | {
      readonly adapter: "openai-compatible";
      readonly model: string;
      readonly baseUrl: string;
      readonly key: KeySource | undefined;
      readonly timeoutSeconds: number;
      /** Further tries. */
      readonly retries: number;
    }
  | { readonly adapter: "node-llama-cpp"; readonly modelFile: string }
  | {
      readonly adapter: "transformers";
      readonly modelFolder: string;
      readonly pooling: "mean" | "cls" | "last_token";
      readonly weights: string;
    }
);

type Adapter = EmbedderSettings["adapter"];

const keysOf: Readonly<Record<Adapter, readonly string[]>> = {
  "openai-compatible": ["model", "baseUrl", "keyEnv", "keyFile", "timeoutSeconds", "retries"],
  "node-llama-cpp": ["modelFile"],
  transformers: ["modelFolder", "pooling", "weights"],
};
const ofAll = ["adapter", "queryPrefix", "passagePrefix"];
const adapters = Object.keys(keysOf) as readonly Adapter[];

/**
 * Reads `embedders` of the person's settings: by name what may make vectors, see docs/formats/recall.md. Errors: `invalid_config`
 * with the key, the value seen and what is allowed; a value that may be a key or a password is not told.
 */
export function parseEmbedders(path: string, value: unknown): ReadonlyMap<string, EmbedderSettings> {
  const all = objectAt({ path, under: "embedders", key: "" }, value, "an object of embedders by name");
  return new Map(Object.entries(all).map(([name, one]) => [nameAt(path, name), parseOne(path, name, one)]));
}

function nameAt(path: string, name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(name) && name !== "auto") return name;
  throw hiddenFault(
    { path, under: "embedders", key: name },
    "has a name that is not allowed; it must be letters, digits, ., - and _, at most 64 and not auto",
  );
}

function parseOne(path: string, name: string, value: unknown): EmbedderSettings {
  const under = { path, under: `embedders.${name}` };
  const values = objectAt({ ...under, key: "" }, value, 'an object such as {"adapter": "transformers"}');
  const adapter = adapters.find((known) => known === values["adapter"]);
  if (adapter === undefined)
    throw fault(
      { ...under, key: "adapter" },
      values["adapter"],
      `one of ${adapters.join(", ")}${didYouMean(values["adapter"], adapters)}`,
    );
  const known = [...ofAll, ...keysOf[adapter]];
  const other = Object.keys(values).find((key) => !known.includes(key));
  if (other !== undefined)
    throw hiddenFault(
      { ...under, key: other },
      `is none of ${adapter}, which knows ${known.join(", ")}${didYouMean(other, known)}`,
    );
  return { ...prefixesOf(under, values), ...modelOf(under, adapter, values) };
}

type Under = Omit<Place, "key">;

function modelOf(under: Under, adapter: Adapter, values: Values): EmbedderSettings {
  const at = (key: string): Place => ({ ...under, key });
  if (adapter === "node-llama-cpp")
    return { adapter, modelFile: absolute(at("modelFile"), values["modelFile"], "a GGUF file") };
  if (adapter === "transformers") {
    const pooling = matching(at("pooling"), values["pooling"] ?? "mean", {
      pattern: /^(?:mean|cls|last_token)$/u,
      allowed: "mean, cls or last_token",
    }) as "mean" | "cls" | "last_token";
    const weights = matching(at("weights"), values["weights"] ?? "fp32", {
      pattern: /^[a-z0-9]{1,16}$/u,
      allowed: "a name such as fp32 or q8",
    });
    const modelFolder = absolute(at("modelFolder"), values["modelFolder"], "a folder with config.json");
    return { adapter, modelFolder, pooling, weights };
  }
  const number = numbersOf(at(""), values);
  const key = keySource(at(""), values);
  return {
    adapter,
    model: modelName(at("model"), values["model"]),
    baseUrl: address(at("baseUrl"), values["baseUrl"], key === undefined ? "without key" : "with key"),
    key,
    timeoutSeconds: number("timeoutSeconds", { fallback: 30, min: 1, max: 3600 }),
    retries: number("retries", { fallback: 3, min: 0, max: 10 }),
  };
}

function prefixesOf(under: Under, values: Values): { readonly prefixes?: EmbedPrefixes } {
  const { queryPrefix = "", passagePrefix = "" } = values;
  const text = (key: string, value: unknown): string =>
    matching({ ...under, key }, value, {
      pattern: /^[^\p{Cc}]{0,500}$/u,
      allowed: "one line of at most 500 characters",
    });
  if (queryPrefix === "" && passagePrefix === "") return {};
  return { prefixes: { query: text("queryPrefix", queryPrefix), passage: text("passagePrefix", passagePrefix) } };
}

function objectAt(place: Place, value: unknown, allowed: string): Values {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Values;
  throw hiddenFault(place, `must be ${allowed}`);
}
