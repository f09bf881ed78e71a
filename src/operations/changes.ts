import type { Call } from "../base/operation.ts";
import { ifMemoryError, type Warning } from "../base/errors.ts";
import type { SummaryMemory } from "../summaries/memory.ts";
import * as i from "../tree/inputs.ts";
import { defineOperation } from "./operation.ts";

/** Operations on what is in the logs. None changes a byte of them. */
export const changeOperations = [
  defineOperation({
    name: "log.edit",
    command: ["log", "edit"],
    summary: "Replace an entry that was added by mistake",
    description:
      "Appends the new text to the log of the same day and stops using the old entry everywhere: in nodes, ROOT.md, recall and search. " +
      "The old lines stay in the log, until they are forgotten.",
    input: i.logEditInput,
    examples: ['heartwood log edit memory/2026-03-12.md:18 --body "- decisions: leaky bucket"'],
    effect: "writes",
    load: async () => then((await import("../tree/logs/log-change.ts")).editEntry),
  }),
  defineOperation({
    name: "log.remove",
    command: ["log", "remove"],
    summary: "Stop using an entry that was added by mistake",
    description:
      "Leaves the entry out of nodes, ROOT.md, recall and search. Its lines stay in the log, until they are forgotten.",
    input: i.logRemoveInput,
    examples: ["heartwood log remove memory/2026-03-12.md:18"],
    effect: "writes",
    load: async () => then((await import("../tree/logs/log-change.ts")).removeEntry),
  }),
  defineOperation({
    name: "log.undo",
    command: ["log", "undo"],
    summary: "Undo the newest edit, removal, renaming or dismissal",
    description:
      "Takes back the newest `log edit`, `log remove`, `topic rename`, `topic merge` or `inbox dismiss` that still applies, or the one that is named.",
    input: i.logUndoInput,
    examples: ["heartwood log undo"],
    effect: "writes",
    load: async () => then((await import("../tree/logs/log-change.ts")).undoLogChange),
  }),
  defineOperation({
    name: "topic.rename",
    command: ["topic", "rename"],
    summary: "Give a topic another name, everywhere",
    description:
      "Renames a topic: nodes, ROOT.md, recall and search show its entries under the new name, and new entries on the old name are logged under it. The logs keep their bytes.",
    input: i.topicChangeInput,
    examples: ['heartwood topic rename "Rate limiting" "Limits"'],
    effect: "writes",
    load: async () => then((await import("../tree/logs/log-change.ts")).renameTopic),
  }),
  defineOperation({
    name: "topic.merge",
    command: ["topic", "merge"],
    summary: "Make a topic part of another one",
    description:
      "Like `topic rename`, for a name that is already in use: the entries of both are one topic from then on.",
    input: i.topicMergeInput,
    examples: ['heartwood topic merge "Old importer" "Importer"'],
    effect: "writes",
    load: async () => then((await import("../tree/logs/log-change.ts")).mergeTopics),
  }),
] as const;

/** The change, then a compaction, so that nothing shows the old state any more. */
function then<Input, Result extends { readonly warnings: readonly Warning[] }>(
  change: (memory: SummaryMemory, input: Input) => Promise<Result>,
) {
  return async (memory: SummaryMemory, input: Input, _call: Call): Promise<Result> => {
    const result = await change(memory, input);
    const { compactWithoutModel } = await import("../summaries/run/compact.ts");
    const late = await compactWithoutModel(memory).then(
      () => [],
      ifMemoryError((error) => [
        {
          code: error.code,
          message: `the change is recorded, and the next heartwood compact shows it: ${error.message}`,
        },
      ]),
    );
    return { ...result, warnings: [...result.warnings, ...late] };
  };
}
