import { Command, CommanderError, Option } from "commander";
import { MemoryError } from "../../base/errors.ts";
import type { Field } from "../../engine/operation.ts";
import {
  COMMON_OPTIONS,
  commonOf,
  isArgument,
  largeGroups,
  optionOf,
  type CommandSpec,
  type Given,
  type Invocation,
} from "./command.ts";
import { groupOverviewOf, overviewOf } from "./overview.ts";

export interface Surroundings {
  readonly commands: readonly CommandSpec[];
  readonly version: string;
  /** Width for help. */
  readonly columns: number;
}

/** What a command line asks for: a command, or a text to print under this name in JSON. */
export type Parsed =
  | { readonly kind: "invocation"; readonly invocation: Invocation }
  | { readonly kind: "help" | "version"; readonly text: string };

/** Parses any command line; what cannot be understood is a `usage` error with a suggestion where one is near. */
export function parseFully(argv: readonly string[], surroundings: Surroundings): Parsed {
  const words = asHelpOption(argv);
  const overview = (): Parsed => ({
    kind: "help",
    text: overviewOf(surroundings.commands, surroundings.version),
  });
  if (isOverview(words)) return overview();
  const session: Session = { printed: "", invocation: undefined };
  const program = programOf(surroundings, session);
  try {
    program.parse(words.map(hideItem), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const kind = answerKind(error);
    if (kind === undefined) throw usageError(error, words, surroundings.commands);
    const helped = lastKnown(program);
    // commander shows the help of what it knows, whatever word comes next: without the wish for help that word is refused.
    if (kind === "help" && isUnknownNext(helped)) return parseFully(withoutHelp(words), surroundings);
    if (kind === "help" && helped === program) return overview();
    const members = helped.parent === program ? largeGroups(surroundings.commands).get(helped.name()) : undefined;
    if (kind === "help" && members !== undefined) return { kind, text: groupOverviewOf(helped.name(), members) };
    return { kind, text: session.printed.trimEnd() };
  }
  if (session.invocation === undefined)
    throw new MemoryError("usage", `${incomplete(words, surroundings.commands)} See \`heartwood help\`.`);
  return { kind: "invocation", invocation: session.invocation };
}

/** `help log add` means `log add --help`. */
function asHelpOption(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv.filter((word) => word !== "--json" && word !== "--quiet");
  return first === "help" && rest.length > 0 ? [...rest, "--help"] : argv;
}

function isOverview(words: readonly string[]): boolean {
  const said = words.filter((word) => word !== "--json" && word !== "--quiet");
  return said.every((word) => word === "help" || helpFlags.has(word));
}

const helpFlags: ReadonlySet<string> = new Set(["--help", "-h"]);

function withoutHelp(words: readonly string[]): readonly string[] {
  return words.filter((word) => !helpFlags.has(word));
}

/** The command, or the group of commands, that was reached. */
function lastKnown(command: Command): Command {
  const next = command.commands.find((candidate) => candidate.name() === command.args[0]);
  return next === undefined ? command : lastKnown(next);
}

function isUnknownNext({ commands, args: [word] }: Command): boolean {
  return commands.length > 0 && word !== undefined && !word.startsWith("-");
}

interface Session {
  printed: string;
  invocation: Invocation | undefined;
}

function programOf({ commands, version, columns }: Surroundings, session: Session): Command {
  const program = newCommand("heartwood", session, columns).version(version).helpCommand(false);
  for (const { long, short, placeholder, summary } of COMMON_OPTIONS) {
    const flags = [...(short === undefined ? [] : [short]), long].join(", ");
    if (placeholder === undefined) program.addOption(new Option(flags, summary));
    else program.addOption(onlyOnce(new Option(`${flags} <${placeholder}>`, summary), long));
  }
  for (const spec of commands) {
    let parent = program;
    for (const word of spec.command.slice(0, -1))
      parent = groupOf(parent, word, () => newCommand(word, session, columns));
    parent.addCommand(commandOf(spec, newCommand(spec.command.at(-1) ?? "", session, columns), program, session));
  }
  return program;
}

function newCommand(name: string, session: Session, columns: number): Command {
  return new Command(name)
    .exitOverride()
    .helpOption("-h, --help", "show this help")
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(columns, 100) })
    .configureOutput({ writeOut: (text) => void (session.printed += text), writeErr: () => undefined });
}

function groupOf(parent: Command, word: string, make: () => Command): Command {
  const known = parent.commands.find((command) => command.name() === word);
  if (known !== undefined) return known;
  const group = make().helpCommand(false);
  parent.addCommand(group);
  return group;
}

function commandOf(spec: CommandSpec, command: Command, program: Command, session: Session): Command {
  command.summary(spec.summary).description(`${spec.summary}.\n\n${spec.description}`);
  for (const field of spec.fields) addField(command, field);
  command.addHelpText("after", ["", "Examples:", ...spec.examples.map((example) => `  ${example}`)].join("\n"));
  return command.action(() => {
    const common = commonOf(showItems(program.opts<Record<string, string | true>>()));
    session.invocation = { spec, given: givenOf(spec, command), common };
  });
}

function addField(command: Command, field: Field): void {
  const placeholder = field.placeholder ?? "VALUE";
  const summary = field.kind.kind === "choice" ? `${field.summary}: ${field.kind.values.join(", ")}` : field.summary;
  if (isArgument(field)) {
    command.argument(field.presence === "required" ? `<${placeholder}>` : `[${placeholder}]`, field.summary);
    return;
  }
  const flags = field.kind.kind === "flag" ? optionOf(field) : `${optionOf(field)} <${placeholder}>`;
  const option = plainOption(flags, summary).makeOptionMandatory(field.presence === "required");
  command.addOption(field.kind.kind === "flag" ? option : onlyOnce(option, optionOf(field)));
}

/** commander would take `--no-execute` for the opposite of an `--execute`, which then is given by default. */
function plainOption(flags: string, summary?: string): Option {
  const option = new Option(flags, summary);
  option.negate = false;
  return option;
}

/** commander would take the last value in silence. */
function onlyOnce(option: Option, name: string): Option {
  return option.argParser((value: string, before: string | undefined) => {
    if (before === undefined) return value;
    throw new MemoryError("usage", `${name} is given more than once, and it takes one value: leave one of them out.`);
  });
}

function givenOf(spec: CommandSpec, command: Command): Given {
  const words = [...command.args];
  const options = command.opts<Record<string, string | true | undefined>>();
  const given: Record<string, string | true> = {};
  for (const field of spec.fields) {
    const value = isArgument(field) ? words.shift() : options[plainOption(optionOf(field)).attributeName()];
    if (value !== undefined) given[field.name] = value;
  }
  return showItems(given);
}

/** A list item (`- text`) is a text, which commander would take for an option. No argument of a process holds a NUL. */
const hidden = "\0";

function hideItem(word: string): string {
  return word.startsWith("- ") ? hidden + word : word;
}

function showItems(given: Readonly<Record<string, string | true>>): Record<string, string | true> {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value === true ? value : value.replace(hidden, "")]),
  );
}

function answerKind(error: CommanderError): "help" | "version" | undefined {
  if (error.code === "commander.version") return "version";
  return error.code === "commander.helpDisplayed" ? "help" : undefined;
}

/** commander says `error: unknown option '--dyr'\n(Did you mean --dir?)`; ours is one sentence, and what to do. */
function usageError(error: CommanderError, words: readonly string[], commands: readonly CommandSpec[]): MemoryError {
  const help = `see \`${["heartwood", ...commandWords(words, commands), "--help"].join(" ")}\`.`;
  const [said = "", hint = ""] = error.message
    .replace(/^error: /, "")
    .replace(hidden, "")
    .split("\n");
  if (error.code === "commander.help") return new MemoryError("usage", `${incomplete(words, commands)}; ${help}`);
  const told = error.code === "commander.unknownOption" ? unknownOption(said) : said;
  const sentence = `${told.charAt(0).toUpperCase()}${told.slice(1)}`
    .replace(/\.$/, "")
    .replace(". Expected", "; expected");
  const suggestion = hint === "" ? "" : ` (${hint.replace(/^\((.*)\)$/, "$1").replace(/^Did/, "did")})`;
  const isUnknown = hint === "" && error.code === "commander.unknownCommand";
  const members = largeGroups(commands).get(plainWords(words)[0] ?? "");
  const names = members?.map(({ command }) => command.join(" ")).join(", ") ?? namesOf(commands);
  const way = isUnknown ? `; the commands are ${names}` : "";
  return new MemoryError("usage", `${sentence}${suggestion}${way}; ${help}`);
}

/** What cannot be the name of an option may be a secret that went to the wrong place. Attached to dashes or a word it would not be known as one. */
function unknownOption(said: string): string {
  const word = /'([^]*)'/.exec(said)?.[1] ?? "";
  const [name = "", ...value] = word.split("=");
  if (!/^--?[A-Za-z][A-Za-z_-]{0,31}$/.test(name)) return "unknown option, which is not repeated here";
  return `unknown option '${name}${value.length === 0 ? "" : "=…"}'`;
}

function incomplete(words: readonly string[], commands: readonly CommandSpec[]): string {
  const said = plainWords(words).join(" ");
  if (said === "") return `No command is given; the commands are ${namesOf(commands)}`;
  const longer = commands.filter(({ command }) => command.join(" ").startsWith(`${said} `));
  const names = longer.length > 0 ? longer.map(({ command }) => command.join(" ")).join(", ") : namesOf(commands);
  return `${JSON.stringify(said)} is not a whole command; the commands are ${names}`;
}

/** The words that are neither common options nor their values. */
function plainWords(words: readonly string[]): readonly string[] {
  const taking = COMMON_OPTIONS.filter(({ placeholder }) => placeholder !== undefined);
  const names = new Set(taking.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])]));
  return words.filter((word, index) => !word.startsWith("-") && !names.has(words[index - 1] ?? ""));
}

/** A large group by its first word alone. */
function namesOf(commands: readonly CommandSpec[]): string {
  const groups = largeGroups(commands);
  const names = commands.map(({ command }) => (groups.has(command[0] ?? "") ? `${command[0]} …` : command.join(" ")));
  return [...new Set(names)].join(", ");
}

/** The words of the command that was meant, or of its group, or none. */
function commandWords(words: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  const said = plainWords(words);
  const meant = commands.find(({ command }) => command.every((word, index) => said[index] === word));
  if (meant !== undefined) return meant.command;
  return largeGroups(commands).has(said[0] ?? "") ? said.slice(0, 1) : [];
}
