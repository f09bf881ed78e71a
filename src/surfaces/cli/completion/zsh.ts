import type { CompletedCommand, CompletedOption, CompletionModel } from "./model.ts";

/** A script for a file `_heartwood` in a folder of `$fpath`, or to source after `compinit`. */
export function zshScript(model: CompletionModel): string {
  return `#compdef heartwood
# heartwood: completion for zsh
_heartwood() {
  local line state
  local -a common items
  common=(
${model.common.map((option) => `    ${argumentOf(option)}`).join("\n")}
  )
  _arguments -C -A "-*" $common '--version[print the version]' '1: :->first' '*:: :->rest'
  case $state in
    first)
      items=(${wordItems(model, "")})
      _describe command items ;;
    rest)
      case $line[1] in
${firstWords(model)
  .map((word) => caseOf(word, model))
  .join("\n")}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_heartwood" ]; then _heartwood "$@"; else compdef _heartwood heartwood; fi
`;
}

function firstWords({ commands }: CompletionModel): readonly string[] {
  return [...new Set(commands.map(({ words }) => words[0] ?? ""))];
}

function caseOf(word: string, model: CompletionModel): string {
  const simple = model.commands.find(({ words }) => words.length === 1 && words[0] === word);
  const nested = model.commands.filter(({ words }) => words[0] === word && words.length > 1);
  if (simple !== undefined && nested.length === 0) return `        ${word}) ${argumentsOf(simple)} ;;`;
  const before =
    simple === undefined ? "" : `[[ $words[CURRENT] == -* ]] && { ${argumentsOf(simple)}; return; }\n            `;
  const other =
    simple === undefined ? "" : `\n              *) words=(${word} $words); (( CURRENT++ )); ${argumentsOf(simple)} ;;`;
  return `        ${word})
          if (( CURRENT == 2 )); then
            ${before}items=(${wordItems(model, word)})
            _describe command items
          else
            local second=$words[2]
            shift words; (( CURRENT-- ))
            case $second in
${nested.map((command) => `              ${command.words[1] ?? ""}) ${argumentsOf(command)} ;;`).join("\n")}${other}
            esac
          fi ;;`;
}

function argumentsOf({ options, values, argument }: CompletedCommand): string {
  const parts = options.map(argumentOf);
  const word = values.length > 0 ? `'1: :(${values.join(" ")})'` : argument === "file" ? "'1: :_files'" : "'*: : '";
  return ["_arguments", "$common", ...parts, word].join(" ");
}

function argumentOf({ long, short, summary, value }: CompletedOption): string {
  const rest = `[${quoted(summary)}]${valuePart(value)}`;
  return short === undefined ? `'${long}${rest}'` : `'(${short} ${long})'{${short},${long}}'${rest}'`;
}

function valuePart(value: CompletedOption["value"]): string {
  if (value === "none") return "";
  if (value === "text") return ": : ";
  if (value === "file") return ": :_files";
  return value === "folder" ? ": :_files -/" : `: :(${value.join(" ")})`;
}

function wordItems({ next }: CompletionModel, after: string): string {
  const words = next.find((entry) => entry.after === after)?.words ?? [];
  return words.map(({ word, summary }) => `'${word}:${quoted(summary)}'`).join(" ");
}

/** Inside single quotes, where `:` `[` `]` mean something to `_arguments`. */
function quoted(text: string): string {
  return text.replaceAll("'", "’").replace(/[[\]:\\]/g, "\\$&");
}
