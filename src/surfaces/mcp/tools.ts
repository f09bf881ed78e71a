import { behind, object, optional, shapeOf, text, type Schema } from "../../base/schema.ts";
import { optionOf } from "../../operations/command-line.ts";
import { isStream, textFile, type Operation } from "../../operations/operation.ts";
import { operations } from "../../operations/table.ts";
import type { ToolGroup } from "./arguments.ts";
import { dryRunByDefault, type Tool, type ToolAnswer, type ToolInput } from "./tool.ts";
import { memoryTools } from "./tools-memory.ts";
import { visible } from "../../text/visible.ts";

/** Operations that no tool exposes, and why. */
export const notRendered: Readonly<Record<string, string>> = {
  "memory.init": "a server works in an existing memory; a person creates one",
  "thread.import": "takes a file of frames, which should not pass through a model",
  "capture.run": "hooks call it with the transcript that their client names; a model plays no part in it",
  "capture.import": "reads files of the user's clients that may contain anything; a person starts it",
  "sessions.list": "shows what hooks gave to sessions, which the model in a session has already seen",
  "sessions.replay": "repeats what hooks gave to a session, which would put it into the context again",
  "summaries.run": "sends texts to the model in the user's settings; a person or a timer starts it",
};

/** Maximum number of lines of a stream in one answer. */
const mostLines = 200;

/** Operations that hand-written tools expose, with the names of these tools. */
const handMade = new Map(memoryTools.flatMap(({ name, renders }) => renders.map((one) => [one, name] as const)));

const derived = (operations as readonly Operation[]).filter(
  ({ name }) => !handMade.has(name) && notRendered[name] === undefined,
);
const threadTools = derived.filter(isOfThreads).map(toolOf);
const otherTools = derived.filter((operation) => !isOfThreads(operation)).map(toolOf);

function isOfThreads({ command }: Operation): boolean {
  return command[0] === "thread";
}

/** The operation's name in snake_case; for thread operations, the command's. */
function toolName(operation: Operation): string {
  const { name, command } = operation;
  return handMade.get(name) ?? (isOfThreads(operation) ? command.join("_") : name).replaceAll(/[.-]/gu, "_");
}

/** Rewords a command-line text for tools: fields instead of options, tools instead of commands. */
function forTools(said: string, { fields }: Operation): string {
  return said
    .replaceAll(/`heartwood ([a-z -]+)`/gu, (whole, words: string) => {
      const named = (operations as readonly Operation[]).find(({ command }) => command.join(" ") === words);
      return named === undefined ? whole : toolName(named);
    })
    .replaceAll(/--[a-z-]+/gu, (option) => {
      const field = fields.find((one) => optionOf(one) === option);
      if (field === undefined) return option;
      return field.kind.kind === "flag" ? `\`${field.name}: true\`` : field.name;
    })
    .replace(/^Print(s?) /u, "Return$1 ")
    .replaceAll(" prints ", " returns ");
}

function toolOf(operation: Operation): Tool {
  const { name, effect } = operation;
  const audit = name === "tree.compact" ? " The audit of MEMORY.md is memory_compact." : "";
  return {
    name: toolName(operation),
    title: forTools(operation.summary, operation),
    description: `${forTools(operation.description, operation)}${audit}`,
    renders: [name],
    input: inputOf(operation),
    output: { type: "object" },
    effect,
    run: async (memory, input, call) => answerOf(await operation.run(memory, givenTo(operation, input), call)),
  };
}

/** Omits output files, which do not fit in an answer, and `follow`, which never ends. Input files become text fields. */
function inputOf(operation: Operation): Schema<ToolInput> {
  const shape = shapeOf(operation.input);
  const fields = operation.fields.filter(({ kind, name }) => kind.kind !== "output" && name !== "follow");
  return object(
    Object.fromEntries(
      fields.map(({ name, kind, presence, summary, meaning = summary }) => {
        if (isDryByDefault(operation, name)) return [name, dryRunByDefault];
        const said = forTools(meaning, operation);
        if (kind.kind !== "file") return [name, withMeaning(shape[name] as Schema<unknown>, said)];
        return [name, presence === "required" ? text("TEXT", said) : optional(text("TEXT", said))];
      }),
    ),
  );
}

function withMeaning(schema: Schema<unknown>, meaning: string): Schema<unknown> {
  const made = behind(schema);
  return { ...made, said: { ...made.said, meaning } } as Schema<unknown>;
}

/** Only thread operations write by default, since threads are append-only. */
function isDryByDefault(operation: Operation, name: string): boolean {
  return name === "dry_run" && !isOfThreads(operation);
}

function givenTo(operation: Operation, input: ToolInput): ToolInput {
  const given = { ...input };
  for (const { name, kind } of operation.fields) {
    if (isDryByDefault(operation, name)) given[name] ??= true;
    if (kind.kind === "file" && typeof given[name] === "string") given[name] = textFile(name, given[name]);
  }
  return given;
}

async function answerOf(result: unknown): Promise<ToolAnswer> {
  if (!isStream(result)) return { structured: { ...(result as object) } };
  const lines: string[] = [];
  let more = false;
  for await (const line of result) {
    more = lines.length === mostLines;
    if (more) break;
    // Each line is a JSON document; its values must not change.
    lines.push(visible(line, "json"));
  }
  return { structured: { lines, more }, text: lines.join("\n") };
}

/** The tools of these groups in a stable order. The `memory` tools are always included. */
export function toolsOf(groups: readonly ToolGroup[]): readonly Tool[] {
  const isAll = groups.includes("all");
  return [...memoryTools, ...(isAll || groups.includes("threads") ? threadTools : []), ...(isAll ? otherTools : [])];
}
