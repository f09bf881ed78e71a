import { MemoryError, type ErrorCode, type ErrorDetails } from "../base/errors.ts";
import { redact } from "../text/redact/redact.ts";
import {
  childrenOf,
  isArgument,
  largeGroups,
  optionOf,
  optionsOf,
  specOf,
  type CommandSpec,
  type Slip,
} from "./command-line.ts";
import { didYouMean } from "../text/shown.ts";

/** A failure as every surface reports it. It may quote the caller's input, so it is redacted. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export function failureOf(thrown: unknown): Failure {
  const { code, message, details } = thrown instanceof MemoryError ? thrown : memoryErrorOf(thrown);
  const pairs = Object.entries(details).map(([key, value]): [string, ErrorDetails[string]] => {
    if (typeof value === "string") return [key, redacted(value)];
    return [key, typeof value === "object" ? value.map(redacted) : value];
  });
  return { code, message: redacted(message), details: Object.fromEntries(pairs) };
}

export function redacted(text: string): string {
  return redact(text).text;
}

function memoryErrorOf(thrown: unknown): MemoryError {
  // Node's own functions throw an AbortError when their signal is aborted.
  if (thrown instanceof Error && thrown.name === "AbortError")
    return thrown.cause instanceof MemoryError
      ? thrown.cause
      : new MemoryError("aborted", "Stopped before the end; run the command again.");
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new MemoryError(
    "internal",
    `Internal error (${said}). This is a bug in heartwood; please report it with the output of HEARTWOOD_DEBUG=1.`,
  );
}

export function usageError(slip: Slip, commands: readonly CommandSpec[]): MemoryError {
  const { path } = slip;
  const hasHelp = specOf(path, commands) !== undefined || largeGroups(commands).has(path[0] ?? "");
  return new MemoryError("usage", `${sentenceOf(slip, commands)}; see \`${named(hasHelp ? path : [])} --help\`.`);
}

function sentenceOf(slip: Slip, commands: readonly CommandSpec[]): string {
  const { path, word } = slip;
  const spec = specOf(path, commands);
  // An argument with free text.
  const free = spec?.fields.find(({ placeholder }) => placeholder === "QUERY" || placeholder === "TEXT");
  const text = free !== undefined && isArgument(free) ? free.placeholder : undefined;
  switch (slip.slip) {
    case "no_command":
      if (path.length === 0) return `No command given; the commands are ${namesOf(commands)}`;
      return `'${path.join(" ")}' is not a complete command; the commands are ${fullNamesOf(childrenOf(path, commands))}`;
    case "unknown_command":
      return `Unknown command '${word}'${nearCommands(word, path, commands)}`;
    case "unknown_option":
      return `${unknownOption(slip, commands)}${text === undefined ? "" : `; put -- before a ${text} that starts with -`}`;
    case "option_of_parent":
      return `\`${named(path)}\` does not take ${word}, which belongs to \`${named(path.slice(0, -1))}\``;
    case "option_repeated":
      return `Option '${word}' was passed more than once; pass it only once`;
    case "value_missing":
      return `Option '${word}' needs a value`;
    case "argument_missing":
      return `Missing argument '${word}'`;
    case "option_missing":
      return `Missing option '${word}'`;
    case "too_many_words":
      return `Unexpected argument '${word}'${text === undefined ? "" : `; quote a ${text} that contains spaces`}`;
  }
}

function named(path: readonly string[]): string {
  return ["heartwood", ...path].join(" ");
}

function nearCommands(word: string, path: readonly string[], commands: readonly CommandSpec[]): string {
  const children = childrenOf(path, commands);
  const near = didYouMean(word, [...new Set(children.map(({ command }) => command[path.length] ?? ""))]);
  if (near !== "") return near;
  return `; the commands are ${path.length === 0 ? namesOf(commands) : fullNamesOf(children)}`;
}

/** A word that cannot be an option name may be a misplaced secret, and redaction would miss one with dashes or a word attached. */
function unknownOption({ word, path }: Slip, commands: readonly CommandSpec[]): string {
  const [name = "", ...value] = word.split("=");
  if (!/^--?[A-Za-z][A-Za-z_-]{0,31}$/.test(name)) return "Unknown option (not repeated here)";
  const names = [...optionsOf(path, commands).map(optionOf), "--help", "--version"];
  if (names.includes(name) && value.length === 0) return `Option '${name}' must come after the command`;
  return `Unknown option '${name}${value.length === 0 ? "" : "=…"}'${didYouMean(word, names)}`;
}

function fullNamesOf(commands: readonly CommandSpec[]): string {
  return commands.map(({ command }) => command.join(" ")).join(", ");
}

/** Lists a large group by its first word only. */
function namesOf(commands: readonly CommandSpec[]): string {
  const groups = largeGroups(commands);
  const names = commands.map(({ command }) => (groups.has(command[0] ?? "") ? `${command[0]} …` : command.join(" ")));
  return [...new Set(names)].join(", ");
}
