import { decodeText } from "../../base/lines.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import { didYouMean, unknownKeys, shown } from "../../text/shown.ts";
import { isObject, isText, oneOf } from "../../base/json.ts";
import { isCount, pushAll } from "../../base/lists.ts";
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
  const message = `${configurationFile} is used and ${hipocampusFile} beside it is not`;
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
    search: { vector: search?.vector ?? true, embedModel: search?.embedModel ?? "auto" },
    ...recall,
    file,
  };
  return { configuration, warnings };
}

/** Who is asked for summaries, as the project's configuration narrows the person's settings. */
export function adapterOf(memory: TreeMemory, { summaries }: Configuration): SummariesSettings["adapter"] {
  return summaries.adapter ?? memory.user.summaries?.adapter ?? "off";
}

interface CheckedFile {
  readonly platform?: string;
  readonly search?: Partial<SearchSettings>;
  readonly compaction?: Partial<Pick<Configuration, "rootMaxTokens" | "cooldownHours">>;
  readonly summaries?: ProjectSummaries;
  readonly recall?: Pick<Configuration, "chooser">;
}

/** A key of the file: whether a value may be there, and in words what may. */
interface Rule {
  readonly is: (value: unknown) => boolean;
  readonly must: string;
  readonly near?: readonly string[];
  readonly note?: string;
}

const isIn = (value: unknown, min: number, max: number): boolean =>
  typeof value === "number" && value >= min && value <= max;
const anObject: Rule = { is: isObject, must: "an object" };
const budget: Rule = { is: isCount, must: "a whole number from 0" };
const note = "; a model is named in your own settings";

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  "": {
    platform: { is: oneOf(platforms), must: `one of ${platforms.join(", ")}`, near: platforms },
    search: anObject,
    compaction: anObject,
    summaries: anObject,
    recall: anObject,
  },
  /** The keys of hipocampus's search are ours, too. */
  search: {
    vector: { is: (value) => typeof value === "boolean", must: "true or false" },
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

/** A project cannot say where its memory goes: any other key below these is refused, so that none seems to work. */
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

/** Checks every value that is there; a key that no rule knows is a warning, or refused. */
function checkKeys(file: string, under: string, values: object): readonly Warning[] {
  const own = rules[under] ?? {};
  const known = Object.keys(own);
  const before = under === "" ? "" : `${under}.`;
  for (const [name, seen] of Object.entries(values)) {
    const rule = Object.hasOwn(own, name) ? own[name] : undefined;
    const key = `${before}${shown(name, 40)}`;
    const invalid = (message: string): MemoryError => new MemoryError("invalid_config", message, { path: file, key });
    if (rule === undefined && strict.includes(under)) {
      const allowed = `only ${known.join(", ")} may be there${didYouMean(name, known)}`;
      throw invalid(`${key} is not allowed in ${file}; ${allowed}. Remove it, and set it in your own settings.`);
    }
    const isAbsent = seen === null && !strict.includes(under);
    if (rule === undefined || isAbsent || rule.is(seen)) continue;
    const wrong = `${key} in ${file} is ${shown(JSON.stringify(seen), 60)}; it must be ${rule.must}`;
    throw invalid(`${wrong}${didYouMean(seen, rule.near ?? [])}${rule.note ?? ""}: change it there.`);
  }
  return unknownKeys(file, { under, values, known });
}

/**
 * JSON with comments (`//`, `/* … * /`) and trailing commas, as editors write configuration files. Throws the `SyntaxError` of
 * `JSON.parse` when what remains is not JSON. What is left out becomes spaces, so that positions in error messages stay.
 */
function parseJsonWithComments(text: string): unknown {
  const outside = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu;
  const bare = text.replaceAll(outside, (part) => (part.startsWith('"') ? part : part.replaceAll(/[^\n]/gu, " ")));
  const commas = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/gu;
  return JSON.parse(bare.replaceAll(commas, (part) => (part.startsWith('"') ? part : " ")));
}
