import { COMMON_OPTIONS, GROUP_SUMMARIES, largeGroups, type CommandSpec } from "./command.ts";
import { greatest } from "../../base/lists.ts";

/** The first screen: what heartwood is, its commands, the common options and how it ends. */
export function overviewOf(commands: readonly CommandSpec[], version: string): string {
  return [
    `heartwood ${version}: long-term memory for AI agents, in files that people can read`,
    "",
    "Usage: heartwood COMMAND [options]",
    "",
    "Commands:",
    ...table(commandRows(commands)),
    "",
    "Options of every command:",
    ...table([
      ...COMMON_OPTIONS.map(optionRow),
      ["-h, --help", "show the help of a command"],
      ["-V, --version", "print the version"],
    ]),
    "",
    "Exit status: 0 done, 1 findings, 2 bad input, 3 could not do it, 130/143 stopped by a signal.",
    "",
    "Begin with `heartwood demo`, or `heartwood init` in a project. `heartwood help COMMAND` shows examples.",
    ...[...largeGroups(commands).keys()].map((word) => `\`heartwood help ${word}\` shows the commands of ${word}.`),
  ].join("\n");
}

/** The screen of a group: its commands, and how to go on. */
export function groupOverviewOf(word: string, members: readonly CommandSpec[]): string {
  return [
    `heartwood ${word}: ${GROUP_SUMMARIES[word] ?? "commands"}`,
    "",
    `Usage: heartwood ${word} COMMAND [options]`,
    "",
    "Commands:",
    ...table(members.map(({ command, summary }) => [command.slice(1).join(" "), summary])),
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

function optionRow({ long, short, placeholder, summary }: (typeof COMMON_OPTIONS)[number]): readonly [string, string] {
  return [
    `${short === undefined ? "" : `${short}, `}${long}${placeholder === undefined ? "" : ` ${placeholder}`}`,
    summary,
  ];
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = greatest(rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
