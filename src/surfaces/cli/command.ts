import { MemoryError } from "../../base/errors.ts";
import type { Field } from "../../base/operation.ts";
import type { Operation } from "../../operations/operation.ts";

/** What the command line shows and parses: an operation of the table, or a command that only a terminal has. */
export type CommandSpec = Pick<Operation, "name" | "command" | "summary" | "description" | "fields" | "examples">;

/** The options that every command takes. */
export interface CommonOptions {
  readonly dir?: string;
  readonly today?: string;
  readonly timeZone?: string;
  readonly output: "text" | "json";
  readonly chatter: "normal" | "quiet";
}

/** A command line that was understood. The values are as typed; `input.ts` checks them. */
export interface Invocation {
  readonly spec: CommandSpec;
  readonly given: Given;
  readonly common: CommonOptions;
}

/** By field name; `true` for a flag. */
export type Given = Readonly<Record<string, string | true>>;

/** A common option as help, completion and the parser see it. */
export interface CommonOption {
  readonly key: "dir" | "workspace" | "today" | "timeZone" | "json" | "quiet";
  readonly long: string;
  readonly short?: string;
  readonly placeholder?: string;
  readonly summary: string;
}

export const COMMON_OPTIONS: readonly CommonOption[] = [
  {
    key: "dir",
    long: "--dir",
    short: "-C",
    placeholder: "DIR",
    summary: "the project folder that holds memory/ (default: the nearest one upwards)",
  },
  { key: "today", long: "--today", placeholder: "DATE", summary: "take DATE for today (also HEARTWOOD_TODAY)" },
  {
    key: "timeZone",
    long: "--time-zone",
    placeholder: "ZONE",
    summary: "the zone of the calendar day (also HEARTWOOD_TIME_ZONE, TZ)",
  },
  { key: "json", long: "--json", summary: "print one JSON document, also for an error" },
  {
    key: "quiet",
    long: "--quiet",
    summary: "no notes, warnings or progress; writing commands print nothing when all is well",
  },
];

/** What `--dir` is also called behind the commands of these first words. */
const WORKSPACE: CommonOption = {
  key: "workspace",
  long: "--workspace",
  placeholder: "DIR",
  summary: "the same as --dir",
};
const SAY_WORKSPACE: ReadonlySet<string> = new Set(["audit"]);

/** Options beside the fields that only some commands take. They stand behind the command. */
export function ownOptionsOf({ command: [word = ""] }: Pick<CommandSpec, "command">): readonly CommonOption[] {
  return SAY_WORKSPACE.has(word) ? [WORKSPACE] : [];
}

/** Groups with more commands than this are one line in an overview. */
const SHOWN_OF_GROUP = 3;

/** First words whose commands are many, with their commands: they have an overview of their own. */
export function largeGroups(specs: readonly CommandSpec[]): ReadonlyMap<string, readonly CommandSpec[]> {
  const groups = new Map<string, CommandSpec[]>();
  for (const spec of specs) {
    const [word = "", second] = spec.command;
    if (second !== undefined) groups.set(word, [...(groups.get(word) ?? []), spec]);
  }
  return new Map([...groups].filter(([, members]) => members.length > SHOWN_OF_GROUP));
}

/** What a group is, in the list of all commands. */
export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  summaries: "Better summaries from a model: what is wanted, answers, costs",
  thread: "Conversations: append, summarise, compile into a bounded context",
};

/** `how_to_apply` → `--how-to-apply`. */
export function optionOf(field: Field): string {
  return `--${(field.option ?? field.name).replaceAll("_", "-")}`;
}

/** Whether the command line takes the field as a word of its own instead of an option. */
export function isArgument(field: Field): boolean {
  return field.place === "argument";
}

/** The common options out of what a parser collected under their keys. Errors: `usage` when `--dir` and `--workspace` differ. */
export function commonOf(raw: Readonly<Record<string, string | true | undefined>>): CommonOptions {
  const text = (key: string): string | undefined => {
    const value = raw[key];
    return value === true ? undefined : value;
  };
  const [workspace, today, timeZone] = [text("workspace"), text("today"), text("timeZone")];
  const dir = text("dir") ?? workspace;
  if (workspace !== undefined && workspace !== dir) {
    const seen = `--dir is ${JSON.stringify(dir)} and --workspace is ${JSON.stringify(workspace)}`;
    throw new MemoryError("usage", `${seen}; both name the project folder: leave one of them out.`);
  }
  return {
    ...(dir === undefined ? {} : { dir }),
    ...(today === undefined ? {} : { today }),
    ...(timeZone === undefined ? {} : { timeZone }),
    output: raw["json"] === true ? "json" : "text",
    chatter: raw["quiet"] === true ? "quiet" : "normal",
  };
}

/** The word that an argument takes of those that are left, or all of them with commas between. */
export function takeWords(field: Field, words: string[]): string | undefined {
  if (field.words !== "many") return words.shift();
  const all = words.splice(0);
  return all.length === 0 ? undefined : all.join(",");
}
