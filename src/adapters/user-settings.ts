import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { MemoryError, type Warning } from "../base/errors.ts";
import type { EmbedderSettings } from "./user-settings/embedders.ts";
import type { RecallRead } from "./user-settings/recall.ts";
import type { SummariesRead } from "./user-settings/summaries.ts";

/** The person's own configuration, which never comes with a repository. */
export interface UserSettingsFile extends Partial<SummariesRead>, Partial<RecallRead> {
  /** Run `qmd update` after a compaction. Default `off`. */
  readonly qmd: "off" | "update" | "update-and-embed";
  /** What a project may choose by name to make vectors; absent without any. */
  readonly embedders?: ReadonlyMap<string, EmbedderSettings>;
  /** Of keys that are not known. */
  readonly warnings?: readonly Warning[];
}

const QMD_VALUES = ["off", "update", "update-and-embed"] as const;
const KNOWN_KEYS = ["qmd", "summaries", "recall", "embedders"];

/**
 * Reads `${XDG_CONFIG_HOME:-~/.config}/heartwood/config.json`; without that file the defaults hold. A file that cannot be
 * read as such is `invalid_config`, so that a typing error does not silently mean the default.
 */
export async function readUserSettings(): Promise<UserSettingsFile> {
  const path = settingsPath();
  const text = textOf(path);
  if (text === undefined) return { qmd: "off" };
  const values = objectOf(path, text);
  // Loaded late: most people have no such file.
  const { didYouMean, unknownKeys } = await import("../base/nearest.ts");
  const qmd = qmdOf(path, values["qmd"], didYouMean);
  const summaries = await summariesOf(path, values["summaries"]);
  const recall = await recallOf(path, values["recall"], summaries);
  const embedders = await embeddersOf(path, values["embedders"]);
  const warnings = unknownKeys(path, { under: "", values, known: KNOWN_KEYS });
  return { qmd, ...summaries, ...recall, ...embedders, ...(warnings.length === 0 ? {} : { warnings }) };
}

// Loaded late: whoever names no model pays nothing for it.
async function summariesOf(path: string, value: unknown): Promise<Partial<SummariesRead>> {
  if (value === undefined) return {};
  return (await import("./user-settings/summaries.ts")).parseSummaries(path, value);
}

async function recallOf(path: string, value: unknown, { model }: Partial<SummariesRead>): Promise<Partial<RecallRead>> {
  if (value === undefined) return {};
  return (await import("./user-settings/recall.ts")).parseRecall(path, value, model);
}

async function embeddersOf(path: string, value: unknown): Promise<Pick<UserSettingsFile, "embedders">> {
  if (value === undefined) return {};
  return { embedders: (await import("./user-settings/embedders.ts")).parseEmbedders(path, value) };
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
  const known = QMD_VALUES.find((candidate) => candidate === value);
  if (known !== undefined) return known;
  const message = `"qmd" in your settings ${path} is ${JSON.stringify(value)}; allowed are ${QMD_VALUES.join(", ")}${didYouMean(value, QMD_VALUES)}.`;
  throw new MemoryError("invalid_config", message, { path });
}
