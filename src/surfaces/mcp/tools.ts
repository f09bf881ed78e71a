import type { InputFile } from "../../base/operation.ts";
import { object, optional, shapeOf, text, type Schema } from "../../base/schema.ts";
import type { Operation } from "../../operations/operation.ts";
import { operations } from "../../operations/table.ts";
import type { ToolGroup } from "./arguments.ts";
import { dryRunByDefault, type Tool, type ToolAnswer, type ToolInput } from "./tool.ts";
import { keepingTools } from "./tools-keeping.ts";
import { recallTools } from "./tools-recall.ts";
import { upkeepTools } from "./tools-upkeep.ts";
import { visible } from "../../text/visible.ts";

/** Operations that are no tools of their own, and why. */
export const notRendered: Readonly<Record<string, string>> = {
  "memory.recall": "memory_recall",
  "memory.search": "memory_search",
  "memory.read": "memory_read",
  "tree.show": "memory_read",
  "log.add": "memory_log",
  "memory.status": "memory_status",
  "tree.trace": "memory_trace",
  "audit.run": "memory_compact",
  "summaries.pending": "memory_summaries",
  "summaries.submit": "memory_summaries",
  "memory.init": "a server works in a memory that is there; a person begins one",
  "thread.import": "takes a file of frames, which does not go through a model",
  "capture.run": "hooks call it, with the transcript that their client names; a model has no part in it",
  "capture.import": "reads files of the person's clients that may hold anything: a person starts it",
  "summaries.run": "sends texts to the model of the person's settings: a person or a timer starts it",
};

/** What a model is told of an operation whose description in the table speaks of a command line: by its name there. */
export const descriptions: Readonly<Record<string, string>> = {
  "log.promote":
    "Makes a lasting entry of a sentence that the user said, word for word: a rule (type feedback, the default) or a fact about the user (type user).",
  "thread.create": "Begins an append-only thread of messages and gives its id.",
  "thread.get":
    "What a thread is: title, workspace, messages, the seq of its head, and the thread it was branched or handed off from.",
  "thread.append":
    "Appends one message, or with batch true the JSON lines in content, all or none of them. Returned means it is on disk. A message id that is there already with the same content is passed " +
    "over. actor_id and origin are needed for a message, and for lines of a batch that have none. It never summarises; that is done by thread_schedule.",
  "thread.export": "Every frame of a thread, as the line it came as.",
  "thread.events": "The frames of a thread from a seq on, as JSON lines.",
  "compaction.auto.schedule":
    "For one thread, or with all true for every thread: starts a job when a cut point has no checkpoint and none is in flight, and builds the missing rungs for thread_compile.",
  "context.compile":
    "Compiles the thread up to a message into newest messages and summaries that together leave nothing out. Changes nothing, unless build or record is true.",
  "thread.verify":
    "Checks that seq has no gap, that artifacts have their digests, that checkpoints stand at messages, and that every plan, summary and bundle is what a replay gives.",
  "tree.root":
    "ROOT.md. With max_tokens or max_chars the same selection, rendered into a smaller space. With dropped true: what did not fit into it, and why.",
  "tree.verify": "Checks every node and ROOT.md against what it was made from, and every rule of the tree.",
  "memory.undo":
    "Puts back the files that the last tree_compact with reopen, or memory_doctor with fix, replaced, from memory/archive/. What stands there now is archived first.",
  "memory.doctor":
    "Looks at Node, the time zone, the configuration, folders, locks, leftovers of interrupted runs and secrets in derived files. With fix true it mends what is safe to mend.",
  "audit.undo":
    "Puts back what memory_compact with dry_run false changed, the newest by default. What was logged into a note since stays behind its old lines. A file that was changed otherwise stays as it is " +
    "and is reported, with the place of its old bytes.",
};

/** Titles in the same place. */
export const titles: Readonly<Record<string, string>> = {
  "thread.export": "All frames of a thread, as JSON lines",
  "thread.events": "Frames of a thread from a seq on, as JSON lines",
};

/** Lines of a stream that one answer has. */
const mostLines = 200;

const rendered = (operations as readonly Operation[]).filter(({ name }) => notRendered[name] === undefined);

const threadTools: readonly Tool[] = rendered.filter(isOfThreads).map(toolOf);
const otherTools: readonly Tool[] = rendered.filter((operation) => !isOfThreads(operation)).map(toolOf);

function isOfThreads({ command }: Operation): boolean {
  return command[0] === "thread";
}

/** The operation as it stands in the table: its name with `_`, threads under their words of the command line. */
function toolOf(operation: Operation): Tool {
  const { name, command, effect } = operation;
  const description = descriptions[name] ?? operation.description;
  const cycle = name === "tree.compact" ? " The audit of MEMORY.md is memory_compact." : "";
  return {
    name: (isOfThreads(operation) ? command.join("_") : name).replaceAll(/[.-]/gu, "_"),
    title: titles[name] ?? operation.summary,
    description: `${description}${cycle}`,
    renders: [name],
    input: inputOf(operation),
    output: { type: "object" },
    effect,
    run: async (memory, input, call) => answerOf(await operation.run(memory, givenTo(operation, input), call)),
  };
}

/** A file that is written has no place in an answer, and what follows a thread never ends. Files that are read come as their text. */
function inputOf(operation: Operation): Schema<ToolInput> {
  const shape = shapeOf(operation.input);
  const fields = operation.fields.filter(({ kind, name }) => kind.kind !== "output" && name !== "follow");
  return object(
    Object.fromEntries(
      fields.map(({ name, kind, presence, summary, meaning = summary }) => {
        if (isDryByDefault(operation, name)) return [name, dryRunByDefault];
        if (kind.kind !== "file") return [name, shape[name] as Schema<unknown>];
        const content = text("TEXT", `${meaning} (its text)`);
        return [name, presence === "required" ? content : optional(content)];
      }),
    ),
  );
}

/** Flags that are on by default mean the same here and there; only `dry_run` is on here alone, except for threads, which are only appended to. */
function isDryByDefault(operation: Operation, name: string): boolean {
  return name === "dry_run" && !isOfThreads(operation);
}

function givenTo(operation: Operation, input: ToolInput): ToolInput {
  const given = { ...input };
  for (const { name, kind } of operation.fields) {
    if (isDryByDefault(operation, name)) given[name] ??= true;
    if (kind.kind === "file" && typeof given[name] === "string") given[name] = fileOf(name, given[name]);
  }
  return given;
}

function fileOf(name: string, content: string): InputFile {
  const bytes = new TextEncoder().encode(content);
  return {
    name,
    chunks: async function* () {
      yield bytes;
    },
  };
}

async function answerOf(result: unknown): Promise<ToolAnswer> {
  if (!isStream(result)) return { structured: { ...(result as object) } };
  const lines: string[] = [];
  let more = false;
  for await (const line of result) {
    more = lines.length === mostLines;
    if (more) break;
    // Each is a JSON document, whose values stay as they are.
    lines.push(visible(line, "json"));
  }
  return { structured: { lines, more }, text: lines.join("\n") };
}

function isStream(result: unknown): result is AsyncIterable<string> {
  return typeof result === "object" && result !== null && Symbol.asyncIterator in result;
}

/** The tools of these groups, in an order that never changes. The eight of `memory` are always among them. */
export function toolsOf(groups: readonly ToolGroup[]): readonly Tool[] {
  const isAll = groups.includes("all");
  return [
    ...recallTools,
    ...keepingTools,
    ...upkeepTools,
    ...(isAll || groups.includes("threads") ? threadTools : []),
    ...(isAll ? otherTools : []),
  ];
}
