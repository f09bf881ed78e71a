import { decodeText } from "../../base/lines.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import { didYouMean, unknownKeys, shown } from "../../text/shown.ts";
import { isObject } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import type { TreeMemory } from "../memory.ts";
import { platforms } from "../inputs.ts";

/** The project's configuration with its defaults. It cannot run commands, name URLs or widen folders. */
export interface Configuration {
  readonly platform: string;
  /** Tokens of ROOT.md, front matter included; 200 to 100,000. Default 3,000. */
  readonly rootMaxTokens: number;
  /** Hours between runs of `compact --if-due`; 0 switches the wait off. Default 3. */
  readonly cooldownHours: number;
  /** What the project says of summaries by a model; it can only take away from the person's settings. */
  readonly summaries: ProjectSummaries;
  readonly search: SearchSettings;
  /** No model of the person's settings may choose among nodes for recall. Default: one may, when those settings name it. */
  readonly chooser?: "off";
  /** The file it came from, or `none`. */
  readonly file: string;
}

interface SearchSettings {
  /** Whether recall looks for what is meant besides what is said. Default true. */
  readonly vector: boolean;
  /** What makes the vectors. Default `auto`: nothing, unless the program that opened the memory gave an embedder. */
  readonly embedModel: string;
}

interface ProjectSummaries {
  readonly adapter?: "off" | "pull";
  readonly maxRequestsPerRun?: number;
  readonly maxRequestsPerDay?: number;
  readonly maxTokensPerDay?: number;
}

export const configurationFile = "heartwood.config.json";
export const hipocampusFile = "hipocampus.config.json";

/** Reads heartwood.config.json, or hipocampus's when it is alone. The warnings are also those of the person's settings. Errors: `invalid_config` with the key and the value seen. */
export async function readConfiguration(
  memory: TreeMemory,
): Promise<{ readonly configuration: Configuration; readonly warnings: readonly Warning[] }> {
  const ours = await memory.files.read(configurationFile);
  const theirs = await memory.files.read(hipocampusFile);
  const warnings: Warning[] = [...(memory.user.warnings ?? [])];
  if (ours !== undefined && theirs !== undefined)
    warnings.push({
      code: "two_configurations",
      path: hipocampusFile,
      message: `${configurationFile} is used and ${hipocampusFile} beside it is not`,
    });
  const file = ours !== undefined ? configurationFile : theirs !== undefined ? hipocampusFile : "none";
  const bytes = (ours ?? theirs)?.bytes;
  const value = bytes === undefined ? {} : parseFile(file, bytes);
  const configuration = readKeys(file, value);
  const unknown = Object.entries(knownKeys).flatMap(([under, known]) =>
    unknownKeys(file, { under, values: under === "" ? value : objectAt(file, value, under), known }),
  );
  return { configuration, warnings: [...warnings, ...unknown] };
}

/** Who is asked for summaries, as the project's configuration narrows the person's settings. */
export function adapterOf(memory: TreeMemory, { summaries }: Configuration): SummariesSettings["adapter"] {
  return summaries.adapter ?? memory.user.summaries?.adapter ?? "off";
}

/** By the key of the object that has them. What else is below `summaries` and `recall` is refused. */
const knownKeys: Readonly<Record<string, readonly string[]>> = {
  "": ["platform", "search", "compaction", "summaries", "recall"],
  search: ["vector", "embedModel"],
  compaction: ["rootMaxTokens", "cooldownHours"],
};

function parseFile(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const invalid = (why: string, cause?: unknown): MemoryError =>
    new MemoryError("invalid_config", `${file} ${why}`, { path: file }, cause);
  const text = decodeText(bytes);
  if (text === undefined)
    throw invalid(
      "is not UTF-8 (an editor may have saved it as UTF-16): save it as UTF-8, or delete it to use the defaults.",
    );
  let value: unknown;
  try {
    value = parseJsonWithComments(text);
  } catch (error) {
    const why = error instanceof Error ? shown(error.message, 80) : "unreadable";
    throw invalid(`is not JSON (${why}): mend it or delete it to use the defaults.`, error);
  }
  if (isObject(value)) return value;
  throw invalid("must contain one JSON object: mend it or delete it to use the defaults.");
}

function readKeys(file: string, value: Readonly<Record<string, unknown>>): Configuration {
  const compaction = objectAt(file, value, "compaction");
  const platform = value["platform"] ?? "plain";
  const known = platforms.find((name) => name === platform);
  if (known === undefined)
    throw wrong(file, "platform", platform, `one of ${platforms.join(", ")}${didYouMean(platform, platforms)}`);
  return {
    platform: known,
    rootMaxTokens: numberAt(file, compaction, {
      key: "rootMaxTokens",
      kind: "whole number",
      fallback: 3000,
      min: 200,
      max: 100_000,
    }),
    cooldownHours: numberAt(file, compaction, {
      key: "cooldownHours",
      kind: "number",
      fallback: 3,
      min: 0,
      max: 10_000,
    }),
    summaries: summariesAt(file, objectAt(file, value, "summaries")),
    search: searchAt(file, objectAt(file, value, "search")),
    ...chooserAt(file, objectAt(file, value, "recall")),
    file,
  };
}

const budgetKeys = ["maxRequestsPerRun", "maxRequestsPerDay", "maxTokensPerDay"] as const;

/** A project cannot say where its memory goes: any key but these is refused, so that none seems to work. */
function summariesAt(file: string, summaries: Readonly<Record<string, unknown>>): ProjectSummaries {
  const { adapter } = summaries;
  if (adapter !== undefined && adapter !== "off" && adapter !== "pull") {
    const near = didYouMean(adapter, ["off", "pull"]);
    throw wrong(file, "summaries.adapter", adapter, `off or pull${near}; a model is named in your own settings`);
  }
  const known = ["adapter", ...budgetKeys];
  refuseOthers(file, "summaries", {
    values: summaries,
    known,
    allowed: `adapter (off or pull), ${budgetKeys.join(", ")} are`,
  });
  const budgets = budgetKeys.flatMap((key): readonly [string, number][] => {
    const found = summaries[key];
    if (found === undefined) return [];
    if (!isCount(found)) throw wrong(file, `summaries.${key}`, found, "a whole number from 0");
    return [[key, found]];
  });
  return { ...(adapter === undefined ? {} : { adapter }), ...Object.fromEntries(budgets) };
}

/** A project can only switch it off. */
function chooserAt(file: string, recall: Readonly<Record<string, unknown>>): Pick<Configuration, "chooser"> {
  const { chooser } = recall;
  refuseOthers(file, "recall", { values: recall, known: ["chooser"], allowed: "chooser (off) is" });
  if (chooser === undefined) return {};
  if (chooser !== "off") throw wrong(file, "recall.chooser", chooser, "off; a model is named in your own settings");
  return { chooser };
}

function refuseOthers(
  file: string,
  under: string,
  { values, known, allowed }: { readonly values: object; readonly known: readonly string[]; readonly allowed: string },
): void {
  const other = Object.keys(values).find((key) => !known.includes(key));
  if (other === undefined) return;
  const key = `${under}.${shown(other, 40)}`;
  const message = `${key} is not allowed in ${file}; only ${allowed}${didYouMean(other, known)}. Remove it, and set it in your own settings.`;
  throw new MemoryError("invalid_config", message, { path: file, key });
}

/** The keys of hipocampus's search are ours, too. */
function searchAt(file: string, search: Readonly<Record<string, unknown>>): SearchSettings {
  const { vector = true, embedModel = "auto" } = search;
  if (typeof vector !== "boolean") throw wrong(file, "search.vector", vector, "true or false");
  if (typeof embedModel !== "string") throw wrong(file, "search.embedModel", embedModel, "a name such as auto");
  return { vector, embedModel };
}

function objectAt(
  file: string,
  value: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  const found = value[key] ?? {};
  if (!isObject(found)) throw wrong(file, key, found, "an object");
  return found;
}

function numberAt(
  file: string,
  value: Readonly<Record<string, unknown>>,
  rule: {
    readonly key: string;
    readonly kind: "number" | "whole number";
    readonly fallback: number;
    readonly min: number;
    readonly max: number;
  },
): number {
  const found = value[rule.key] ?? rule.fallback;
  const isKind = rule.kind === "number" ? Number.isFinite(found) : Number.isInteger(found);
  if (typeof found !== "number" || !isKind || found < rule.min || found > rule.max)
    throw wrong(file, `compaction.${rule.key}`, found, `a ${rule.kind} from ${rule.min} to ${rule.max}`);
  return found;
}

function wrong(file: string, key: string, seen: unknown, allowed: string): MemoryError {
  const value = shown(JSON.stringify(seen) ?? String(seen), 60);
  return new MemoryError("invalid_config", `${key} in ${file} is ${value}; it must be ${allowed}: change it there.`, {
    path: file,
    key,
  });
}

/**
 * JSON with comments (`//`, `/* … * /`) and trailing commas, as editors write configuration files. Throws the `SyntaxError` of
 * `JSON.parse` when what remains is not JSON.
 */
function parseJsonWithComments(text: string): unknown {
  return JSON.parse(withoutTrailingCommas(withoutComments(text)));
}

/** Strings are copied whole; comments become spaces, so that positions in error messages stay. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (part) =>
    part.startsWith('"') ? part : part.replaceAll(/[^\n]/gu, " "),
  );
}

function withoutTrailingCommas(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/gu, (part) => (part.startsWith('"') ? part : " "));
}
