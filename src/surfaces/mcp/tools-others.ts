import { visible } from "../../base/visible.ts";
import type { Field, InputFile, Operation } from "../../engine/operation.ts";
import { operations } from "../../engine/operations.ts";
import { descriptions, titles } from "./descriptions.ts";
import { dryRunByDefault } from "./fields.ts";
import type { Tool, ToolAnswer, ToolInput } from "./tool.ts";

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
  const fields = operation.fields
    .filter((field) => !isLeftOut(field))
    .map((field) => (field.name === "dry_run" && !isOfThreads(operation) ? dryRunByDefault : fieldOf(field)));
  const cycle = name === "tree.compact" ? " The audit of MEMORY.md is memory_compact." : "";
  return {
    name: (isOfThreads(operation) ? command.join("_") : name).replaceAll(/[.-]/gu, "_"),
    title: titles[name] ?? operation.summary,
    description: `${description}${cycle}`,
    renders: [name],
    fields,
    output: { type: "object" },
    effect,
    run: async (memory, input, call) => answerOf(await operation.run(memory, inputOf(operation, fields, input), call)),
  };
}

/** A file that is written has no place in an answer, and what follows a thread never ends. */
function isLeftOut({ name, kind }: Field): boolean {
  return kind.kind === "output" || name === "follow";
}

function fieldOf(field: Field): Field {
  const { kind, summary, meaning = summary } = field;
  if (kind.kind === "file") return { ...field, kind: { kind: "text" }, meaning: `${meaning} (its text)` };
  return field;
}

/** Flags that are on by default mean the same here and there; only `dry_run` is on here alone, except for threads, which are only appended to. */
function inputOf(operation: Operation, fields: readonly Field[], input: ToolInput): ToolInput {
  const dry = fields.includes(dryRunByDefault) ? { dry_run: input["dry_run"] ?? true } : {};
  const files = operation.fields.flatMap(({ name, kind }) =>
    kind.kind === "file" && typeof input[name] === "string" ? [[name, fileOf(name, input[name])]] : [],
  );
  return { ...input, ...dry, ...Object.fromEntries(files) };
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
