import { greatest } from "../../base/lists.ts";
import type { Field } from "../../base/operation.ts";
import { COMMON_OPTIONS, GROUP_SUMMARIES, childrenOf, isArgument, largeGroups } from "../../operations/command-line.ts";
import { optionOf, ownOptionsOf, specOf, type CommandSpec, type Option } from "../../operations/command-line.ts";
import { wrapTo } from "./render/layout.ts";

interface Surroundings {
  readonly commands: readonly CommandSpec[];
  readonly version: string;
  readonly columns: number;
}

type Row = readonly [string, string];

export function helpOf(path: readonly string[], surroundings: Surroundings): string {
  const [word = ""] = path;
  const members = largeGroups(surroundings.commands).get(word);
  if (path.length === 0) return overviewOf(surroundings);
  if (path.length === 1 && members !== undefined) return groupOverviewOf(word, members);
  return commandHelpOf(path, surroundings);
}

function commandHelpOf(path: readonly string[], { commands, columns }: Surroundings): string {
  const width = Math.min(columns, 100);
  const spec = specOf(path, commands);
  const children = childrenOf(path, commands);
  const prose = (text: string | undefined): readonly string[] =>
    text === undefined ? [] : ["", ...wrapTo(text, width)];
  const usage = [
    "Usage: heartwood",
    ...path,
    usageOf(spec?.fields ?? []),
    ...(children.length > 0 ? ["[command]"] : []),
  ];
  const own = spec === undefined ? [] : ownOptionsOf(spec);
  const given = (spec?.fields ?? []).filter(isArgument);
  const childRow = (child: CommandSpec): Row => [
    `${child.command.slice(path.length).join(" ")} ${usageOf(child.fields)}`,
    child.summary,
  ];
  return [
    usage.join(" "),
    ...(spec === undefined ? [] : ["", `${spec.summary}.`]),
    ...prose(spec?.description),
    ...prose(spec?.exit),
    ...section(
      "Arguments",
      given.map((field) => [field.placeholder ?? "VALUE", summaryOf(field)]),
      width,
    ),
    ...section("Options", [...own.map(optionRow), ["-h, --help", "show this help"]], width),
    ...section("Global options", COMMON_OPTIONS.map(optionRow), width),
    ...section("Commands", children.map(childRow), width),
    ...(spec === undefined ? [] : ["", "Examples:", ...spec.examples.map((example) => `  ${example}`)]),
  ].join("\n");
}

function usageOf(fields: readonly Field[]): string {
  const words = fields.filter(isArgument).map((field) => {
    const word = `${field.placeholder ?? "VALUE"}${field.words === "many" ? "..." : ""}`;
    return field.presence === "required" ? `<${word}>` : `[${word}]`;
  });
  return ["[options]", ...words].join(" ");
}

function optionRow(option: Option): Row {
  const { kind, short, placeholder = "VALUE" } = option;
  const value = kind.kind === "flag" ? "" : ` <${placeholder}>`;
  const values = kind.kind === "choice" ? `: ${kind.values.join(", ")}` : "";
  return [`${short === undefined ? "" : `${short}, `}${optionOf(option)}${value}`, `${summaryOf(option)}${values}`];
}

function summaryOf({ kind, summary }: Field): string {
  if (kind.kind === "file") return `${summary}; - for standard input`;
  return kind.kind === "output" ? `${summary}; - for standard output` : summary;
}

function section(heading: string, rows: readonly Row[], width = Number.POSITIVE_INFINITY): readonly string[] {
  if (rows.length === 0) return [];
  const indent = greatest(rows.map(([name]) => name.length)) + 4;
  const lines = rows.flatMap(([name, summary]) =>
    wrapTo(summary, Math.max(20, width - indent)).map(
      (line, index) => `${(index === 0 ? `  ${name}` : "").padEnd(indent)}${line}`,
    ),
  );
  return ["", `${heading}:`, ...lines];
}

function overviewOf({ commands, version }: Surroundings): string {
  const groups = largeGroups(commands);
  const rows = commands.map(({ command, summary }): Row => {
    const [word = ""] = command;
    return groups.has(word) ? [`${word} …`, GROUP_SUMMARIES[word] ?? ""] : [command.join(" "), summary];
  });
  const common: readonly Row[] = [
    ...COMMON_OPTIONS.map(optionRow),
    ["-h, --help", "show the help of a command"],
    ["-V, --version", "print the version"],
  ];
  const groupWords = [...groups.keys()].map((word) => `\`${word}\``);
  return [
    `heartwood ${version}: long-term memory for AI agents, in files that people can read`,
    "",
    "Usage: heartwood COMMAND [options]",
    ...section("Commands", [...new Map(rows)]),
    ...section("Global options", common),
    "",
    "Exit status: 0 done, 1 findings, 2 bad input, 3 failed, 130/143 stopped by a signal.",
    "",
    "Start with `heartwood demo`, or `heartwood init` in a project. `heartwood help COMMAND` shows examples.",
    `\`heartwood help WORD\` lists the commands of ${groupWords.slice(0, -1).join(", ")} and ${groupWords.at(-1)}.`,
  ].join("\n");
}

function groupOverviewOf(word: string, members: readonly CommandSpec[]): string {
  return [
    `heartwood ${word}: ${GROUP_SUMMARIES[word] ?? "commands"}`,
    "",
    `Usage: heartwood ${word} COMMAND [options]`,
    ...section(
      "Commands",
      members.map(({ command, summary }) => [command.slice(1).join(" "), summary]),
    ),
    "",
    `\`heartwood help ${word} COMMAND\` shows the options and examples of a command.`,
  ].join("\n");
}
