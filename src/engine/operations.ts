import { checked } from "./checked.ts";
import type { Field } from "./operation.ts";
import type * as R from "./results.ts";
import type { CompactInput } from "./compact.ts";
import type { DoctorInput } from "./doctor.ts";
import type { LogAddInput } from "./log-add.ts";
import { auditOperations } from "./operations-audit.ts";
import { captureOperations } from "./operations-capture.ts";
import { searchOperations } from "./operations-search.ts";
import { summariesOperations } from "./operations-summaries.ts";
import { threadOperations } from "./operations-threads.ts";
import { platforms } from "./platforms.ts";

const period: Field = {
  name: "period",
  kind: { kind: "text" },
  place: "argument",
  presence: "required",
  placeholder: "PERIOD",
  summary: "2026-03-15, 2026-W11, 2026-03 or ROOT",
};

const types = ["project", "feedback", "user", "reference"];
const origins = ["user", "agent", "tool", "import", "file"];

const init = checked<{ readonly platform?: string }, R.InitResult>({
  name: "memory.init",
  command: ["init"],
  summary: "Create the folders, the configuration and the templates",
  description:
    "Creates memory/ with its levels, heartwood.config.json and the hot files of the platform. Touches nothing that exists. " +
    "The platform is found from the folder and the home; plain files are the default.",
  fields: [
    {
      name: "platform",
      kind: { kind: "choice", values: platforms },
      summary: "the agent that will use this memory",
      placeholder: "P",
    },
  ],
  examples: ["heartwood init", "heartwood init --platform claude-code"],
  effect: "writes",
  run: async (memory, input) => (await import("./init.ts")).runInit(memory, input),
});

const logAdd = checked<LogAddInput, R.LogAddResult>({
  name: "log.add",
  command: ["log", "add"],
  summary: "Append one typed entry to the day's log",
  description:
    "Appends an entry to memory/YYYY-MM-DD.md, with secrets replaced, and counts it. Returned means it is on disk. " +
    "The body is read from standard input or given by --body; feedback takes --rule, --why and --how-to-apply instead.",
  fields: [
    {
      name: "topic",
      kind: { kind: "text" },
      presence: "required",
      placeholder: "T",
      summary: "what the entry is about, one line",
    },
    {
      name: "type",
      kind: { kind: "choice", values: types },
      placeholder: "TYPE",
      summary: "the kind of memory (default: project)",
    },
    {
      name: "body",
      kind: { kind: "text" },
      place: "stdin_or_option",
      placeholder: "TEXT",
      summary: "the text of the entry",
    },
    { name: "rule", kind: { kind: "text" }, placeholder: "TEXT", summary: "feedback: the rule" },
    { name: "why", kind: { kind: "text" }, placeholder: "TEXT", summary: "feedback: the reason given" },
    {
      name: "how_to_apply",
      kind: { kind: "text" },
      placeholder: "TEXT",
      summary: "feedback: when and where it applies",
    },
    { name: "date", kind: { kind: "text" }, placeholder: "DATE", summary: "an earlier day that the entry belongs to" },
    {
      name: "id",
      kind: { kind: "text" },
      placeholder: "ID",
      summary: "the entry's id; the same id twice is one entry",
    },
    {
      name: "origin",
      kind: { kind: "choice", values: origins },
      placeholder: "ORIGIN",
      summary: "who it comes from (default: agent); tool is refused for user and feedback",
    },
  ],
  examples: [
    'heartwood log add --topic "Payment flow" --body "- decisions: token bucket, bursts must pass"',
    'heartwood log add --topic "Short answers" --type feedback --rule "answer in three sentences" --why "reads on a phone" --how-to-apply "chat replies"',
  ],
  effect: "writes",
  run: async (memory, input) => (await import("./log-add.ts")).appendEntry(memory, input),
});

const compact = checked<CompactInput, R.CompactResult>({
  name: "tree.compact",
  command: ["compact"],
  summary: "Bring the tree up to date",
  description:
    "Runs compaction until no node is due: raw logs become daily, weekly and monthly nodes and ROOT.md. With nothing due it writes nothing.",
  fields: [
    {
      name: "cycles",
      kind: { kind: "integer", min: 1, max: 100_000 },
      placeholder: "N",
      summary: "at most N cycles of one node a level",
    },
    { name: "if_due", kind: { kind: "flag" }, summary: "only when the gate says so (cooldown, lines, entries)" },
    { name: "dry_run", kind: { kind: "flag" }, summary: "show the plan, write nothing" },
    {
      name: "reopen",
      kind: { kind: "text" },
      placeholder: "PERIOD",
      summary: "rebuild a fixed period and its ancestors; FROM..TO for a range, late for all with addenda",
    },
  ],
  examples: ["heartwood compact", "heartwood compact --dry-run", "heartwood compact --if-due --quiet"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./idle.ts")).compactUnlessIdle(memory, input, call),
  // What is no log by its name is told and stays; what could not be read or written is missing from the tree.
  outcomeOf: (result) => (result.skipped.every((skipped) => skipped.code === "bad_name") ? "done" : "findings"),
});

const status = checked<Record<string, never>, R.StatusResult>({
  name: "memory.status",
  command: ["status"],
  summary: "What is there, what is due, what to run next",
  description:
    "One screen: raw logs, nodes of each level, due nodes, late data, sizes of hot files against their targets, the next command.",
  fields: [],
  examples: ["heartwood status", "heartwood status --json"],
  effect: "reads",
  run: async (memory) => (await import("./status.ts")).readStatus(memory),
});

const tree = checked<Record<string, never>, R.TreeResult>({
  name: "tree.list",
  command: ["tree"],
  summary: "The nodes as a tree, from ROOT.md down to the raw logs",
  description: "Lists ROOT.md, months, weeks and days with status, size, topics and addenda.",
  fields: [],
  examples: ["heartwood tree"],
  effect: "reads",
  run: async (memory) => (await import("./tree-view.ts")).readTree(memory),
});

const show = checked<{ readonly period: string }, R.ShowResult>({
  name: "tree.show",
  command: ["show"],
  summary: "Print one node, or ROOT",
  description: "Prints the node of a day, week or month, with its addenda, or ROOT.md.",
  fields: [period],
  examples: ["heartwood show 2026-03-05", "heartwood show 2026-W10", "heartwood show ROOT"],
  effect: "reads",
  run: async (memory, input) => (await import("./tree-view.ts")).readNode(memory, input),
});

const root = checked<RootInput, R.RootResult | R.DroppedResult>({
  name: "tree.root",
  command: ["root"],
  summary: "ROOT.md, or the same selection smaller",
  description:
    "Prints ROOT.md. With --max-tokens or --max-chars the same selection is rendered into a smaller space. With --dropped: what did not fit into it, and why.",
  fields: [
    {
      name: "max_tokens",
      kind: { kind: "integer", min: 100, max: 1_000_000 },
      placeholder: "N",
      summary: "at most N o200k tokens",
    },
    {
      name: "max_chars",
      kind: { kind: "integer", min: 400, max: 10_000_000 },
      placeholder: "N",
      summary: "at most N characters",
    },
    { name: "dropped", kind: { kind: "flag" }, summary: "list what did not fit, and why" },
  ],
  examples: ["heartwood root", "heartwood root --max-tokens 1500", "heartwood root --dropped"],
  effect: "reads",
  run: async (memory, input) => (await import("./root.ts")).readRoot(memory, input),
});

export interface RootInput {
  readonly max_tokens?: number;
  readonly max_chars?: number;
  readonly dropped?: boolean;
}

const trace = checked<{ readonly text: string }, R.TraceResult>({
  name: "tree.trace",
  command: ["trace"],
  summary: "From a line of ROOT.md through every level to the raw lines",
  description:
    "Takes the text of a ROOT.md line (or a part of it) or ROOT:LINE and shows the lines it came from at every level, down to the raw log with the digest of those lines. Lines that have moved within the logs of their day are given where they stand now.",
  fields: [
    {
      name: "text",
      kind: { kind: "text" },
      place: "argument",
      presence: "required",
      placeholder: "TEXT",
      summary: "part of a ROOT.md line, or ROOT:LINE",
    },
  ],
  examples: ["heartwood trace ROOT:12", 'heartwood trace "rate limiting"'],
  effect: "reads",
  run: async (memory, input) => (await import("./trace.ts")).readTrace(memory, input),
});

const verify = checked<Record<string, never>, R.VerifyResult>({
  name: "tree.verify",
  command: ["verify"],
  summary: "Rebuild every node from its recorded sources and compare bytes",
  description:
    "Checks every node and ROOT.md against what it was made from, and every rule of the tree. Exit status 1 on a finding of severity warning or error.",
  fields: [],
  examples: ["heartwood verify", "heartwood verify --json"],
  effect: "reads",
  run: async (memory, _input, call) => (await import("./verify.ts")).runVerify(memory, call),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

const undo = checked<Record<string, never>, R.UndoResult>({
  name: "memory.undo",
  command: ["undo"],
  summary: "Take back the last reopen or fix",
  description:
    "Puts back the files that the last `compact --reopen` or `doctor --fix` replaced, from memory/archive/. What stands there now is archived first.",
  fields: [],
  examples: ["heartwood undo"],
  effect: "writes",
  run: async (memory) => (await import("./undo.ts")).runUndo(memory),
});

const doctor = checked<DoctorInput, R.DoctorResult>({
  name: "memory.doctor",
  command: ["doctor"],
  summary: "Check the environment, the configuration and leftovers",
  description:
    "Looks at Node, the time zone, the configuration, folders, locks, leftovers of interrupted runs and secrets in derived files. --fix mends what is safe to mend.",
  fields: [{ name: "fix", kind: { kind: "flag" }, summary: "mend what is safe" }],
  examples: ["heartwood doctor", "heartwood doctor --fix"],
  effect: "writes",
  run: async (memory, input) => (await import("./doctor.ts")).runDoctor(memory, input),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

/** Everything heartwood can do. Surfaces render this table and nothing else. */
export const operations = [
  init,
  logAdd,
  compact,
  status,
  tree,
  show,
  root,
  trace,
  verify,
  undo,
  doctor,
  ...searchOperations,
  ...auditOperations,
  ...summariesOperations,
  ...threadOperations,
  ...captureOperations,
] as const;
