import type { Field } from "../../base/operation.ts";
import { COMMON_OPTIONS, GROUP_SUMMARIES, isArgument, optionOf, ownOptionsOf } from "../../operations/command-line.ts";
import type { CommandSpec, Option } from "../../operations/command-line.ts";
import type { LocalCall } from "./terminal.ts";
import { jsonText } from "./print.ts";

export type Shell = "bash" | "zsh" | "fish";

export async function runCompletion({ input, common, terminal, commands }: LocalCall): Promise<void> {
  const shell = input["shell"] as Shell;
  const script = completionScript(shell, commands);
  terminal.stdout.write(common.output === "json" ? jsonText({ shell, script }, terminal.stdout.look()) : script);
}

/**
 * One script for three shells. Each collects the words before the cursor that are not options (`$command`) and the word before it (`$prev`), then completes
 * the value of an option, or a word. The rows are the same for all shells; only the syntax of `case` and the way to offer words
 * (`_heartwood_offer KIND WORD:SUMMARY...`) differ.
 */
export function completionScript(shell: Shell, commands: readonly CommandSpec[]): string {
  const options = [...commonOptions, ...commands.flatMap(ownOptionsOf)];
  const names = [...new Set(options.filter(({ kind }) => kind.kind !== "flag").flatMap(namesOf))];
  const { head, walk, word, skip, take, switchOf, foot } = SHELLS[shell];
  const choose = switchOf(word, [
    { when: names, act: skip },
    { when: ["-*"], act: ":" },
    { when: ["*"], act: take },
  ]);
  return `${head}
${walk(choose)}
${switchOf("$command $prev", valueRows(commands, names))}
${switchOf("$command", wordRows(commands))}
${foot}
`;
}

interface Row {
  readonly when: readonly string[];
  readonly act: string;
}

const commonOptions: readonly Option[] = [
  ...COMMON_OPTIONS,
  { name: "help", short: "-h", kind: { kind: "flag" }, summary: "show the help of a command" },
];

/** Offers an option's values; nothing for a flag or free text. */
function valuesOf({ kind, placeholder }: Field): string | undefined {
  if (kind.kind === "choice") return offer("words", plain(kind.values));
  if (kind.kind === "file" || kind.kind === "output") return offer("file", []);
  return kind.kind === "text" && placeholder === "DIR" ? offer("directory", []) : undefined;
}

function namesOf(option: Option): readonly string[] {
  return [...(option.short === undefined ? [] : [option.short]), optionOf(option)];
}

/** What to offer after a command and an option. */
function valueRows(commands: readonly CommandSpec[], names: readonly string[]): readonly Row[] {
  const rowsOf = (before: string, options: readonly Option[]): readonly Row[] =>
    options.flatMap((option) => {
      const act = valuesOf(option);
      return act === undefined ? [] : [{ when: namesOf(option).map((name) => `${before}* ${name}`), act }];
    });
  const longestFirst = commands.toSorted((a, b) => b.command.length - a.command.length);
  const own = longestFirst.flatMap((spec) => rowsOf(spec.command.join(" "), ownOptionsOf(spec)));
  const others = { when: names.map((name) => `* ${name}`), act: ":" };
  return [...own, ...rowsOf("", commonOptions), others].map(({ when, act }) => ({ when, act: `${act}; return` }));
}

/** What to offer after some words: commands, values of an argument, options. */
function wordRows(commands: readonly CommandSpec[]): readonly Row[] {
  const groups = [...new Set(commands.flatMap(({ command }) => (command.length > 1 ? [command[0] ?? ""] : [])))];
  const common = commonOptions.flatMap(optionItems);
  const next = (after: string): readonly string[] => nextItems(after, commands);
  const firsts = next("");
  const isCommand = (name: string): boolean => commands.some(({ command }) => command.join(" ") === name);
  const rowsOf = (spec: CommandSpec): readonly Row[] => {
    const name = spec.command.join(" ");
    const isFile = spec.fields.some((field) => isArgument(field) && field.kind.kind === "file");
    const items = [...plain(argumentValues(spec)), ...ownOptionsOf(spec).flatMap(optionItems), ...common];
    const row = { when: [name, `${name} *`], act: offer(isFile ? "file" : "words", items) };
    const beginnings = next(name);
    return beginnings.length === 0 ? [row] : [{ when: [name], act: offer("words", [...beginnings, ...items]) }, row];
  };
  const help = item("help", "Show the help of a command");
  return [
    { when: [""], act: offer("words", [...firsts, help, item("--version", "print the version"), ...common]) },
    ...groups
      .filter((group) => !isCommand(group))
      .map((group) => ({ when: [group], act: offer("words", next(group)) })),
    { when: ["help"], act: offer("words", firsts) },
    ...groups.map((group) => ({ when: [`help ${group}`], act: offer("words", next(group)) })),
    ...commands.toSorted((a, b) => b.command.length - a.command.length).flatMap(rowsOf),
  ];
}

function argumentValues({ fields }: CommandSpec): readonly string[] {
  return fields.filter(isArgument).flatMap(({ kind, name }) => {
    if (kind.kind === "choice") return kind.values;
    return name === "period" ? ["ROOT"] : [];
  });
}

/** The words that may follow `after`, which is empty or the first word of longer commands. */
function nextItems(after: string, commands: readonly CommandSpec[]): readonly string[] {
  const items = new Map<string, string>();
  for (const { command, summary } of commands) {
    const [first = "", second] = command;
    if (after === first && second !== undefined) items.set(second, summary);
    if (after !== "") continue;
    const of = GROUP_SUMMARIES[first] ?? commands.find((spec) => spec.command.join(" ") === first)?.summary;
    items.set(first, of ?? (items.has(first) ? `${items.get(first)}, ${second}` : `Commands: ${second}`));
  }
  return [...items].map(([word, summary]) => item(word, summary));
}

function plain(words: readonly string[]): readonly string[] {
  return words.map((word) => item(word));
}

function optionItems(option: Option): readonly string[] {
  return namesOf(option).map((name) => item(name, option.summary));
}

/** Quoted so that every shell reads it the same way. */
function item(word: string, summary = ""): string {
  return `'${word}:${summary.replaceAll("'", "’").replaceAll("\\", "/")}'`;
}

function offer(kind: "words" | "file" | "directory", items: readonly string[]): string {
  return ["_heartwood_offer", kind, ...items].join(" ");
}

function shSwitch(text: string, rows: readonly Row[]): string {
  const pattern = (when: string): string => `"${when.replaceAll("*", '"*"')}"`.replaceAll('""', "") || '""';
  const lines = rows.map(({ when, act }) => `    ${when.map(pattern).join("|")}) ${act} ;;`);
  return [`  case "${text}" in`, ...lines, "  esac"].join("\n");
}

function fishSwitch(text: string, rows: readonly Row[]): string {
  const lines = rows.map(({ when, act }) => `    case ${when.map((one) => `'${one}'`).join(" ")}\n      ${act}`);
  return [`  switch "${text}"`, ...lines, "  end"].join("\n");
}

/** The syntax that bash and zsh share. */
const sh = {
  switchOf: shSwitch,
  word: "${words[index]}",
  /** Walks the words before the cursor. */
  walk: (choose: string): string => `  for ((index = first; index < current; index++)); do
${choose}
  done`,
  skip: "((index++))",
  take: 'command="${command:+$command }${words[index]}"',
} as const;

/** `head` defines how words are offered and starts the function. Options are offered after a `-`; in bash always. */
const SHELLS = {
  bash: {
    ...sh,
    head: `# heartwood: completion for bash
_heartwood_offer() {
  local kind=$1 item names=""
  shift
  if [[ $kind == words || $cur == -* ]]; then
    for item; do names+=" \${item%%:*}"; done
    COMPREPLY=($(compgen -W "$names" -- "$cur"))
  else
    local IFS=$'\\n'
    COMPREPLY=($(compgen -\${kind:0:1} -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}
_heartwood() {
  local words=("\${COMP_WORDS[@]}") current=$COMP_CWORD first=1 command="" index
  local cur="\${words[current]}" prev="\${words[current-1]}" IFS=$' \\t\\n'
  COMPREPLY=()`,
    foot: "}\ncomplete -F _heartwood heartwood",
  },
  zsh: {
    ...sh,
    head: `#compdef heartwood
# heartwood: completion for zsh
_heartwood_offer() {
  local kind=$1
  local -a items
  shift
  if [[ $kind == words || $cur == -* ]]; then
    if [[ $cur == -* ]]; then items=("\${(M)@:#-*}"); else items=("\${@:#-*}"); fi
    _describe heartwood items
  elif [[ $kind == directory ]]; then
    _files -/
  else
    _files
  fi
}
_heartwood() {
  local current=$CURRENT first=2 command="" index cur=$words[CURRENT] prev=$words[CURRENT-1]
  if compset -P '--*='; then prev=\${cur%%=*} cur=$PREFIX; fi`,
    // The file is either sourced or used as the body of the completion function.
    foot: '}\nif [ "$funcstack[1]" = "_heartwood" ]; then _heartwood "$@"; else compdef _heartwood heartwood; fi',
  },
  fish: {
    switchOf: fishSwitch,
    word: "$word",
    walk: (choose: string) => `  for word in $words
    if test -n "$skips"
      set skips ''
      continue
    end
${choose}
  end`,
    skip: "set skips yes",
    take: 'set command (string trim -- "$command $word")',
    head: `# heartwood: completion for fish
function _heartwood_offer --no-scope-shadowing
  set -l kind $argv[1]
  set -e argv[1]
  if test $kind = words; or string match -q -- '-*' "$cur"
    for item in $argv
      if string match -q -- '-*' "$cur"
        string match -q -- "$cur*" $item; or continue
      else if string match -q -- '-*' $item
        continue
      end
      printf '%s\\n' $before(string replace ':' \\t -- $item)
    end
  else if test $kind = directory
    printf "$before%s\\n" (__fish_complete_directories "$cur")
  else
    printf "$before%s\\n" (__fish_complete_path "$cur")
  end
end
function _heartwood
  set -l words (commandline -opc)
  set -l cur (commandline -ct)
  set -l prev $words[-1]
  set -l before ''
  set -l command ''
  set -l skips ''
  if string match -q -- '--*=*' "$cur"
    set prev (string split -m 1 = -- $cur)[1]
    set before $prev=
    set cur (string split -m 1 = -- $cur)[2]
  end
  set -e words[1]`,
    foot: "end\ncomplete -c heartwood -f -a '(_heartwood)'",
  },
};
