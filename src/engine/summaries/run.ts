import { summaryKinds } from "../../summarize/answers/request.ts";
import type { Warning } from "../../base/errors.ts";
import { runCompact } from "../compact.ts";
import { readConfiguration } from "../configuration.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { askAll, previewAll, type Asked } from "./ask-all.ts";
import { fixedUnanswered, notKnownYet } from "./asking-notes.ts";
import { Budget } from "./budget.ts";
import type { SummariesRunInput } from "./inputs.ts";
import type { SummariesRunResult } from "./results.ts";
import { budgetsOf, effectiveSettings, isAsking } from "./settings.ts";
import { openSubjects } from "./subjects.ts";
import { takeRecordedThreads } from "./thread-subject.ts";
import { pushAll } from "../../base/lists.ts";

/**
 * Asks the configured model, at most once a kind: first the tree is brought up to date, and again after each accepted answer. What the model does wrong
 * stands in the result. Errors: `invalid_config`, `busy` (the tree), `aborted`, those of the disk.
 */
export async function runSummaries(
  memory: Memory,
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
    const told = [...warnings, nobodyToAsk(settings.adapter)];
    return { ...dry, requests: [], spent, budgets, warnings: told, next: nextWithout(settings.adapter) };
  }
  const kinds = input.kind === undefined ? summaryKinds : [input.kind];
  const composed: Warning[] = [];
  const compose = async (waits?: "not_counted"): Promise<void> => {
    const { warnings: said, written } = await runCompact(memory, waits === undefined ? {} : { waits }, call);
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

function nobodyToAsk(adapter: string): Warning {
  const message =
    adapter === "pull"
      ? "no model is configured: with pull an agent answers; heartwood summaries pending lists the jobs"
      : "no model is configured, so nothing is asked; your own settings name one";
  return { code: "no_model", message };
}

function nextWithout(adapter: string): string {
  return adapter === "pull" ? "heartwood summaries pending" : "heartwood doctor";
}

function nextOf({ requests }: Asked): string {
  if (requests.some(({ outcome }) => outcome === "would_ask")) return "heartwood summaries run";
  if (requests.some(({ outcome }) => outcome === "failed")) return "heartwood summaries ledger";
  return requests.some(({ outcome }) => outcome === "accepted") ? "heartwood tree" : "heartwood status";
}

/** Each composition says again what still holds. */
export function uniqueWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}
