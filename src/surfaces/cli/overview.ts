import { COMMON_OPTIONS, type CommandSpec } from "./command.ts";

/** The first screen: what heartwood is, its commands, the common options and how it ends. */
export function overviewOf(commands: readonly CommandSpec[], version: string): string {
  return [
    `heartwood ${version}: long-term memory for AI agents, in files that people can read`,
    "",
    "Usage: heartwood COMMAND [options]",
    "",
    "Commands:",
    ...table(commands.map(({ command, summary }) => [command.join(" "), summary])),
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
  ].join("\n");
}

function optionRow({ long, short, placeholder, summary }: (typeof COMMON_OPTIONS)[number]): readonly [string, string] {
  return [
    `${short === undefined ? "" : `${short}, `}${long}${placeholder === undefined ? "" : ` ${placeholder}`}`,
    summary,
  ];
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
