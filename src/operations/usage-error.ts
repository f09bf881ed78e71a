import { MemoryError } from "../base/errors.ts";
import {
  COMMON_OPTIONS,
  isArgument,
  largeGroups,
  optionOf,
  ownOptionsOf,
  childrenOf,
  specOf,
  type CommandSpec,
  type Slip,
} from "./command-line.ts";
import { didYouMean } from "../text/shown.ts";

/** A slip in a command line as one sentence, and what to do. */
export function usageError(slip: Slip, commands: readonly CommandSpec[]): MemoryError {
  return new MemoryError(
    "usage",
    `${sentenceOf(slip, commands)}; see \`${named(helpedBy(slip.path, commands))} --help\`.`,
  );
}

function sentenceOf({ slip, path, word, words }: Slip, commands: readonly CommandSpec[]): string {
  const spec = specOf(path, commands);
  const said = spec?.fields.find((field) => isArgument(field) && TEXTS.has(field.placeholder ?? ""))?.placeholder;
  switch (slip) {
    case "no_command":
      return incomplete(path, commands);
    case "unknown_command":
      return `Unknown command '${word}'${nearCommands(word, path, commands)}`;
    case "unknown_option": {
      const way = said === undefined ? "" : `; a ${said} that begins with - goes behind --`;
      return `${unknownOption(word, optionNames(spec))}${way}`;
    }
    case "option_of_parent":
      return `${word} belongs to \`${named(path.slice(0, -1))}\`, and \`${named(path)}\` does not take it`;
    case "option_repeated":
      return `${word} is given more than once, and it takes one value: leave one of them out`;
    case "value_missing":
      return `Option '${word}' has no value`;
    case "argument_missing":
      return `Missing required argument '${word}'`;
    case "option_missing":
      return `Required option '${word}' is not given`;
    case "too_many_words": {
      const expected = spec?.fields.filter(isArgument).length ?? 0;
      const way = said === undefined ? "" : `; put quotes around a ${said} of several words`;
      return `Too many arguments for '${path.at(-1)}'; expected ${expected} but got ${words}${way}`;
    }
  }
}

function named(path: readonly string[]): string {
  return ["heartwood", ...path].join(" ");
}

/** The help that tells more: that of the command, of a large group, or of all. */
function helpedBy(path: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  return specOf(path, commands) !== undefined || largeGroups(commands).has(path[0] ?? "") ? path : [];
}

function nearCommands(word: string, path: readonly string[], commands: readonly CommandSpec[]): string {
  const children = childrenOf(path, commands);
  const next = [...new Set(children.map(({ command }) => command[path.length] ?? ""))];
  const near = didYouMean(word, next);
  if (near !== "") return near;
  return `; the commands are ${path.length === 0 ? namesOf(commands) : fullNamesOf(children)}`;
}

/** Arguments that hold words of a person. */
const TEXTS: ReadonlySet<string> = new Set(["QUERY", "TEXT"]);

function optionNames(spec: CommandSpec | undefined): readonly string[] {
  const own = spec === undefined ? [] : spec.fields.filter((field) => !isArgument(field)).map(optionOf);
  const common = [...COMMON_OPTIONS, ...(spec === undefined ? [] : ownOptionsOf(spec))];
  return [...own, ...common.map(({ long }) => long), "--help", "--version"];
}

/** What cannot be the name of an option may be a secret that went to the wrong place. Attached to dashes or a word it would not be known as one. */
function unknownOption(word: string, names: readonly string[]): string {
  const [name = "", ...value] = word.split("=");
  if (!/^--?[A-Za-z][A-Za-z_-]{0,31}$/.test(name)) return "Unknown option, which is not repeated here";
  if (names.includes(name) && value.length === 0) return `Option '${name}' goes behind the command, not before it`;
  return `Unknown option '${name}${value.length === 0 ? "" : "=…"}'${didYouMean(word, names)}`;
}

/** What is missing. */
function incomplete(path: readonly string[], commands: readonly CommandSpec[]): string {
  if (path.length === 0) return `No command is given; the commands are ${namesOf(commands)}`;
  const said = JSON.stringify(path.join(" "));
  return `${said} is not a whole command; the commands are ${fullNamesOf(childrenOf(path, commands))}`;
}

function fullNamesOf(commands: readonly CommandSpec[]): string {
  return commands.map(({ command }) => command.join(" ")).join(", ");
}

/** A large group by its first word alone. */
function namesOf(commands: readonly CommandSpec[]): string {
  const groups = largeGroups(commands);
  const names = commands.map(({ command }) => (groups.has(command[0] ?? "") ? `${command[0]} …` : command.join(" ")));
  return [...new Set(names)].join(", ");
}
