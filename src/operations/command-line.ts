import { MemoryError } from "../base/errors.ts";
import type { Field } from "../base/operation.ts";
import type { Operation } from "./operation.ts";

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
function commonOf(raw: Readonly<Record<string, string | true | undefined>>): CommonOptions {
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
function takeWords(field: Field, words: string[]): string | undefined {
  if (field.words !== "many") return words.shift();
  const all = words.splice(0);
  return all.length === 0 ? undefined : all.join(",");
}

/** What a command line asks for, by the words of a command, a group or nothing; or what is wrong with it. */
export type Line =
  | { readonly kind: "invocation"; readonly invocation: Invocation }
  | { readonly kind: "help"; readonly path: readonly string[] }
  | { readonly kind: "version" }
  | Slip;

export interface Slip {
  readonly kind: "slip";
  readonly slip:
    | "no_command"
    | "unknown_command"
    | "unknown_option"
    | "option_of_parent"
    | "option_repeated"
    | "value_missing"
    | "argument_missing"
    | "option_missing"
    | "too_many_words";
  /** The command, or the group of commands, that was reached. */
  readonly path: readonly string[];
  /** The word that is wrong, or the name of what is missing. */
  readonly word: string;
  /** Free words behind the command. */
  readonly words: number;
}

/** Parses a command line by the table. An option may stand before or behind the words of the command, and everything behind `--` is a word. */
export function parseLine(argv: readonly string[], specs: readonly CommandSpec[]): Line {
  const read = readWords(asHelpOption(argv), specs);
  const { path, free, collected } = read;
  const slip = ([name, word]: Named): Slip => ({ kind: "slip", slip: name, path, word, words: free.length });
  const children = childrenOf(path, specs);
  const [word] = free;
  if (read.ends === "version") return { kind: "version" };
  if (read.ends === "help" && (word === undefined || children.length === 0)) return { kind: "help", path };
  const spec = specOf(path, specs);
  if (spec === undefined) {
    if (word !== undefined) return slip(["unknown_command", word]);
    return read.slip === undefined ? slip(["no_command", ""]) : slip(read.slip);
  }
  const strange = [...collected.keys()].find((key) => !optionsOf(path, specs).has(key));
  if (strange !== undefined) return slip(["option_of_parent", strange]);
  const required = spec.fields.filter(({ presence }) => presence === "required");
  const unset = required.find((field) => !isArgument(field) && !collected.has(optionOf(field)));
  if (read.slip?.[0] === "option_of_parent" || read.slip?.[0] === "option_repeated") return slip(read.slip);
  if (unset !== undefined && read.slip?.[0] !== "value_missing") return slip(["option_missing", optionOf(unset)]);
  if (read.slip !== undefined) return slip(read.slip);
  const words = [...free];
  const given: Record<string, string | true> = {};
  for (const field of spec.fields) {
    const value = isArgument(field) ? takeWords(field, words) : collected.get(optionOf(field));
    if (value !== undefined) given[field.name] = value;
    else if (field.presence === "required") return slip(["argument_missing", field.placeholder ?? field.name]);
  }
  if (words.length > 0)
    return children.length > 0 ? slip(["unknown_command", words[0] ?? ""]) : slip(["too_many_words", ""]);
  return { kind: "invocation", invocation: invocationOf(spec, given, collected) };
}

/** `help log add` means `log add --help`, and no word at all means help. */
function asHelpOption(argv: readonly string[]): readonly string[] {
  const said = argv.filter((word) => word !== "--json" && word !== "--quiet");
  if (said.every((word) => word === "help" || helpNames.has(word))) return ["--help"];
  return said[0] === "help" ? [...said.slice(1), "--help"] : argv;
}

const helpNames: ReadonlySet<string> = new Set(["--help", "-h"]);
const versionNames: ReadonlySet<string> = new Set(["--version", "-V"]);

/** A slip, and the word that is wrong. */
type Named = readonly [Slip["slip"], string];

interface KnownOption {
  /** The long name, by which it is collected. */
  readonly name: string;
  readonly takes: "value" | "nothing";
}

interface Words {
  readonly path: readonly string[];
  readonly free: readonly string[];
  readonly collected: ReadonlyMap<string, string | true>;
  readonly ends: "help" | "version" | "command";
  /** The first slip, which a wish for help makes good. */
  readonly slip: Named | undefined;
}

function readWords(argv: readonly string[], specs: readonly CommandSpec[]): Words {
  const collected = new Map<string, string | true>();
  let free: readonly string[] = [];
  let path: readonly string[] = [];
  let ends: Words["ends"] = "command";
  let slip: Words["slip"];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "--") {
      free = [...free, ...argv.slice(index + 1)];
      break;
    }
    if (!looksLikeOption(word)) {
      const longer = [...path, word];
      if (free.length === 0 && specs.some(({ command }) => startsWith(command, longer))) path = longer;
      else free = [...free, word];
      continue;
    }
    if (helpNames.has(word) || versionNames.has(word)) {
      ends = helpNames.has(word) ? "help" : "version";
      continue;
    }
    const { option, value } = optionIn(word, optionsOf(path, specs));
    if (option === undefined || (option.takes === "nothing" && value !== undefined)) {
      const ofParent = optionIn(word, optionsOf(path.slice(0, -1), specs)).option?.name;
      const isOfParent = ofParent !== undefined && !COMMON.has(ofParent);
      slip ??= isOfParent ? ["option_of_parent", ofParent] : ["unknown_option", word];
      continue;
    }
    if (option.takes === "nothing") {
      collected.set(option.name, true);
      continue;
    }
    const next = value ?? argv[++index];
    const isForgotten = value === undefined && !COMMON.has(option.name) && isOfEveryCommand(next ?? "");
    if (collected.has(option.name)) slip ??= ["option_repeated", option.name];
    if (next === undefined || isForgotten) slip ??= ["value_missing", option.name];
    else collected.set(option.name, next);
    if (isForgotten) index--;
  }
  return { path, free, collected, ends, slip };
}

function isOfEveryCommand(word: string): boolean {
  return optionIn(word, COMMON).option !== undefined || helpNames.has(word) || versionNames.has(word);
}

/** A list item (`- text`) is a text, and `-` standard input. */
function looksLikeOption(word: string): boolean {
  return word.startsWith("-") && word !== "-" && !word.startsWith("- ");
}

/** The option that a word names, and the value behind its `=`, or behind its letter. */
function optionIn(
  word: string,
  options: ReadonlyMap<string, KnownOption>,
): { readonly option: KnownOption | undefined; readonly value?: string } {
  const whole = options.get(word);
  if (whole !== undefined) return { option: whole };
  if (!word.startsWith("--")) {
    const short = options.get(word.slice(0, 2));
    return short?.takes === "value" ? { option: short, value: word.slice(2) } : { option: undefined };
  }
  const equals = word.indexOf("=");
  return equals < 0
    ? { option: undefined }
    : { option: options.get(word.slice(0, equals)), value: word.slice(equals + 1) };
}

const COMMON: ReadonlyMap<string, KnownOption> = new Map(COMMON_OPTIONS.flatMap(namesOf));

function namesOf({ long, short, placeholder }: CommonOption): readonly (readonly [string, KnownOption])[] {
  const option: KnownOption = { name: long, takes: placeholder === undefined ? "nothing" : "value" };
  return [long, ...(short === undefined ? [] : [short])].map((name) => [name, option] as const);
}

/** By name, those that may stand behind these words. */
function optionsOf(path: readonly string[], specs: readonly CommandSpec[]): ReadonlyMap<string, KnownOption> {
  const spec = specOf(path, specs);
  if (spec === undefined) return COMMON;
  const options = new Map([...COMMON, ...ownOptionsOf(spec).flatMap(namesOf)]);
  for (const field of spec.fields) {
    if (isArgument(field)) continue;
    const name = optionOf(field);
    options.set(name, { name, takes: field.kind.kind === "flag" ? "nothing" : "value" });
  }
  return options;
}

export function specOf(path: readonly string[], specs: readonly CommandSpec[]): CommandSpec | undefined {
  return specs.find(({ command }) => command.length === path.length && startsWith(command, path));
}

/** The commands that go on behind these words. */
export function childrenOf(path: readonly string[], specs: readonly CommandSpec[]): readonly CommandSpec[] {
  return specs.filter(({ command }) => command.length > path.length && startsWith(command, path));
}

function startsWith(command: readonly string[], path: readonly string[]): boolean {
  return path.every((word, index) => command[index] === word);
}

function invocationOf(spec: CommandSpec, given: Given, collected: ReadonlyMap<string, string | true>): Invocation {
  const own = new Set(spec.fields.map(optionOf));
  const options = [...COMMON_OPTIONS, ...ownOptionsOf(spec)].filter(({ long }) => !own.has(long));
  const common = Object.fromEntries(options.map(({ key, long }) => [key, collected.get(long)]));
  return { spec, given, common: commonOf(common) };
}
