import { MemoryError, type Warning } from "../../base/errors.ts";
import { least, pushAll } from "../../base/lists.ts";
import { type SummaryKind, summaryKinds } from "../../tree/answers/record.ts";
import { builtInSummarizer } from "../../tree/extract/built-in-summarizer.ts";
import { type CompactInput } from "../../tree/inputs.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { refreshSearch } from "./compact.ts";
import { type Configuration, readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { CompactResult, DueNode, WrittenNode } from "../../tree/run/idle.ts";
import { readStateFile } from "../../tree/run/tree-files.ts";
import { askAll, type Asked, previewAll } from "./ask-all.ts";
import { Budget } from "./budget.ts";
import type { SummariesRunInput } from "./inputs.ts";
import type { AskedRequest } from "../../tree/answers/record.ts";
import type { SummariesRunResult } from "./results.ts";
import { readLedgerFile } from "../../tree/run/answer-store.ts";
import { budgetsOf, effectiveSettings, isAsking } from "./settings.ts";
import { openSubjects } from "./subjects.ts";
import { takeRecordedThreads } from "./thread-subject.ts";

/**
 * Asks the configured model, at most once a kind: first the tree is brought up to date, and again after each accepted answer. What the model does wrong
 * stands in the result. Errors: `invalid_config`, `busy` (the tree), `aborted`, those of the disk.
 */
export async function runSummaries(
  memory: SummaryMemory,
  input: SummariesRunInput,
  call: Call = {},
): Promise<SummariesRunResult> {
  const { configuration, warnings } = await readConfiguration(memory);
  const settings = effectiveSettings(memory, configuration);
  const model = memory.summarizer;
  const dry = input.dry_run === true ? { dry_run: true as const } : {};
  const budgets = budgetsOf(settings);
  if (!isAsking(settings) || model === undefined) {
    const spent = (await Budget.open(memory, settings)).spent();
    const [message, next] = noModel[settings.adapter === "pull" ? "pull" : "none"];
    return { ...dry, requests: [], spent, budgets, warnings: [...warnings, { code: "no_model", message }], next };
  }
  const kinds = input.kind === undefined ? summaryKinds : [input.kind];
  const composed: Warning[] = [];
  const compose = async (waits?: "not_counted"): Promise<void> => {
    const result = await runCompact(memory, waits === undefined ? {} : { waits }, call);
    const { warnings: said, written } = await refreshSearch(memory, result);
    pushAll(composed, waits === undefined ? [...said, ...fixedUnanswered(written)] : said);
  };
  if (input.dry_run === true) pushAll(composed, notKnownYet((await runCompact(memory, { dry_run: true }, call)).due));
  else {
    await compose();
    // What a crash left between a record and its checkpoint is not asked for again.
    await takeRecordedThreads(memory, call);
  }
  const asking = { settings, model, kinds, call, subjects: openSubjects(memory) };
  const asked =
    input.dry_run === true
      ? await previewAll(memory, asking)
      : await askAll(memory, { ...asking, holder: "summaries run", compose: () => compose("not_counted") });
  const all = uniqueWarnings([...warnings, ...composed, ...asked.warnings]);
  return { ...dry, requests: asked.requests, spent: asked.spent, budgets, warnings: all, next: nextOf(asked) };
}

/** Why nothing is asked, and what to do. */
const noModel = {
  pull: [
    "no model is configured: with pull an agent answers; heartwood summaries pending lists the jobs",
    "heartwood summaries pending",
  ],
  none: ["no model is configured, so nothing is asked; your own settings name one", "heartwood doctor"],
} as const;

function nextOf({ requests }: Asked): string {
  if (requests.some(({ outcome }) => outcome === "would_ask")) return "heartwood summaries run";
  if (requests.some(({ outcome }) => outcome === "failed")) return "heartwood summaries ledger";
  return requests.some(({ outcome }) => outcome === "accepted") ? "heartwood tree" : "heartwood status";
}

/** Each composition says again what still holds. */
function uniqueWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

/** Threads are asked about by `summaries run` alone. */
const kinds: readonly SummaryKind[] = ["daily", "weekly", "monthly", "root"];

/**
 * What a compaction does with a model after the tree was composed and its lock released: asks, and composes again what was answered. A failure of the model
 * is a warning. Errors: `aborted`, those of composing.
 */
export async function askAfterCompact(
  memory: SummaryMemory,
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
    results.push(await refreshSearch(memory, await runCompact(memory, { ...cycles, waits: "not_counted" }, call)));
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
async function isCooling(memory: SummaryMemory, configuration: Configuration, result: CompactResult): Promise<boolean> {
  const hours = configuration.cooldownHours;
  if (hours === 0) return false;
  const isRecent = (at: number | undefined): boolean => {
    const ago = memory.clock.now() - (at ?? Number.NEGATIVE_INFINITY);
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

/** What a plan cannot tell: of nodes that a run would only make nobody knows what they would be asked with. */
function notKnownYet(due: readonly DueNode[]): readonly Warning[] {
  const unmade = due.filter(({ reason, level }) => reason !== "answer" && level !== "root");
  if (unmade.length === 0) return [];
  const message =
    "the model may also be asked for what a run would make first; that is known when it is made (heartwood compact)";
  return [{ code: "not_known_yet", message }];
}

/** Nodes that were fixed as they were, since no answer came: that is final, and there is a way back. */
function fixedUnanswered(written: readonly WrittenNode[]): readonly Warning[] {
  const given = written.filter(
    ({ action, status, summarizer }) =>
      action === "status" && status === "fixed" && summarizer === builtInSummarizer.id,
  );
  const [newest] = given.toSorted((a, b) => (a.period < b.period ? 1 : -1));
  if (newest === undefined) return [];
  const others = given.length > 1 ? ` and ${given.length - 1} more` : "";
  const message = `no answer was accepted for ${newest.path}${others}, fixed now with the built-in summary; heartwood compact --reopen ${newest.period} opens it again`;
  return [{ code: "fixed_unanswered", message }];
}
