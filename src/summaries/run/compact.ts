import type { Call } from "../../base/operation.ts";
import type { CompactInput } from "../../tree/inputs.ts";
import { compactUnlessIdle } from "../../tree/run/idle.ts";
import type { CompactResult } from "../../tree/run/idle.ts";
import type { SummaryMemory } from "../memory.ts";

/**
 * `compact`: brings the tree up to date, then the search index if there is one, then asks the model of the user's settings. With nothing due it loads
 * none of these.
 */
export async function compactMemory(memory: SummaryMemory, input: CompactInput, call: Call): Promise<CompactResult> {
  const result = await refreshSearch(memory, await compactUnlessIdle(memory, input, call));
  // Only the user's own settings can name a model.
  if (memory.summarizer === undefined) return result;
  const { askAfterCompact } = await import("./run.ts");
  return askAfterCompact(memory, { input, call, result });
}

/** Brings what searches the tree up to date after a run that wrote something. What fails there is a warning. */
export async function refreshSearch(memory: SummaryMemory, result: CompactResult): Promise<CompactResult> {
  if (result.written.length === 0) return result;
  const started = performance.now();
  const { refreshIndex } = await import("../../recall/index/run-index.ts");
  const { refreshQmd } = await import("../../tree/setup/other-programs.ts");
  const warnings = [...(await refreshIndex(memory, result.warnings)), ...(await refreshQmd(memory))];
  const took = Math.round(performance.now() - started);
  return { ...result, warnings: [...result.warnings, ...warnings], duration_ms: result.duration_ms + took };
}
