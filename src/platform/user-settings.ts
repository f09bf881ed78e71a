import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { MemoryError, systemCodeOf } from "../base/errors.ts";
import { isObject, parseJsonWithComments } from "../base/json.ts";
import type { ModelsRead } from "./user-settings/models.ts";
import type { StoreSettings } from "./user-settings/store.ts";

/** The user's own configuration, which never comes with a repository. */
export interface UserSettingsFile extends ModelsRead {
  /** Run `qmd update` after a compaction. Default `off`. */
  readonly qmd: "off" | "update" | "update-and-embed";
  /** The server that keeps the threads of some projects, if any. */
  readonly store?: StoreSettings;
}

const modelKeys = ["summaries", "recall", "embedders"];

/**
 * Reads `${XDG_CONFIG_HOME:-~/.config}/heartwood/config.json`; without that file the defaults apply. An invalid
 * file is `invalid_config`, so a typo does not silently select the default.
 */
export async function readUserSettings(): Promise<UserSettingsFile> {
  const found = readSettingsFile();
  if (found === undefined) return { qmd: "off" };
  const { path, values } = found;
  // Loaded lazily: most users have no such file.
  const { unknownKeys } = await import("../text/shown.ts");
  const { Section } = await import("./user-settings/section.ts");
  const section = new Section({ path, name: "", like: "an object" }, values);
  const qmd = values["qmd"] === undefined ? "off" : section.oneOf("qmd", ["off", "update", "update-and-embed"]);
  const { warnings: ofModels = [], ...models }: ModelsRead = modelKeys.some((key) => values[key] !== undefined)
    ? (await import("./user-settings/models.ts")).parseModels(path, values)
    : {};
  const warnings = [...unknownKeys(path, { under: "", values, known: ["qmd", "store", ...modelKeys] }), ...ofModels];
  const store = await storeIn(path, values);
  return { qmd, ...models, ...(store && { store }), ...(warnings.length === 0 ? {} : { warnings }) };
}

/** Reads the part of the settings that says where threads are, whatever is wrong with the others. Errors: `invalid_config`, `io`. */
export async function readStoreSettings(): Promise<StoreSettings | undefined> {
  const found = readSettingsFile();
  return found && storeIn(found.path, found.values);
}

async function storeIn(path: string, values: Readonly<Record<string, unknown>>): Promise<StoreSettings | undefined> {
  if (values["store"] === undefined) return undefined;
  return (await import("./user-settings/store.ts")).parseStore(path, values["store"]);
}

function readSettingsFile() {
  const base = process.env["XDG_CONFIG_HOME"];
  // Per the XDG spec, a relative path counts as unset.
  const folder = base !== undefined && base.startsWith("/") ? base : join(homedir(), ".config");
  const path = join(folder, "heartwood", "config.json");
  const text = textOf(path);
  return text === undefined ? undefined : { path, values: objectOf(path, text) };
}

function textOf(path: string): string | undefined {
  try {
    if (!statSync(path).isFIFO()) return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCodeOf(error) ?? "unknown error";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const message = `Your settings file ${path} cannot be read (${code}); make it readable or remove it.`;
    throw new MemoryError("io", message, { path });
  }
  // Reading a FIFO would block until there is a writer.
  throw new MemoryError("io", `Your settings file ${path} is a FIFO; replace it with a regular file, or remove it.`, {
    path,
  });
}

function objectOf(path: string, text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = parseJsonWithComments(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `Your settings file ${path} is not JSON (${faultOf(error as Error)}); fix it or remove it.`;
    throw new MemoryError("invalid_config", message, { path });
  }
  if (isObject(parsed)) return parsed;
  const message = `Your settings file ${path} is not a JSON object; write {"qmd": "off"} or remove the file.`;
  throw new MemoryError("invalid_config", message, { path });
}

/** The place of a syntax error. The parser's own message quotes the text, which may contain a key. */
function faultOf({ message }: Error): string {
  if (message.includes("end of JSON")) return "unexpected end";
  return /position \d+.*$/u.exec(message)?.[0] ?? "unexpected character";
}
