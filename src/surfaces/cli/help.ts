import { greatest } from "../../base/lists.ts";
import type { Field } from "../../base/operation.ts";
import {
  COMMON_OPTIONS,
  GROUP_SUMMARIES,
  isArgument,
  largeGroups,
  optionOf,
  ownOptionsOf,
  childrenOf,
  specOf,
  type CommandSpec,
  type CommonOption,
} from "../../operations/command-line.ts";

interface Surroundings {
  readonly commands: readonly CommandSpec[];
  readonly version: string;
  /** Width for help. */
  readonly columns: number;
}

type Row = readonly [string, string];

/** The help of a command, of a group of commands, or of all. */
export function helpOf(path: readonly string[], surroundings: Surroundings): string {
  const { commands } = surroundings;
  const [word = ""] = path;
  const members = largeGroups(commands).get(word);
  if (path.length === 0) return overviewOf(surroundings);
  if (path.length === 1 && members !== undefined) return groupOverviewOf(word, members);
  return commandHelpOf(path, surroundings);
}

const widest = Number.POSITIVE_INFINITY;

function commandHelpOf(path: readonly string[], { commands, columns }: Surroundings): string {
  const width = Math.min(columns, 100);
  const spec = specOf(path, commands);
  const fields = spec?.fields ?? [];
  const children = childrenOf(path, commands);
  const told = spec === undefined ? [] : ["", `${spec.summary}.`, "", ...wrapped(spec.description, width)];
  const examples = spec?.examples.map((example) => `  ${example}`) ?? [];
  const help: Row = ["-h, --help", "show this help"];
  const own = spec === undefined ? [] : ownOptionsOf(spec).map((option) => commonRow(option, "<>"));
  return [
    ["Usage: heartwood", ...path, usageOf(fields), ...(children.length > 0 ? ["[command]"] : [])].join(" "),
    ...told,
    ...section("Arguments", fields.filter(isArgument).map(argumentRow), width),
    ...section("Options", [...fields.filter((field) => !isArgument(field)).map(optionRow), ...own, help], width),
    ...section(
      "Options of every command",
      COMMON_OPTIONS.map((option) => commonRow(option, "<>")),
      width,
    ),
    ...section(
      "Commands",
      children.map((child) => childRow(child, path.length)),
      width,
    ),
    ...(examples.length > 0 ? ["", "Examples:", ...examples] : []),
  ].join("\n");
}

function usageOf(fields: readonly Field[]): string {
  const words = fields.filter(isArgument).map((field) => {
    const word = field.words === "many" ? `${placeholderOf(field)}...` : placeholderOf(field);
    return field.presence === "required" ? `<${word}>` : `[${word}]`;
  });
  return ["[options]", ...words].join(" ");
}

function placeholderOf({ placeholder = "VALUE" }: Field): string {
  return placeholder;
}

function argumentRow(field: Field): Row {
  return [placeholderOf(field), field.summary];
}

function optionRow(field: Field): Row {
  const { kind, summary } = field;
  const value = kind.kind === "flag" ? "" : ` <${placeholderOf(field)}>`;
  const values = kind.kind === "choice" ? `: ${kind.values.join(", ")}` : "";
  return [`${optionOf(field)}${value}`, `${summary}${values}`];
}

function commonRow({ long, short, placeholder, summary }: CommonOption, brackets: "" | "<>"): Row {
  const [open = "", close = ""] = brackets;
  const value = placeholder === undefined ? "" : ` ${open}${placeholder}${close}`;
  return [`${short === undefined ? "" : `${short}, `}${long}${value}`, summary];
}

function childRow({ command, fields, summary }: CommandSpec, depth: number): Row {
  return [`${command.slice(depth).join(" ")} ${usageOf(fields)}`, summary];
}

/** A heading and its rows, each wrapped behind the widest name; nothing without rows. */
function section(heading: string, rows: readonly Row[], width: number): readonly string[] {
  if (rows.length === 0) return [];
  const indent = greatest(rows.map(([name]) => name.length)) + 4;
  const lines = rows.flatMap(([name, summary]) =>
    wrapped(summary, width - indent).map((line, index) => `${(index === 0 ? `  ${name}` : "").padEnd(indent)}${line}`),
  );
  return ["", `${heading}:`, ...lines];
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The first screen: what heartwood is, its commands, the common options and how it ends. */
function overviewOf({ commands, version }: Surroundings): string {
  return [
    `heartwood ${version}: long-term memory for AI agents, in files that people can read`,
    "",
    "Usage: heartwood COMMAND [options]",
    ...section("Commands", commandRows(commands), widest),
    ...section(
      "Options of every command",
      [
        ...COMMON_OPTIONS.map((option) => commonRow(option, "")),
        ["-h, --help", "show the help of a command"],
        ["-V, --version", "print the version"],
      ],
      widest,
    ),
    "",
    "Exit status: 0 done, 1 findings, 2 bad input, 3 could not do it, 130/143 stopped by a signal.",
    "",
    "Begin with `heartwood demo`, or `heartwood init` in a project. `heartwood help COMMAND` shows examples.",
    ...[...largeGroups(commands).keys()].map((word) => `\`heartwood help ${word}\` shows the commands of ${word}.`),
  ].join("\n");
}

/** The screen of a group: its commands, and how to go on. */
function groupOverviewOf(word: string, members: readonly CommandSpec[]): string {
  return [
    `heartwood ${word}: ${GROUP_SUMMARIES[word] ?? "commands"}`,
    "",
    `Usage: heartwood ${word} COMMAND [options]`,
    ...section(
      "Commands",
      members.map(({ command, summary }) => [command.slice(1).join(" "), summary]),
      widest,
    ),
    "",
    `\`heartwood help ${word} COMMAND\` shows the options and examples of a command.`,
  ].join("\n");
}

function commandRows(commands: readonly CommandSpec[]): readonly (readonly [string, string])[] {
  const groups = largeGroups(commands);
  const rows = commands.map(({ command, summary }): readonly [string, string] => {
    const [word = ""] = command;
    return groups.has(word) ? [`${word} …`, GROUP_SUMMARIES[word] ?? ""] : [command.join(" "), summary];
  });
  return [...new Map(rows)];
}
