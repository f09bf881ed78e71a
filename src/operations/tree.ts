import { defineOperation } from "./operation.ts";
import {
  compactInput,
  doctorInput,
  initInput,
  logAddInput,
  logPromoteInput,
  nothing,
  rootInput,
  showInput,
  traceInput,
} from "../tree/inputs.ts";

const init = defineOperation({
  name: "memory.init",
  command: ["init"],
  summary: "Create the folders, the configuration and the templates",
  description:
    "Creates memory/ with its levels, heartwood.config.json and the hot files of the platform. Touches nothing that exists. " +
    "The platform is found from the folder and the home; plain files are the default.",
  input: initInput,
  examples: ["heartwood init", "heartwood init --platform claude-code"],
  effect: "writes",
  run: async (memory, input) => (await import("../tree/setup/init.ts")).runInit(memory, input),
});

const logAdd = defineOperation({
  name: "log.add",
  command: ["log", "add"],
  summary: "Append one typed entry to the day's log",
  description:
    "Appends an entry to memory/YYYY-MM-DD.md, with secrets replaced, and counts it. Returned means it is on disk. " +
    "The body is read from standard input or given by --body; feedback takes --rule, --why and --how-to-apply instead.",
  input: logAddInput,
  examples: [
    'heartwood log add --topic "Payment flow" --body "- decisions: token bucket, bursts must pass"',
    'heartwood log add --topic "Short answers" --type feedback --rule "answer in three sentences" --why "reads on a phone" --how-to-apply "chat replies"',
  ],
  effect: "writes",
  run: async (memory, input) => (await import("../tree/logs/log-add.ts")).appendEntry(memory, input),
});

const logPromote = defineOperation({
  name: "log.promote",
  command: ["log", "promote"],
  summary: "Make a feedback or user entry of what the user said",
  description:
    "Appends the user's sentence at a place to today's log, word for word: as the rule of a feedback entry, or with --type user as a fact about the user. " +
    "The same sentence twice is one entry. A line of an assistant or a tool is refused.",
  input: logPromoteInput,
  examples: [
    "heartwood log promote memory/2026-03-12.md:181",
    'heartwood log promote memory/2026-03-12.md:181 --type user --topic "Home"',
  ],
  effect: "writes",
  run: async (memory, input) => (await import("../tree/logs/log-add.ts")).promoteLine(memory, input),
});

const compact = defineOperation({
  name: "tree.compact",
  command: ["compact"],
  summary: "Bring the tree up to date",
  description:
    "Runs compaction until no node is due: raw logs become daily, weekly and monthly nodes and ROOT.md. With nothing due it writes nothing.",
  input: compactInput,
  examples: ["heartwood compact", "heartwood compact --dry-run", "heartwood compact --if-due --quiet"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../summaries/run/compact.ts")).compactMemory(memory, input, call),
  // What is no log by its name is told and stays; what could not be read or written is missing from the tree.
  outcomeOf: (result) => (result.skipped.every((skipped) => skipped.code === "bad_name") ? "done" : "findings"),
});

const status = defineOperation({
  name: "memory.status",
  command: ["status"],
  summary: "What is there, what is due, what to run next",
  description:
    "One screen: raw logs, nodes of each level, due nodes, late data, sizes of hot files against their targets, the next command.",
  input: nothing,
  examples: ["heartwood status", "heartwood status --json"],
  effect: "reads",
  run: async (memory) => (await import("./status.ts")).readStatus(memory),
});

const tree = defineOperation({
  name: "tree.list",
  command: ["tree"],
  summary: "The nodes as a tree, from ROOT.md down to the raw logs",
  description: "Lists ROOT.md, months, weeks and days with status, size, topics and addenda.",
  input: nothing,
  examples: ["heartwood tree"],
  effect: "reads",
  run: async (memory) => (await import("../tree/inspect/tree-view.ts")).readTree(memory),
});

const show = defineOperation({
  name: "tree.show",
  command: ["show"],
  summary: "Print one node, or ROOT",
  description: "Prints the node of a day, week or month, with its addenda, or ROOT.md.",
  input: showInput,
  examples: ["heartwood show 2026-03-05", "heartwood show 2026-W10", "heartwood show ROOT"],
  effect: "reads",
  run: async (memory, input) => (await import("../tree/inspect/tree-view.ts")).readNode(memory, input),
});

const root = defineOperation({
  name: "tree.root",
  command: ["root"],
  summary: "ROOT.md, or the same selection smaller",
  description:
    "Prints ROOT.md. With --max-tokens or --max-chars the same selection is rendered into a smaller space. With --dropped: what did not fit into it, and why.",
  input: rootInput,
  examples: ["heartwood root", "heartwood root --max-tokens 1500", "heartwood root --dropped"],
  effect: "reads",
  run: async (memory, input) => (await import("../tree/root-run/root.ts")).readRoot(memory, input),
});

const trace = defineOperation({
  name: "tree.trace",
  command: ["trace"],
  summary: "From a line of ROOT.md through every level to the raw lines",
  description:
    "Takes the text of a ROOT.md line (or a part of it) or ROOT:LINE and shows the lines it came from at every level, down to the raw log with the digest of those lines. Lines that have moved within the logs of their day are given where they stand now.",
  input: traceInput,
  examples: ["heartwood trace ROOT:12", 'heartwood trace "rate limiting"'],
  effect: "reads",
  run: async (memory, input) => (await import("../tree/inspect/trace.ts")).readTrace(memory, input),
});

const verify = defineOperation({
  name: "tree.verify",
  command: ["verify"],
  summary: "Rebuild every node from its recorded sources and compare bytes",
  description:
    "Checks every node and ROOT.md against what it was made from, and every rule of the tree. Exit status 1 on a finding of severity warning or error.",
  input: nothing,
  examples: ["heartwood verify", "heartwood verify --json"],
  effect: "reads",
  run: async (memory, _input, call) => {
    const { findLostRecords } = await import("../audit/run/shortened-notes.ts");
    return (await import("../tree/inspect/verify.ts")).runVerify(memory, call, findLostRecords);
  },
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

const undo = defineOperation({
  name: "memory.undo",
  command: ["undo"],
  summary: "Take back the last reopen or fix",
  description:
    "Puts back the files that the last `compact --reopen` or `doctor --fix` replaced, from memory/archive/. What stands there now is archived first.",
  input: nothing,
  examples: ["heartwood undo"],
  effect: "writes",
  run: async (memory) => (await import("./undo.ts")).runUndo(memory),
});

const doctor = defineOperation({
  name: "memory.doctor",
  command: ["doctor"],
  summary: "Check the environment, the configuration and leftovers",
  description:
    "Looks at Node, the time zone, the configuration, folders, locks, leftovers of interrupted runs and secrets in derived files. --fix mends what is safe to mend.",
  input: doctorInput,
  examples: ["heartwood doctor", "heartwood doctor --fix"],
  effect: "writes",
  run: async (memory, input) => (await import("./doctor.ts")).runDoctor(memory, input),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

/** What a person does with a memory day by day. A command line loads the others when its words are none of these. */
export const treeOperations = [
  init,
  logAdd,
  logPromote,
  compact,
  status,
  tree,
  show,
  root,
  trace,
  verify,
  undo,
  doctor,
] as const;
