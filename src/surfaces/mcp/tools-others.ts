import { visible } from "../../text/visible.ts";
import type { InputFile } from "../../base/operation.ts";
import type { Operation } from "../../operations/operation.ts";
import { operations } from "../../operations/table.ts";
import { object, optional, shapeOf, text, type Schema } from "../../base/schema.ts";
import { descriptions, titles } from "./descriptions.ts";
import { dryRunByDefault, type Tool, type ToolAnswer, type ToolInput } from "./tool.ts";

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

/** Lines of a stream that one answer has. */
const mostLines = 200;

const rendered = (operations as readonly Operation[]).filter(({ name }) => notRendered[name] === undefined);

export const threadTools: readonly Tool[] = rendered.filter(isOfThreads).map(toolOf);
export const otherTools: readonly Tool[] = rendered.filter((operation) => !isOfThreads(operation)).map(toolOf);

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
