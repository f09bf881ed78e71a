import { ifMemoryError, MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import type { RecallMemory } from "../../recall/memory.ts";
import type { CompactInput } from "../../tree/inputs.ts";
import { type CompactResult, compactUnlessIdle } from "../../tree/run/idle.ts";
import type { SummaryMemory } from "../memory.ts";

/**
 * `compact`: brings the tree up to date, then the search index if there is one, then asks the model from the user's settings. If nothing is due and
 * no model is configured, none of that code is loaded.
 */
export async function compactMemory(memory: SummaryMemory, input: CompactInput, call: Call): Promise<CompactResult> {
  const result = await refreshSearch(memory, await compactUnlessIdle(memory, input, call));
  // Only the user's own settings can name a model.
  if (memory.summarizer === undefined) return result;
  const { askAfterCompact } = await import("./run.ts");
  return askAfterCompact(memory, { input, call, result });
}

/** `compact` at any time, as often as sessions end: no cooldown, no requests, and a node that waits for a model's answer goes on waiting. */
export async function compactWithoutModel(memory: SummaryMemory): Promise<CompactResult> {
  return refreshSearch(memory, await compactUnlessIdle(memory, { waits: "not_counted" }, {}));
}

/** OpenClaw loads MEMORY.md itself, so what was corrected must leave it at once. The next run reports what fails here. */
export async function compactCorrection(memory: SummaryMemory): Promise<void> {
  const { readConfiguration } = await import("../../tree/setup/configuration.ts");
  const read = await readConfiguration(memory).catch(ifMemoryError(() => undefined));
  if (read?.configuration.platform !== "openclaw") return;
  await compactWithoutModel(memory).catch(ifMemoryError(() => undefined));
}

/** Updates the search index and qmd after a run that wrote something. Failures there are warnings. */
export async function refreshSearch(memory: SummaryMemory, result: CompactResult): Promise<CompactResult> {
  if (result.written.length === 0) return result;
  const started = performance.now();
  const warnings = [...(await refreshIndex(memory, result.warnings))];
  if (memory.user.qmd !== "off") {
    const { refreshQmd } = await import("../../tree/setup/other-programs.ts");
    pushAll(warnings, await refreshQmd(memory));
  }
  const took = Math.round(performance.now() - started);
  return { ...result, warnings: [...result.warnings, ...warnings], duration_ms: result.duration_ms + took };
}

/** How long the end of a compaction makes vectors, in milliseconds. */
const vectorsMs = 5000;

/**
 * Updates the search index if there is one, and makes missing vectors for a while; a project that is never searched has none. A failure is only a warning, because the tree is already
 * written. Omits warnings about files that are already in `known`. Call it without holding a lock.
 */
export async function refreshIndex(memory: RecallMemory, known: readonly Warning[]): Promise<readonly Warning[]> {
  try {
    const entries = await memory.files.list(".heartwood/search");
    if (!entries.some(({ name }) => name === "index.sqlite")) return [];
    const { indexRules } = await import("../../recall/index/sources.ts");
    const { is } = await memory.searchIndex.state(indexRules);
    if (is === "newer") return [];
    const keyOf = ({ code, path = "" }: Warning): string => `${code} ${path}`;
    const keys = new Set(known.map(keyOf));
    const { runIndex } = await import("../../recall/index/refresh.ts");
    const { fillAll } = await import("../../recall/index/embedding.ts");
    const { warnings } = await runIndex(memory, {}, {});
    const filled = await fillAll(memory, { ms: vectorsMs }, {});
    return [...warnings, ...filled.warnings].filter((warning) => !keys.has(keyOf(warning)));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const message = `the tree was written, but the search index is out of date: ${error.message}`;
    return [{ code: "index_behind", message }];
  }
}
