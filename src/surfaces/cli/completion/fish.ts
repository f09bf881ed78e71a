import type { CompletedCommand, CompletedOption, CompletionModel } from "./model.ts";

/** A script for ~/.config/fish/completions/heartwood.fish. */
export function fishScript(model: CompletionModel): string {
  return [
    "# heartwood: completion for fish",
    "complete -c heartwood -f",
    ...model.common.map((option) => optionLine(option)),
    ...model.next.flatMap(({ after, words }) =>
      words.map(
        ({ word, summary }) =>
          `complete -c heartwood -n ${quoted(beginning(after, model))} -a ${word} -d ${quoted(summary)}`,
      ),
    ),
    ...model.commands.flatMap((command) => commandLines(command, model)),
    "",
  ].join("\n");
}

/** The condition under which the next word of a command is wanted. */
function beginning(after: string, { next }: CompletionModel): string {
  if (after === "") return "__fish_use_subcommand";
  const words = next.find((entry) => entry.after === after)?.words.map(({ word }) => word) ?? [];
  return `__fish_seen_subcommand_from ${after}; and not __fish_seen_subcommand_from ${words.join(" ")}`;
}

function commandLines(
  { words, options, values, argument }: CompletedCommand,
  model: CompletionModel,
): readonly string[] {
  const others = words.length > 1 ? [] : othersOf(words[0] ?? "", model);
  const condition = [
    ...words.map((word) => `__fish_seen_subcommand_from ${word}`),
    ...(others.length > 0 ? [`not __fish_seen_subcommand_from ${others.join(" ")}`] : []),
  ].join("; and ");
  const lines = options.map((option) => optionLine(option, condition));
  if (values.length > 0) lines.push(`complete -c heartwood -n ${quoted(condition)} -a ${quoted(values.join(" "))}`);
  if (argument === "file") lines.push(`complete -c heartwood -n ${quoted(condition)} -F`);
  return lines;
}

/** The words with which this one is not the command: `thread status` is not `status`, and `audit undo` neither `undo` nor `audit`. */
function othersOf(word: string, { next }: CompletionModel): readonly string[] {
  const groups = next.map(({ after }) => after).filter((after) => after !== "" && after !== word);
  const longer = next.find(({ after }) => after === word)?.words.map((entry) => entry.word) ?? [];
  return [...groups, ...longer];
}

function optionLine({ long, short, summary, value }: CompletedOption, condition?: string): string {
  const parts = ["complete -c heartwood"];
  if (condition !== undefined) parts.push(`-n ${quoted(condition)}`);
  if (short !== undefined) parts.push(`-s ${short.slice(1)}`);
  parts.push(`-l ${long.slice(2)}`);
  if (value === "text") parts.push("-x");
  else if (value === "file") parts.push("-r -F");
  else if (value === "folder") parts.push("-x -a '(__fish_complete_directories)'");
  else if (value !== "none") parts.push(`-x -a ${quoted(value.join(" "))}`);
  return [...parts, `-d ${quoted(summary)}`].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
