import { CommanderError } from "commander";
import { MemoryError } from "../../base/errors.ts";
import { COMMON_OPTIONS, largeGroups, type CommandSpec } from "./command.ts";

/** Marks a list item (`- text`), which is a text and which commander would take for an option. No argument of a process holds a NUL. */
export const hidden = "\0";

/** commander says `error: unknown option '--dyr'\n(Did you mean --dir?)`; ours is one sentence, and what to do. */
export function usageError(
  error: CommanderError,
  words: readonly string[],
  commands: readonly CommandSpec[],
): MemoryError {
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
  const members = commands.filter(({ command: [word, next] }) => word === plainWords(words)[0] && next !== undefined);
  const names = members.length === 0 ? namesOf(commands) : members.map(({ command }) => command.join(" ")).join(", ");
  const way = isUnknown ? `; the commands are ${names}` : textWay(error, words, commands);
  return new MemoryError("usage", `${sentence}${suggestion}${way}; ${help}`);
}

/** A text of several words, or one that begins with a dash, as an argument. */
function textWay(error: CommanderError, words: readonly string[], commands: readonly CommandSpec[]): string {
  const meant = commandWords(words, commands).join(" ");
  const fields = commands.find(({ command }) => command.join(" ") === meant)?.fields ?? [];
  const name = fields.find(
    ({ place, placeholder }) => place === "argument" && TEXTS.has(placeholder ?? ""),
  )?.placeholder;
  if (name === undefined) return "";
  if (error.code === "commander.excessArguments") return `; put quotes around a ${name} of several words`;
  return error.code === "commander.unknownOption" ? `; a ${name} that begins with - goes behind --` : "";
}

/** Arguments that hold words of a person. */
const TEXTS: ReadonlySet<string> = new Set(["QUERY", "TEXT"]);

/** What cannot be the name of an option may be a secret that went to the wrong place. Attached to dashes or a word it would not be known as one. */
function unknownOption(said: string): string {
  const word = /'([^]*)'/.exec(said)?.[1] ?? "";
  const [name = "", ...value] = word.split("=");
  if (!/^--?[A-Za-z][A-Za-z_-]{0,31}$/.test(name)) return "unknown option, which is not repeated here";
  return `unknown option '${name}${value.length === 0 ? "" : "=…"}'`;
}

/** What is missing, without a full stop. */
export function incomplete(words: readonly string[], commands: readonly CommandSpec[]): string {
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
  const meant = commands.filter(({ command }) => command.every((word, index) => said[index] === word));
  const longest = meant.toSorted((a, b) => b.command.length - a.command.length)[0];
  if (longest !== undefined) return longest.command;
  return largeGroups(commands).has(said[0] ?? "") ? said.slice(0, 1) : [];
}
