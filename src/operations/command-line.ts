import { MemoryError } from "../base/errors.ts";
import type { Field } from "../base/operation.ts";
import { fieldsOf, flag, object, text } from "../base/schema.ts";
import type { Operation } from "./operation.ts";

/** A command to show and parse: an operation, or a command that exists only on the command line. */
export type CommandSpec = Pick<
  Operation,
  "name" | "command" | "summary" | "description" | "exit" | "fields" | "examples"
>;

/** The options that every command takes. */
export interface CommonOptions {
  readonly dir?: string;
  /** Instead of `dir`: the user's own memory. */
  readonly personal?: true;
  readonly today?: string;
  readonly timeZone?: string;
  readonly output: "text" | "json";
  readonly chatter: "normal" | "quiet";
}

/** A valid command line. The values are as typed; `input.ts` checks them. */
export interface Invocation {
  readonly spec: CommandSpec;
  readonly given: Given;
  readonly common: CommonOptions;
}

/** By field name; `true` for a flag. */
export type Given = Readonly<Record<string, string | true>>;

export type Option = Field & { readonly short?: string };

export const COMMON_OPTIONS: readonly Option[] = fieldsOf(
  object({
    dir: text("DIR", "the project folder that contains memory/ (default: the nearest one, searching upward)"),
    personal: flag("use your personal memory, in ~/.local/share/heartwood"),
    today: text("DATE", "use DATE as today (also HEARTWOOD_TODAY)"),
    time_zone: text("ZONE", "the time zone for calendar days (also HEARTWOOD_TIME_ZONE, TZ)"),
    json: flag("print a single JSON document, even for errors"),
    quiet: flag("suppress notes, warnings and progress; commands that make changes print nothing on success"),
  }),
).map((field) => (field.name === "dir" ? { ...field, short: "-C" } : field));

/** Another name for `--dir` in the audit commands. */
const WORKSPACE = fieldsOf(object({ workspace: text("DIR", "the same as --dir") }));

export function ownOptionsOf({ command, fields }: CommandSpec): readonly Option[] {
  return [...fields.filter((field) => !isArgument(field)), ...(command[0] === "audit" ? WORKSPACE : [])];
}

/** Every option allowed after these words. */
export function optionsOf(path: readonly string[], specs: readonly CommandSpec[]): readonly Option[] {
  const spec = specOf(path, specs);
  return [...(spec ? ownOptionsOf(spec) : []), ...COMMON_OPTIONS];
}

/** Groups of two or more commands whose word is not a command itself: one line each in the overview, with a separate overview per group. */
export function largeGroups(specs: readonly CommandSpec[]): ReadonlyMap<string, readonly CommandSpec[]> {
  const groups = Map.groupBy(
    specs.filter(({ command }) => command.length > 1),
    ({ command: [word = ""] }) => word,
  );
  const alone = new Set(specs.filter(({ command }) => command.length === 1).map(({ command: [word = ""] }) => word));
  return new Map([...groups].filter(([word, members]) => members.length > 1 && !alone.has(word)));
}

export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  log: "Add an entry to the day's log; edit, remove or promote one",
  git: "Share the memory through git: set up merging, resolve what was left",
  summaries: "Better summaries from a model: pending jobs, answers, costs",
  pin: "Say what recall gives first or never",
  topic: "List topics, show one, rename them, or make one part of another",
  thread: "Conversations: append, summarize, compile into a bounded context",
  store: "Keep threads on a team's PostgreSQL server: status, schema, copies",
};

/** `how_to_apply` → `--how-to-apply`. */
export function optionOf(field: Field): string {
  return `--${(field.option ?? field.name).replaceAll("_", "-")}`;
}

export function isArgument(field: Field): boolean {
  return field.place === "argument";
}

/** What a command line asks for, or what is wrong with it. */
export type Line =
  | { readonly kind: "invocation"; readonly invocation: Invocation }
  /** Help for a command, a group, or everything. */
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
  /** The command or group that was found. */
  readonly path: readonly string[];
  /** The wrong word, or the name of the missing option or argument. */
  readonly word: string;
}

/** Parses a command line. Options may come before or after the words of the command; everything after `--` is a word. */
export function parseLine(argv: readonly string[], specs: readonly CommandSpec[]): Line {
  const { path, free, values, ends, slip: first } = readWords(asHelpOption(argv), specs);
  const slip = (name: Slip["slip"], word: string): Slip => ({ kind: "slip", slip: name, path, word });
  const children = childrenOf(path, specs);
  const [word] = free;
  if (ends === "version") return { kind: "version" };
  if (ends === "help" && (word === undefined || children.length === 0)) return { kind: "help", path };
  const spec = specOf(path, specs);
  if (spec === undefined) return word === undefined ? (first ?? slip("no_command", "")) : slip("unknown_command", word);
  const allowed = new Set(optionsOf(path, specs).map(optionOf));
  const ofParent = [...values.keys()].find((name) => !allowed.has(name));
  if (ofParent !== undefined) return slip("option_of_parent", ofParent);
  const unset = spec.fields.find(
    (field) => field.presence === "required" && !isArgument(field) && !values.has(optionOf(field)),
  );
  // A mistyped option may be the missing one.
  if (unset !== undefined && (first === undefined || first.slip === "unknown_option"))
    return slip("option_missing", optionOf(unset));
  if (first !== undefined) return first;
  const words = [...free];
  const given: Record<string, string | true> = {};
  for (const field of spec.fields) {
    const value = isArgument(field) ? takeWords(field, words) : values.get(optionOf(field));
    if (value !== undefined) given[field.name] = value;
    else if (field.presence === "required") return slip("argument_missing", field.placeholder ?? field.name);
  }
  const [more] = words;
  if (more !== undefined) return slip(children.length > 0 ? "unknown_command" : "too_many_words", more);
  return { kind: "invocation", invocation: { spec, given, common: commonOf(spec, values) } };
}

/** `help log add` means `log add --help`; an empty command line means help. */
function asHelpOption(argv: readonly string[]): readonly string[] {
  const said = argv.filter((word) => word !== "--json" && word !== "--quiet");
  if (said.every((word) => word === "help" || helpNames.has(word))) return ["--help"];
  return said[0] === "help" ? [...said.slice(1), "--help"] : argv;
}

const helpNames: ReadonlySet<string> = new Set(["--help", "-h"]);
const versionNames: ReadonlySet<string> = new Set(["--version", "-V"]);

/** `slip` is the first mistake; a request for help ignores it. */
function readWords(argv: readonly string[], specs: readonly CommandSpec[]) {
  /** By the long name of the option. */
  const values = new Map<string, string | true>();
  const free: string[] = [];
  let path: readonly string[] = [];
  let ends: "help" | "version" | "command" = "command";
  let slip: Pick<Slip, "slip" | "word"> | undefined;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "--") {
      for (const rest of argv.slice(index + 1)) free.push(rest);
      break;
    }
    if (!looksLikeOption(word)) {
      const longer = [...path, word];
      if (free.length === 0 && specs.some(({ command }) => startsWith(command, longer))) path = longer;
      else free.push(word);
      continue;
    }
    if (helpNames.has(word) || versionNames.has(word)) {
      ends = helpNames.has(word) ? "help" : "version";
      continue;
    }
    const { option, value } = optionIn(word, optionsOf(path, specs));
    if (option === undefined || (option.kind.kind === "flag" && value !== undefined)) {
      const parent = optionIn(word, optionsOf(path.slice(0, -1), specs)).option;
      slip ??=
        parent === undefined || COMMON_OPTIONS.includes(parent)
          ? { slip: "unknown_option", word }
          : { slip: "option_of_parent", word: optionOf(parent) };
      continue;
    }
    const name = optionOf(option);
    if (option.kind.kind === "flag") {
      values.set(name, true);
      continue;
    }
    const next = value ?? argv[++index];
    const isForgotten = value === undefined && !COMMON_OPTIONS.includes(option) && isOfEveryCommand(next ?? "");
    if (values.has(name)) slip ??= { slip: "option_repeated", word: name };
    if (next === undefined || isForgotten) slip ??= { slip: "value_missing", word: name };
    else values.set(name, next);
    if (isForgotten) index--;
  }
  return { path, free, values, ends, slip: slip && ({ kind: "slip", path, ...slip } as const) };
}

function isOfEveryCommand(word: string): boolean {
  return optionIn(word, COMMON_OPTIONS).option !== undefined || helpNames.has(word) || versionNames.has(word);
}

/** A list item (`- text`) is text, and `-` is standard input. */
function looksLikeOption(word: string): boolean {
  return word.startsWith("-") && word !== "-" && !word.startsWith("- ");
}

/** The option that a word names, and the value after its `=` or its letter. */
function optionIn(word: string, options: readonly Option[]): { readonly option?: Option; readonly value?: string } {
  const short = options.find((option) => option.short === word.slice(0, 2));
  if (short !== undefined) return { option: short, ...(word.length > 2 ? { value: word.slice(2) } : {}) };
  const [name, ...value] = word.split("=");
  const option = options.find((one) => optionOf(one) === name);
  if (option === undefined) return {};
  return { option, ...(value.length === 0 ? {} : { value: value.join("=") }) };
}

/** The next word for an argument, or all remaining words joined by commas. */
function takeWords(field: Field, words: string[]): string | undefined {
  if (field.words !== "many") return words.shift();
  const all = words.splice(0);
  return all.length === 0 ? undefined : all.join(",");
}

/** Errors: `usage` when `--dir` and `--workspace` differ. */
function commonOf(spec: CommandSpec, values: ReadonlyMap<string, string | true>): CommonOptions {
  const textOf = (name: string): string | undefined => values.get(name) as string | undefined;
  const workspace = spec.command[0] === "audit" ? textOf("--workspace") : undefined;
  const [dir = workspace, today, timeZone] = [textOf("--dir"), textOf("--today"), textOf("--time-zone")];
  if (workspace !== undefined && workspace !== dir) {
    const seen = `--dir is ${JSON.stringify(dir)} and --workspace is ${JSON.stringify(workspace)}`;
    throw new MemoryError("usage", `${seen}; both name the project folder, so pass only one of them.`);
  }
  const isPersonal = values.has("--personal");
  if (isPersonal && dir !== undefined) {
    const seen = `--dir is ${JSON.stringify(dir)} and --personal is given`;
    throw new MemoryError("usage", `${seen}; both name the project folder, so pass only one of them.`);
  }
  return {
    ...(dir !== undefined && { dir }),
    ...(isPersonal && { personal: true }),
    ...(today !== undefined && { today }),
    ...(timeZone !== undefined && { timeZone }),
    output: values.has("--json") ? "json" : "text",
    chatter: values.has("--quiet") ? "quiet" : "normal",
  };
}

export function specOf(path: readonly string[], specs: readonly CommandSpec[]): CommandSpec | undefined {
  return specs.find(({ command }) => command.length === path.length && startsWith(command, path));
}

/** The longer commands that begin with these words. */
export function childrenOf(path: readonly string[], specs: readonly CommandSpec[]): readonly CommandSpec[] {
  return specs.filter(({ command }) => command.length > path.length && startsWith(command, path));
}

function startsWith(command: readonly string[], path: readonly string[]): boolean {
  return path.every((word, index) => command[index] === word);
}
