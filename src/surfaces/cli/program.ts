import { Command, CommanderError, Option } from "commander";
import { MemoryError } from "../../base/errors.ts";
import type { Field } from "../../engine/operation.ts";
import {
  COMMON_OPTIONS,
  commonOf,
  isArgument,
  largeGroups,
  optionOf,
  ownOptionsOf,
  takeWords,
  type CommandSpec,
  type CommonOption,
  type Given,
  type Invocation,
} from "./command.ts";
import { groupOverviewOf, overviewOf } from "./overview.ts";
import { hidden, incomplete, usageError } from "./slips.ts";

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
    if (kind === undefined)
      throw usageError(withSuggestion(error, program, surroundings), words, surroundings.commands);
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
  for (const option of COMMON_OPTIONS) addCommon(program, option);
  for (const spec of commands) {
    const make = (parent: Command, word: string): Command =>
      childOf(parent, word, () => newCommand(word, session, columns));
    addSpec(spec.command.reduce(make, program), spec, { program, session });
  }
  return program;
}

function addCommon(command: Command, { long, short, placeholder, summary }: CommonOption): void {
  const flags = [...(short === undefined ? [] : [short]), long].join(", ");
  if (placeholder === undefined) command.addOption(new Option(flags, summary));
  else command.addOption(onlyOnce(new Option(`${flags} <${placeholder}>`, summary), long));
}

function newCommand(name: string, session: Session, columns: number): Command {
  return new Command(name)
    .exitOverride()
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(columns, 100), visibleGlobalOptions: optionsOfAll })
    .configureOutput({ writeOut: (text) => void (session.printed += text), writeErr: () => undefined });
}

/** Those of the program: the options of `audit` are no options of `audit undo`. */
function optionsOfAll(command: Command): Option[] {
  const { parent } = command;
  if (parent === null) return [];
  return parent.parent === null ? [...parent.options] : optionsOfAll(parent);
}

/** A group, or a command: `audit` is both. */
function childOf(parent: Command, word: string, make: () => Command): Command {
  const known = parent.commands.find((command) => command.name() === word);
  if (known !== undefined) return known;
  const child = make();
  parent.addCommand(child);
  return child;
}

interface Adding {
  readonly program: Command;
  readonly session: Session;
}

function addSpec(command: Command, spec: CommandSpec, { program, session }: Adding): void {
  command.summary(spec.summary).description(`${spec.summary}.\n\n${spec.description}`);
  for (const field of spec.fields) addField(command, field);
  for (const option of ownOptionsOf(spec)) addCommon(command, option);
  command.addHelpText("after", ["", "Examples:", ...spec.examples.map((example) => `  ${example}`)].join("\n"));
  command.action(() => {
    const own = ownOptionsOf(spec).map(({ key }) => key as string);
    if (command.parent !== program && command.parent !== null) refuseStrange(command, command.parent, own);
    const given = command.optsWithGlobals<Record<string, string | true>>();
    const common = Object.fromEntries(own.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])));
    session.invocation = {
      spec,
      given: givenOf(spec, command),
      common: commonOf(showItems({ ...program.opts(), ...common })),
    };
  });
}

/** commander takes an option of `audit` also behind `audit undo`: `audit undo --dry-run` must not be an undo that writes. */
function refuseStrange(command: Command, parent: Command, own: readonly string[]): void {
  const strange = parent.options.find((option) => {
    const name = option.attributeName();
    return parent.getOptionValue(name) !== undefined && !own.includes(name);
  });
  if (strange === undefined) return;
  const said = `${strange.long ?? ""} belongs to \`${pathOf(parent)}\`, and \`${pathOf(command)}\` does not take it`;
  throw new MemoryError("usage", `${said}; see \`${pathOf(command)} --help\`.`);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function addField(command: Command, field: Field): void {
  const placeholder = field.placeholder ?? "VALUE";
  const summary = field.kind.kind === "choice" ? `${field.summary}: ${field.kind.values.join(", ")}` : field.summary;
  if (isArgument(field)) {
    const word = field.words === "many" ? `${placeholder}...` : placeholder;
    command.argument(field.presence === "required" ? `<${word}>` : `[${word}]`, field.summary);
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
    const value = isArgument(field) ? takeWords(field, words) : options[plainOption(optionOf(field)).attributeName()];
    if (value !== undefined) given[field.name] = value;
  }
  return showItems(given);
}

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

/** A word too many behind a command that begins others is a slip in them: without that command, commander says which is near. */
function withSuggestion(error: CommanderError, program: Command, surroundings: Surroundings): CommanderError {
  const reached = lastKnown(program);
  if (error.code !== "commander.excessArguments" || reached.commands.length === 0) return error;
  const path = pathOf(reached).split(" ").slice(1);
  const others = surroundings.commands.filter(({ command }) => command.join(" ") !== path.join(" "));
  try {
    const {
      args: [word = ""],
    } = reached;
    programOf({ ...surroundings, commands: others }, { printed: "", invocation: undefined }).parse([...path, word], {
      from: "user",
    });
  } catch (other) {
    if (other instanceof CommanderError) return other;
    throw other;
  }
  return error;
}
