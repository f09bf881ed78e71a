import type { Call } from "../base/operation.ts";
import { defineOperation, type Memory } from "./operation.ts";
import type { CompactResult } from "../tree/run/idle.ts";
import * as i from "../tree/inputs.ts";

/** What was forgotten in part, or in another clone, goes before anything is built from it. Returns the run that this took. */
async function finishForgetting(memory: Memory, call: Call): Promise<CompactResult | undefined> {
  const { isForgettingDue } = await import("../tree/logs/forgotten.ts");
  if (!(await isForgettingDue(memory.files))) return undefined;
  const finished = await (await import("../forget/forget.ts")).resumeForgetting(memory, call);
  if (finished === undefined) return undefined;
  const message = "a file still has what was forgotten: edit it yourself";
  const left = finished.left.map((path) => ({ code: "forgotten_left", message, path }));
  return { ...finished.run, warnings: [...finished.run.warnings, ...left] };
}

/** The everyday operations. The command line loads the others only if its words match none of these. */
export const treeOperations = [
  defineOperation({
    name: "memory.init",
    command: ["init"],
    summary: "Create the folders, the configuration and the templates",
    description:
      "Creates memory/ with its levels, heartwood.config.json and the platform's hot files. Changes nothing that exists. " +
      "By default the platform is detected from the project folder and the home folder; the fallback is plain files.",
    input: i.initInput,
    examples: ["heartwood init", "heartwood init --platform claude-code"],
    effect: "writes",
    load: async () => (await import("../tree/setup/init.ts")).runInit,
  }),
  defineOperation({
    name: "log.add",
    command: ["log", "add"],
    summary: "Append a typed entry to the day's log",
    description:
      "Appends an entry to memory/YYYY-MM-DD.md and replaces secrets first. The entry is on disk when the command returns. " +
      "The body comes from --body or standard input; feedback takes --rule, --why and --how-to-apply instead. " +
      "With --corrects, the body says what is right: the corrected lines stay in their log, but no start text, recall or ROOT.md gives them again.",
    input: i.logAddInput,
    examples: [
      'heartwood log add --topic "Payment flow" --body "- decisions: token bucket, bursts must pass"',
      'heartwood log add --topic "Short answers" --type feedback --rule "answer in three sentences" --why "reads on a phone" --how-to-apply "chat replies"',
    ],
    effect: "writes",
    load: async () => {
      const { logEntry } = await import("../recall/run/corrections.ts");
      return async (memory, input) => {
        const result = await logEntry(memory, input);
        if (input.corrects !== undefined) await (await import("../summaries/run/compact.ts")).compactCorrection(memory);
        return result;
      };
    },
  }),
  defineOperation({
    name: "log.promote",
    command: ["log", "promote"],
    summary: "Turn something the user said into a feedback or user entry",
    description:
      "Appends the user's sentence at a place to today's log, word for word: as the rule of a feedback entry, or with --type user as a fact about the user. " +
      "Promoting the same sentence twice adds one entry. Lines from an assistant or a tool are refused.",
    input: i.logPromoteInput,
    examples: [
      "heartwood log promote memory/2026-03-12.md:181",
      'heartwood log promote memory/2026-03-12.md:181 --type user --topic "Home"',
    ],
    effect: "writes",
    load: async () => (await import("../tree/logs/log-promote.ts")).promoteLine,
  }),
  defineOperation({
    name: "tree.compact",
    command: ["compact"],
    summary: "Bring the tree up to date",
    description:
      "Compacts until no node is due: raw logs become daily, weekly and monthly nodes and ROOT.md. Writes nothing when nothing is due.",
    input: i.compactInput,
    examples: ["heartwood compact", "heartwood compact --dry-run", "heartwood compact --if-due --quiet"],
    effect: "writes",
    load: async () => {
      const { compactMemory, refreshSearch } = await import("../summaries/run/compact.ts");
      return async (memory, input, call) => {
        const finished = input.dry_run === true ? undefined : await finishForgetting(memory, call);
        if (finished === undefined) return compactMemory(memory, input, call);
        const { joinRuns } = await import("../tree/run/idle.ts");
        const first = await refreshSearch(memory, finished);
        return { ...joinRuns(first, await compactMemory(memory, input, call)), finished_forgetting: true as const };
      };
    },
    // A file whose name is not a log name is only reported; a file that could not be read or written is missing from the tree.
    outcomeOf: (result) => (result.skipped.every((skipped) => skipped.code === "bad_name") ? "done" : "findings"),
  }),
  defineOperation({
    name: "memory.status",
    command: ["status"],
    summary: "Show what exists, what is due or late, and what to run next",
    description:
      "Shows a one-screen overview: raw logs, nodes at each level, due nodes, late data, hot files' sizes against their targets, and the next command.",
    input: i.nothing,
    examples: ["heartwood status", "heartwood status --json"],
    load: async () => (await import("./status.ts")).readStatus,
  }),
  defineOperation({
    name: "tree.list",
    command: ["tree"],
    summary: "List the nodes, from ROOT.md down to the raw logs",
    description: "Lists ROOT.md, months, weeks and days with their status, size, topics and addenda.",
    input: i.nothing,
    examples: ["heartwood tree"],
    load: async () => (await import("../tree/inspect/tree-view.ts")).readTree,
  }),
  defineOperation({
    name: "tree.show",
    command: ["show"],
    summary: "Print a node or ROOT.md",
    description:
      "Prints the node for a day, week or month, with its addenda, or ROOT.md. With --as-of, prints it as it was at the end of a day: what was known then. Writes nothing.",
    input: i.showInput,
    examples: [
      "heartwood show 2026-03-05",
      "heartwood show 2026-W10",
      "heartwood show ROOT",
      "heartwood show --as-of 2026-03-08",
    ],
    load:
      async () =>
      async (memory, { period = "ROOT", as_of }: i.ShowInput) =>
        as_of === undefined
          ? (await import("../tree/inspect/tree-view.ts")).readNode(memory, { period })
          : (await import("../tree/versions/as-of.ts")).readNodeAsOf(memory, { period, as_of }),
  }),
  defineOperation({
    name: "tree.root",
    command: ["root"],
    summary: "Print ROOT.md, or the same selection in less space",
    description:
      "Prints ROOT.md. With --max-tokens or --max-chars, renders the same selection in less space. With --dropped, lists what did not fit and why.",
    input: i.rootInput,
    examples: ["heartwood root", "heartwood root --max-tokens 1500", "heartwood root --dropped"],
    load: async () => (await import("../tree/root-run/root.ts")).readRoot,
  }),
  defineOperation({
    name: "tree.trace",
    command: ["trace"],
    summary: "Trace a ROOT.md line back to its source lines",
    description:
      "Takes (part of) the text of a ROOT.md line, or ROOT:LINE, and shows the lines it came from at every level, down to the raw log lines with their digest. " +
      "Lines that have since moved within their day's logs are shown in their current place. " +
      "With --forward, lists everything that comes from log lines, messages of a thread or an entry: lines of nodes and ROOT.md, thread summaries, corrections, and the sessions that were given it.",
    input: i.traceInput,
    examples: [
      "heartwood trace ROOT:12",
      'heartwood trace "rate limiting"',
      "heartwood trace --forward memory/2026-03-05.md:1-8",
    ],
    load: async () => async (memory, input: i.TraceInput) => {
      if (input.forward !== true) return (await import("../tree/inspect/trace.ts")).readTrace(memory, input);
      const { traceForward } = await import("../agents/sessions/trace-forward.ts");
      return traceForward(memory, { place: input.text });
    },
  }),
  defineOperation({
    name: "tree.verify",
    command: ["verify"],
    summary: "Rebuild every node from its recorded sources and compare bytes",
    description: "Checks every node and ROOT.md against its sources and against every rule of the tree.",
    exit: "Exit status 1 on a finding of severity warning or error.",
    input: i.verifyInput,
    examples: ["heartwood verify", "heartwood verify --json", "heartwood verify --forgotten"],
    load: async () => {
      const { findLostRecords } = await import("../audit/run/shortened-notes.ts");
      const { runVerify } = await import("../tree/inspect/verify.ts");
      return async (memory, input, call) =>
        input.forgotten === true
          ? (await import("../forget/sweep.ts")).verifyForgotten(memory)
          : runVerify(memory, call, findLostRecords);
    },
    outcomeOf: (result) => (result.ok ? "done" : "findings"),
  }),
  defineOperation({
    name: "memory.undo",
    command: ["undo"],
    summary: "Undo the last reopen or fix",
    description:
      "Restores the files replaced by the last reopen (`heartwood compact`) or fix (`heartwood doctor`). Archives the current files first.",
    input: i.nothing,
    examples: ["heartwood undo"],
    effect: "writes",
    load: async () => (await import("./undo.ts")).runUndo,
  }),
  defineOperation({
    name: "memory.doctor",
    command: ["doctor"],
    summary: "Check the environment and the configuration, and look for leftovers",
    description:
      "Checks Node, the time zone, the configuration, folders, locks, leftovers of interrupted runs and secrets in derived files. With --fix, repairs what is safe to repair. With --cost, also shows how many tokens tools, instructions and skills add to every request of each client.",
    input: i.doctorInput,
    examples: ["heartwood doctor", "heartwood doctor --fix", "heartwood doctor --cost"],
    effect: "writes",
    load: async () => (await import("./doctor.ts")).runDoctor,
    outcomeOf: (result) => (result.ok ? "done" : "findings"),
  }),
] as const;
