import { decodeText } from "../../base/lines.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import { didYouMean, unknownKeys, shown } from "../../text/shown.ts";
import { isObject, isText, oneOf, parseJsonWithComments } from "../../base/json.ts";
import { isCount, pushAll } from "../../base/lists.ts";
import type { TreeMemory } from "../memory.ts";
import { platforms } from "../inputs.ts";

/** The project's configuration with defaults applied. It cannot run commands, set URLs or give access to more folders. */
export interface Configuration {
  readonly platform: string;
  /** Token limit of ROOT.md including front matter; 200 to 100,000. Default 3,000. */
  readonly rootMaxTokens: number;
  /** Hours between runs of `compact --if-due`; 0 disables the cooldown. Default 3. */
  readonly cooldownHours: number;
  /** The project's settings for summaries by a model, which can only restrict the user's settings. */
  readonly summaries: ProjectSummaries;
  readonly search: SearchSettings;
  /** `off`: no model may select nodes for recall. Default: the model in the user's settings may. */
  readonly chooser?: "off";
  /** The file the configuration was read from, or `none`. */
  readonly file: string;
}

interface SearchSettings {
  /** Whether recall also searches by meaning: if there is an embedder (`auto`, the default), with a warning if there is none (`required`), or never. */
  readonly vector: "auto" | "required" | false;
  /** The embedder. Default `auto`: the one that the program that opened the memory provided, or else the installed package. */
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

/**
 * Reads heartwood.config.json, or else hipocampus's configuration. The warnings include those about the user's
 * settings. Errors: `invalid_config` with the key and the value.
 */
export async function readConfiguration(
  memory: TreeMemory,
): Promise<{ readonly configuration: Configuration; readonly warnings: readonly Warning[] }> {
  const ours = await memory.files.read(configurationFile);
  const theirs = await memory.files.read(hipocampusFile);
  const warnings: Warning[] = [...(memory.user.warnings ?? [])];
  const message = `${configurationFile} is used; ${hipocampusFile} next to it is ignored`;
  if (ours !== undefined && theirs !== undefined)
    warnings.push({ code: "two_configurations", path: hipocampusFile, message });
  const file = ours !== undefined ? configurationFile : theirs !== undefined ? hipocampusFile : "none";
  const bytes = (ours ?? theirs)?.bytes;
  const value = bytes === undefined ? {} : parseFile(file, bytes);
  for (const under of Object.keys(rules))
    pushAll(warnings, checkKeys(file, under, under === "" ? value : (value[under] ?? {})));
  const { platform, search, compaction, summaries, recall } = value as CheckedFile;
  const configuration: Configuration = {
    platform: platform ?? "plain",
    rootMaxTokens: compaction?.rootMaxTokens ?? 3000,
    cooldownHours: compaction?.cooldownHours ?? 3,
    summaries: summaries ?? {},
    search: { vector: vectorOf(search?.vector), embedModel: search?.embedModel ?? "auto" },
    ...recall,
    file,
  };
  return { configuration, warnings };
}

/** Earlier versions had `true`. */
function vectorOf(value: boolean | SearchSettings["vector"] | undefined): SearchSettings["vector"] {
  return value === true ? "auto" : (value ?? "auto");
}

/** The adapter that writes summaries: the user's setting as restricted by the project. */
export function adapterOf(memory: TreeMemory, { summaries }: Configuration): SummariesSettings["adapter"] {
  return summaries.adapter ?? memory.user.summaries?.adapter ?? "off";
}

interface CheckedFile {
  readonly platform?: string;
  readonly search?: { readonly vector?: boolean | SearchSettings["vector"]; readonly embedModel?: string };
  readonly compaction?: Partial<Pick<Configuration, "rootMaxTokens" | "cooldownHours">>;
  readonly summaries?: ProjectSummaries;
  readonly recall?: Pick<Configuration, "chooser">;
}

const vectorValues: readonly unknown[] = ["auto", "required", true, false];

/** Validation of a key: a predicate and a description of the allowed values. */
interface Rule {
  readonly is: (value: unknown) => boolean;
  readonly must: string;
  readonly near?: readonly string[];
  readonly note?: string;
}

const isIn = (value: unknown, min: number, max: number): boolean =>
  typeof value === "number" && value >= min && value <= max;
const anObject: Rule = { is: isObject, must: "an object" };
const budget: Rule = { is: isCount, must: "a whole number of at least 0" };
/** Whether git worktrees use the memory of the main checkout. Read by platform/folders.ts, which finds the memory. */
const sharings = ["shared", "own"];
const note = "; configure a model in your own settings";

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  "": {
    platform: { is: oneOf(platforms), must: `one of ${platforms.join(", ")}`, near: platforms },
    search: anObject,
    compaction: anObject,
    summaries: anObject,
    recall: anObject,
    worktrees: { is: oneOf(sharings), must: sharings.join(" or "), near: sharings },
  },
  /** hipocampus's search keys are valid here too. */
  search: {
    vector: { is: oneOf(vectorValues), must: "auto, required or false", near: ["auto", "required"] },
    embedModel: { is: isText, must: "a name such as auto" },
  },
  compaction: {
    rootMaxTokens: {
      is: (value) => Number.isInteger(value) && isIn(value, 200, 100_000),
      must: "a whole number from 200 to 100000",
    },
    cooldownHours: { is: (value) => isIn(value, 0, 10_000), must: "a number from 0 to 10000" },
  },
  summaries: {
    adapter: { is: oneOf(["off", "pull"]), must: "off or pull", near: ["off", "pull"], note },
    maxRequestsPerRun: budget,
    maxRequestsPerDay: budget,
    maxTokensPerDay: budget,
  },
  recall: { chooser: { is: oneOf(["off"]), must: "off", note } },
};

/**
 * A project cannot choose where its memory is sent: unknown keys in these sections are refused, so no key looks as if
 * it had an effect.
 */
const strict: readonly string[] = ["summaries", "recall"];

function parseFile(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const invalid = (why: string, cause?: unknown): MemoryError => {
    const message = `${file} ${why}: fix it, or delete it to use the defaults.`;
    return new MemoryError("invalid_config", message, { path: file }, cause);
  };
  const text = decodeText(bytes);
  if (text === undefined) throw invalid("is not UTF-8 (an editor may have saved it as UTF-16)");
  let value: unknown;
  try {
    value = parseJsonWithComments(text);
  } catch (error) {
    throw invalid(`is not JSON (${error instanceof Error ? shown(error.message, 80) : "unreadable"})`, error);
  }
  if (isObject(value)) return value;
  throw invalid("must contain one JSON object");
}

/** Checks every value. An unknown key gives a warning, or is refused in a strict section. */
function checkKeys(file: string, under: string, values: object): readonly Warning[] {
  const own = rules[under] ?? {};
  const known = Object.keys(own);
  const before = under === "" ? "" : `${under}.`;
  for (const [name, seen] of Object.entries(values)) {
    const rule = Object.hasOwn(own, name) ? own[name] : undefined;
    const key = `${before}${shown(name, 40)}`;
    const invalid = (message: string): MemoryError => new MemoryError("invalid_config", message, { path: file, key });
    if (rule === undefined && strict.includes(under)) {
      const allowed = `only ${known.join(", ")} are allowed there${didYouMean(name, known)}`;
      throw invalid(`${key} is not allowed in ${file}; ${allowed}. Remove it, and set it in your own settings.`);
    }
    const isAbsent = seen === null && !strict.includes(under);
    if (rule === undefined || isAbsent || rule.is(seen)) continue;
    const wrong = `${key} in ${file} is ${shown(JSON.stringify(seen), 60)}; it must be ${rule.must}`;
    throw invalid(`${wrong}${didYouMean(seen, rule.near ?? [])}${rule.note ?? ""}: change it there.`);
  }
  return unknownKeys(file, { under, values, known });
}
