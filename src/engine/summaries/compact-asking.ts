import { MemoryError, type Warning } from "../../base/errors.ts";
import type { SummaryKind } from "../../summarize/answers/request.ts";
import { runCompact, type CompactInput } from "../compact.ts";
import { readConfiguration, type Configuration } from "../configuration.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { CompactResult, WrittenNode } from "../results.ts";
import { readStateFile } from "../state-file.ts";
import { askAll, previewAll } from "./ask-all.ts";
import { fixedUnanswered, notKnownYet } from "./asking-notes.ts";
import { readLedgerFile } from "./ledger.ts";
import type { AskedRequest } from "./results.ts";
import { uniqueWarnings } from "./run.ts";
import { effectiveSettings, isAsking } from "./settings.ts";
import { openSubjects } from "./subjects.ts";
import { least } from "../../base/lists.ts";

/** Threads are asked about by `summaries run` alone. */
const kinds: readonly SummaryKind[] = ["daily", "weekly", "monthly", "root"];

/**
 * What a compaction does with a model after the tree was composed and its lock released: asks, and composes again what was answered. A failure of the model
 * is a warning. Errors: `aborted`, those of composing.
 */
export async function askAfterCompact(
  memory: Memory,
  run: { readonly input: CompactInput; readonly call: Call; readonly result: CompactResult },
): Promise<CompactResult> {
  const { input, call, result } = run;
  const started = performance.now();
  const { configuration } = await readConfiguration(memory);
  const settings = effectiveSettings(memory, configuration);
  const model = memory.summarizer;
  if (settings.adapter === "off") return result;
  if (!isAsking(settings) || model === undefined || result.waits !== undefined)
    return { ...result, warnings: [...result.warnings, ...fixedUnanswered(result.written)] };
  if (input.if_due === true && (await isCooling(memory, configuration, result))) return result;
  const results = [result];
  const compose = async (): Promise<void> => {
    const cycles = input.cycles === undefined ? {} : { cycles: input.cycles };
    results.push(await runCompact(memory, { ...cycles, waits: "not_counted" }, call));
  };
  const asking = { settings, model, kinds, call, subjects: openSubjects(memory) };
  const work = (): ReturnType<typeof askAll> =>
    input.dry_run === true ? previewAll(memory, asking) : askAll(memory, { ...asking, holder: "compact", compose });
  const asked = await work().catch(asWarning);
  const duration = result.duration_ms + Math.round(performance.now() - started);
  return { ...mergeResults(results, asked), duration_ms: duration };
}

/** Asking failed outside of the model; the tree stands. */
function asWarning(error: unknown): { readonly requests: []; readonly warnings: readonly Warning[] } {
  if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
  return { requests: [], warnings: [{ code: error.code, message: `not asked to the end: ${error.message}` }] };
}

/** Whether a hook that runs often has had its turn: within the cooldown nothing is asked, save by a run, and only once. */
async function isCooling(memory: Memory, configuration: Configuration, result: CompactResult): Promise<boolean> {
  const hours = configuration.cooldownHours;
  if (hours === 0) return false;
  const isRecent = (at: number | undefined): boolean => at !== undefined && isWithin(memory.clock.now() - at, hours);
  const hasRun = result.written.length > 0 || result.due.length > 0;
  if (!hasRun && isRecent((await readStateFile(memory)).lastRun)) return true;
  let asked: number | undefined;
  await readLedgerFile(memory, ({ event, at }) => {
    if (event === "asked") asked = Date.parse(at);
  });
  return isRecent(asked);
}

function isWithin(ms: number, hours: number): boolean {
  return ms >= 0 && ms < hours * 3_600_000;
}

/** One result of several compositions: what was written and said in all of them, and the rest as the last one found it. */
function mergeResults(
  results: readonly CompactResult[],
  asked: { readonly requests: readonly AskedRequest[]; readonly warnings: readonly Warning[] },
): CompactResult {
  const last = results.at(-1) as CompactResult;
  const written = new Map<string, WrittenNode>();
  for (const node of results.flatMap((result) => result.written)) {
    const { action } = written.get(node.path) ?? node;
    written.set(node.path, { ...node, action: action === "created" ? action : node.action });
  }
  return {
    ...last,
    cycles: results.reduce((sum, { cycles }) => sum + cycles, 0),
    written: [...written.values()],
    unchanged: least(results.map(({ unchanged }) => unchanged)),
    warnings: uniqueWarnings([
      ...results.flatMap((result) => result.warnings),
      ...fixedUnanswered(results[0]?.written ?? []),
      ...(last.dry_run === true ? notKnownYet(last.due) : []),
      ...asked.warnings,
    ]),
    requests: asked.requests,
  };
}
