import * as known from "../../../operations/command-line.ts";
import { isArgument, type CommandSpec } from "../../../operations/command-line.ts";

/** What a shell has to know of the commands, the same for every shell. */
export interface CompletionModel {
  /** Longest command first, so that `log add` is tried before `log`. */
  readonly commands: readonly CompletedCommand[];
  readonly common: readonly CompletedOption[];
  /** What may follow no word, and a word that begins longer commands: `""` → all first words, `log` → `add`, `audit` → `undo`. */
  readonly next: readonly { readonly after: string; readonly words: readonly CompletedWord[] }[];
}

export interface CompletedCommand {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Values of its argument that are known beforehand. */
  readonly values: readonly string[];
  /** Its argument is the path of a file. */
  readonly argument: "file" | "other";
}

export interface CompletedOption {
  readonly long: string;
  readonly short?: string;
  readonly summary: string;
  readonly value: "none" | "text" | "folder" | "file" | readonly string[];
}

interface CompletedWord {
  readonly word: string;
  readonly summary: string;
}

export function completionModel(specs: readonly CommandSpec[]): CompletionModel {
  const commands = specs.map(commandOf).toSorted((a, b) => b.words.length - a.words.length);
  const groups = new Set(specs.flatMap(({ command }) => command.slice(0, -1)));
  const next = ["", ...groups].map((after) => ({ after, words: wordsAfter(after, specs) }));
  return { commands, common: commonOptions(), next };
}

function commandOf(spec: CommandSpec): CompletedCommand {
  const { command, summary, fields } = spec;
  const own = fields
    .filter((field) => !isArgument(field))
    .map((field) => ({ long: known.optionOf(field), summary: field.summary, value: valueOf(field.kind) }));
  const options = [...own, ...known.ownOptionsOf(spec).map(commonOption)];
  const values = fields.filter(isArgument).flatMap(({ kind, name }) => {
    if (kind.kind === "choice") return kind.values;
    return name === "period" ? ["ROOT"] : [];
  });
  const takesFile = fields.some((field) => isArgument(field) && field.kind.kind === "file");
  return { words: command, summary, options, values, argument: takesFile ? "file" : "other" };
}

function valueOf(kind: CommandSpec["fields"][number]["kind"]): CompletedOption["value"] {
  if (kind.kind === "flag") return "none";
  if (kind.kind === "file" || kind.kind === "output") return "file";
  return kind.kind === "choice" ? kind.values : "text";
}

function commonOptions(): readonly CompletedOption[] {
  const help: CompletedOption = { long: "--help", short: "-h", summary: "show the help of the command", value: "none" };
  return [...known.COMMON_OPTIONS.map(commonOption), help];
}

function commonOption({ long, short, placeholder, summary }: known.CommonOption): CompletedOption {
  const value = placeholder === undefined ? "none" : placeholder === "DIR" ? "folder" : "text";
  return { long, summary, value, ...(short === undefined ? {} : { short }) };
}

function wordsAfter(after: string, specs: readonly CommandSpec[]): readonly CompletedWord[] {
  const words = new Map<string, string>();
  for (const spec of specs) {
    const { command, summary } = spec;
    const [first = "", second] = command;
    if (after === "") words.set(first, second === undefined ? summary : groupSummary(words.get(first), spec, specs));
    else if (first === after && second !== undefined) words.set(second, summary);
  }
  if (after === "") words.set("help", "Show the help of a command");
  return [...words].map(([word, summary]) => ({ word, summary }));
}

function groupSummary(before: string | undefined, { command }: CommandSpec, specs: readonly CommandSpec[]): string {
  const [group = "", word = ""] = command;
  const said = known.GROUP_SUMMARIES[group] ?? specs.find((spec) => spec.command.join(" ") === group)?.summary;
  if (said !== undefined) return said;
  return before === undefined ? `Commands: ${word}` : `${before}, ${word}`;
}
