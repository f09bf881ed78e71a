import { MemoryError, type Warning } from "../../base/errors.ts";
import { least } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import type { SummariesSettings } from "../../platform/user-settings/models.ts";
import type { SummaryKind } from "../../tree/answers/record.ts";
import { builtInRule } from "../../tree/model/node-format.ts";
import type { CompactInput } from "../../tree/inputs.ts";
import { readLedgerFile } from "../../tree/run/answer-store.ts";
import { runCompact } from "../../tree/run/compact.ts";
import type { CompactResult, DueNode, WrittenNode } from "../../tree/run/idle.ts";
import { readStateFile } from "../../tree/run/tree-files.ts";
import { type Configuration, readConfiguration } from "../../tree/setup/configuration.ts";
import type { NamedSummarizer, SummaryMemory } from "../memory.ts";
import { askAll, type Asked, type Asking, previewAll } from "./ask-all.ts";
import { readSpent, budgetsOf, effectiveSettings } from "./budget.ts";
import { refreshSearch } from "./compact.ts";
import type { SummariesRunInput, SummariesRunResult } from "./inputs-and-results.ts";
import { openSubjects } from "./jobs.ts";
import { takeRecordedThreads } from "./thread-subject.ts";

/**
 * Brings the tree up to date, then asks the configured model at most once per kind and updates the tree after each accepted answer. Model failures
 * are reported in the result. Errors: `invalid_config`, `busy` (the tree), `aborted`, disk errors.
 */
export async function runSummaries(
  memory: SummaryMemory,
  input: SummariesRunInput,
  call: Call = {},
): Promise<SummariesRunResult> {
  const { configuration, warnings } = await readConfiguration(memory);
  const settings = effectiveSettings(memory, configuration);
  const model = modelToAsk(memory, settings);
  const dry = input.dry_run === true ? { dry_run: true as const } : {};
  const budgets = budgetsOf(settings);
  if (model === undefined) {
    const spent = await readSpent(memory);
    const [message, next] = noModel[settings.adapter === "pull" ? "pull" : "none"];
    return { ...dry, requests: [], spent, budgets, warnings: [...warnings, { code: "no_model", message }], next };
  }
  const results = [await refreshSearch(memory, await runCompact(memory, dry, call))];
  // Finish answers that a crash left recorded but without a checkpoint; they are not requested again.
  if (input.dry_run !== true) await takeRecordedThreads(memory, call);
  const kinds: readonly SummaryKind[] = input.kind === undefined ? [...treeKinds, "thread"] : [input.kind];
  const asked = await askAndCompose(memory, { settings, model, kinds, call, results, holder: "summaries run" });
  const all = uniqueWarnings([...warnings, ...warningsOf(results, asked)]);
  return { ...dry, requests: asked.requests, spent: asked.spent, budgets, warnings: all, next: nextOf(asked) };
}

/** `results`: the result of the initial composition (a dry run if nothing may be sent); those after each accepted answer are appended. */
async function askAndCompose(
  memory: SummaryMemory,
  run: Omit<Asking, "subjects"> & {
    readonly holder: string;
    readonly results: CompactResult[];
    readonly cycles?: number | undefined;
  },
): Promise<Asked> {
  const { results, cycles, call } = run;
  const asking = { ...run, subjects: openSubjects(memory) };
  if (results[0]?.dry_run === true) return previewAll(memory, asking);
  const compose = async (): Promise<void> => {
    const input = { ...(cycles === undefined ? {} : { cycles }), waits: "not_counted" } as const;
    results.push(await refreshSearch(memory, await runCompact(memory, input, call)));
  };
  return askAll(memory, { ...asking, compose });
}

/** Only `summaries run` asks about threads. */
const treeKinds: readonly SummaryKind[] = ["daily", "weekly", "monthly", "root"];

/** The model to send requests to; `undefined` if none is configured, summaries are switched off, or an agent answers. */
function modelToAsk({ summarizer }: SummaryMemory, { adapter }: SummariesSettings): NamedSummarizer | undefined {
  return adapter === "off" || adapter === "pull" ? undefined : summarizer;
}

const noModel = {
  pull: [
    "no model is configured: with pull, an agent answers; heartwood summaries pending lists the jobs",
    "heartwood summaries pending",
  ],
  none: ["no model is configured, so nothing is sent; configure one in your own settings", "heartwood doctor"],
} as const;

function nextOf({ requests }: Asked): string {
  const outcomes = new Set(requests.map(({ outcome }) => outcome));
  if (outcomes.has("would_ask")) return "heartwood summaries run";
  if (outcomes.has("failed")) return "heartwood summaries ledger";
  return outcomes.has("accepted") ? "heartwood tree" : "heartwood status";
}

/** Each composition repeats the warnings that still apply. */
function uniqueWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

/**
 * The model step of a compaction, after the tree is composed and its lock released: asks the model and composes again with its answers. Model
 * failures are warnings. Errors: `aborted`, errors of composing.
 */
export async function askAfterCompact(
  memory: SummaryMemory,
  { input, call, result }: { readonly input: CompactInput; readonly call: Call; readonly result: CompactResult },
): Promise<CompactResult> {
  const started = performance.now();
  const { configuration } = await readConfiguration(memory);
  const settings = effectiveSettings(memory, configuration);
  const model = modelToAsk(memory, settings);
  if (settings.adapter === "off") return result;
  if (model === undefined || result.waits !== undefined)
    return { ...result, warnings: [...result.warnings, ...fixedUnanswered(result.written)] };
  if (input.if_due === true && (await isCooling(memory, configuration, result))) return result;
  const results = [result];
  const run = { settings, model, kinds: treeKinds, call, results, holder: "compact", cycles: input.cycles };
  const asked = await askAndCompose(memory, run).catch((error: unknown): Pick<Asked, "requests" | "warnings"> => {
    if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
    return {
      requests: [],
      warnings: [{ code: error.code, message: `not all summaries were requested: ${error.message}` }],
    };
  });
  const duration = result.duration_ms + Math.round(performance.now() - started);
  return { ...mergeResults(results, asked), duration_ms: duration };
}

/** Whether the cooldown for frequently called hooks blocks a request. During it, a request is sent only if this run wrote something or left something due, and only once. */
async function isCooling(memory: SummaryMemory, configuration: Configuration, result: CompactResult): Promise<boolean> {
  const hours = configuration.cooldownHours;
  if (hours === 0) return false;
  const isRecent = (at = Number.NEGATIVE_INFINITY): boolean => {
    const ago = memory.clock.now() - at;
    return ago >= 0 && ago < hours * 3_600_000;
  };
  const hasRun = result.written.length > 0 || result.due.length > 0;
  if (!hasRun && isRecent((await readStateFile(memory)).lastRun)) return true;
  let asked: number | undefined;
  await readLedgerFile(memory, ({ event, at }) => {
    if (event === "asked") asked = Date.parse(at);
  });
  return isRecent(asked);
}

/** Merges the results of several compositions: written nodes and warnings of all, everything else from the last one. */
function mergeResults(results: readonly CompactResult[], asked: Pick<Asked, "requests" | "warnings">): CompactResult {
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
    warnings: uniqueWarnings(warningsOf(results, asked)),
    requests: asked.requests,
  };
}

function warningsOf(results: readonly CompactResult[], asked: Pick<Asked, "warnings">): readonly Warning[] {
  const last = results.at(-1);
  return [
    ...results.flatMap(({ warnings }) => warnings),
    ...fixedUnanswered(results[0]?.written ?? []),
    ...(last?.dry_run === true ? notKnownYet(last.due) : []),
    ...asked.warnings,
  ];
}

/** A plan cannot know the sources of nodes that do not exist yet. */
function notKnownYet(due: readonly DueNode[]): readonly Warning[] {
  if (due.every(({ reason, level }) => reason === "answer" || level === "root")) return [];
  const message =
    "the model may also be asked about nodes that a run would create first; they are known only after heartwood compact";
  return [{ code: "not_known_yet", message }];
}

/** Warns about nodes that were fixed with the built-in summary because no answer came. That is final unless the user reopens them. */
function fixedUnanswered(written: readonly WrittenNode[]): readonly Warning[] {
  const given = written.filter(
    ({ action, status, summarizer }) => action === "status" && status === "fixed" && summarizer === builtInRule,
  );
  const [newest] = given.toSorted((a, b) => (a.period < b.period ? 1 : -1));
  if (newest === undefined) return [];
  const others = given.length > 1 ? ` and ${given.length - 1} more` : "";
  const message = `no answer was accepted for ${newest.path}${others}, now fixed with the built-in summary; heartwood compact --reopen ${newest.period} reopens it`;
  return [{ code: "fixed_unanswered", message }];
}
