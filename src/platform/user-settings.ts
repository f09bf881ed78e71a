import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { MemoryError, type Warning } from "../base/errors.ts";
import type { ModelsRead } from "./user-settings/models.ts";

/** The person's own configuration, which never comes with a repository. */
export interface UserSettingsFile extends Omit<ModelsRead, "warnings"> {
  /** Run `qmd update` after a compaction. Default `off`. */
  readonly qmd: "off" | "update" | "update-and-embed";
  /** Of keys that are not known, and of adapters that no longer exist. */
  readonly warnings?: readonly Warning[];
}

const qmdValues = ["off", "update", "update-and-embed"] as const;
const modelKeys = ["summaries", "recall", "embedders"];

/**
 * Reads `${XDG_CONFIG_HOME:-~/.config}/heartwood/config.json`; without that file the defaults hold. A file that cannot be
 * read as such is `invalid_config`, so that a typing error does not silently mean the default.
 */
export async function readUserSettings(): Promise<UserSettingsFile> {
  const path = settingsPath();
  const text = textOf(path);
  if (text === undefined) return { qmd: "off" };
  const values = objectOf(path, text);
  // Loaded late: most people have no such file, and few who have one name a model.
  const { didYouMean, unknownKeys } = await import("../text/shown.ts");
  const qmd = qmdOf(path, values["qmd"], didYouMean);
  const { warnings: ofModels, ...models } = modelKeys.some((key) => values[key] !== undefined)
    ? (await import("./user-settings/models.ts")).parseModels(path, values)
    : { warnings: [] };
  const warnings = [...unknownKeys(path, { under: "", values, known: ["qmd", ...modelKeys] }), ...ofModels];
  return { qmd, ...models, ...(warnings.length === 0 ? {} : { warnings }) };
}

function settingsPath(): string {
  const base = process.env["XDG_CONFIG_HOME"];
  // The XDG specification: a relative path counts as not set.
  const folder = base !== undefined && base.startsWith("/") ? base : join(homedir(), ".config");
  return join(folder, "heartwood", "config.json");
}

function textOf(path: string): string | undefined {
  try {
    if (!statSync(path).isFIFO()) return readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new MemoryError(
      "io",
      `Your settings ${path} cannot be read (${code}); make the file readable or remove it.`,
      { path },
    );
  }
  // To read it would wait for a writer.
  throw new MemoryError("io", `Your settings ${path} are a FIFO; put a file there, or remove it.`, { path });
}

function objectOf(path: string, text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `Your settings ${path} are not JSON (${faultOf(error as Error)}); mend the file or remove it.`;
    throw new MemoryError("invalid_config", message, { path });
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  throw new MemoryError(
    "invalid_config",
    `Your settings ${path} hold no object; write {"qmd": "off"} or remove the file.`,
    { path },
  );
}

/** The parser's own message quotes the text, which may hold a key. */
function faultOf({ message }: Error): string {
  if (message.includes("end of JSON")) return "it ends too early";
  return /position \d+.*$/u.exec(message)?.[0] ?? "a character that does not belong there";
}

function qmdOf(
  path: string,
  value: unknown,
  didYouMean: (seen: unknown, known: readonly string[]) => string,
): UserSettingsFile["qmd"] {
  if (value === undefined) return "off";
  const known = qmdValues.find((candidate) => candidate === value);
  if (known !== undefined) return known;
  const message = `"qmd" in your settings ${path} is ${JSON.stringify(value)}; allowed are ${qmdValues.join(", ")}${didYouMean(value, qmdValues)}.`;
  throw new MemoryError("invalid_config", message, { path });
}
