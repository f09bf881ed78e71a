import type { Field } from "../../base/operation.ts";
import {
  COMMON_OPTIONS,
  GROUP_SUMMARIES,
  isArgument,
  optionOf,
  ownOptionsOf,
  type CommandSpec,
  type CommonOption,
} from "../../operations/command-line.ts";
import type { LocalCall } from "./host.ts";
import { jsonText } from "./print.ts";

export type Shell = "bash" | "zsh" | "fish";

/** `heartwood completion SHELL`: prints the script; the table decides what it completes. */
export async function runCompletion({ input, common, terminal, commands }: LocalCall): Promise<void> {
  const shell = input["shell"] as Shell;
  const script = completionScript(shell, commands);
  terminal.stdout.write(common.output === "json" ? jsonText({ shell, script }, terminal.stdout.look()) : script);
}

/**
 * One script for three shells. Each collects the words before the cursor that are no options (`$command`) and the word before it (`$prev`); then the value of an option
 * is completed, else a word. The rows are the same everywhere; a shell has its own way to write a `case`, and to offer words (`_heartwood_offer KIND WORD:SUMMARY...`).
 */
export function completionScript(shell: Shell, commands: readonly CommandSpec[]): string {
  const names = [...commonOptions, ...commands.flatMap(ownOf)].filter(({ value }) => value !== undefined);
  const withValue = { when: [...new Set(names.flatMap(namesOf))], act: SKIP[shell] };
  const rows = { values: valueRows(commands, withValue.when), words: wordRows(commands) };
  const switchOf = shell === "fish" ? fishSwitch : shSwitch;
  return `${HEAD[shell]}
${WALK[shell](switchOf(shell === "fish" ? "$word" : "${words[index]}", [withValue, { when: ["-*"], act: ":" }, { when: ["*"], act: TAKE[shell] }]))}
${switchOf("$command $prev", rows.values)}
${switchOf("$command", rows.words)}
${FOOT[shell]}
`;
}

/** What is done when a text matches one of the patterns. */
interface Row {
  readonly when: readonly string[];
  readonly act: string;
}

/** An option, and what its value is; without one it takes none. */
interface Completed {
  readonly long: string;
  readonly short?: string;
  readonly summary: string;
  readonly value: "text" | "directory" | "file" | readonly string[] | undefined;
}

const commonOptions: readonly Completed[] = [
  ...COMMON_OPTIONS.map(completedOf),
  { long: "--help", short: "-h", summary: "show the help of the command", value: undefined },
];

function completedOf({ placeholder, ...option }: CommonOption): Completed {
  return { ...option, value: placeholder === undefined ? undefined : placeholder === "DIR" ? "directory" : "text" };
}

function ownOf(spec: CommandSpec): readonly Completed[] {
  const options = spec.fields.filter((field) => !isArgument(field));
  const own = options.map((field) => ({ long: optionOf(field), summary: field.summary, value: valueOf(field) }));
  return [...own, ...ownOptionsOf(spec).map(completedOf)];
}

function valueOf({ kind }: Field): Completed["value"] {
  if (kind.kind === "flag") return undefined;
  if (kind.kind === "choice") return kind.values;
  return kind.kind === "file" || kind.kind === "output" ? "file" : "text";
}

function namesOf({ long, short }: Pick<Completed, "long" | "short">): readonly string[] {
  return short === undefined ? [long] : [short, long];
}

/** By a command and an option, what its value may be; nothing for a free text. */
function valueRows(commands: readonly CommandSpec[], names: readonly string[]): readonly Row[] {
  const longestFirst = commands.toSorted((a, b) => b.command.length - a.command.length);
  const own = longestFirst.flatMap((spec) =>
    ownOf(spec).flatMap(({ long, value }) => {
      if (value === undefined || value === "text") return [];
      const items = typeof value === "string" ? [] : value.map((word) => item(word));
      return [
        {
          when: [`${spec.command.join(" ")} *${long}`],
          act: offer(typeof value === "string" ? value : "words", items),
        },
      ];
    }),
  );
  const folders = commonOptions.filter(({ value }) => value === "directory").flatMap(namesOf);
  const row = (of: readonly string[], act: string): Row => ({ when: of.map((name) => `* ${name}`), act });
  return [...own, row(folders, offer("directory", [])), row(names, ":")].map((one) => ({
    ...one,
    act: `${one.act}; return`,
  }));
}

/** By the words before, what may come next: commands, values of an argument, options. */
function wordRows(commands: readonly CommandSpec[]): readonly Row[] {
  const groups = [...new Set(commands.flatMap(({ command }) => (command.length > 1 ? [command[0] ?? ""] : [])))];
  const common = commonOptions.flatMap(optionItems);
  const next = (after: string): readonly string[] => nextItems(after, commands);
  const firsts = next("");
  const isCommand = (name: string): boolean => commands.some(({ command }) => command.join(" ") === name);
  const rowsOf = (spec: CommandSpec): readonly Row[] => {
    const name = spec.command.join(" ");
    const isFile = spec.fields.some((field) => isArgument(field) && field.kind.kind === "file");
    const items = [...argumentValues(spec).map((value) => item(value)), ...ownOf(spec).flatMap(optionItems), ...common];
    const row = { when: [name, `${name} *`], act: offer(isFile ? "file" : "words", items) };
    const beginnings = next(name);
    return beginnings.length === 0 ? [row] : [{ when: [name], act: offer("words", [...beginnings, ...items]) }, row];
  };
  return [
    {
      when: [""],
      act: offer("words", [
        ...firsts,
        item("help", "Show the help of a command"),
        item("--version", "print the version"),
        ...common,
      ]),
    },
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

/** The words that may follow no word, or one that begins longer commands. */
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

function optionItems(option: Completed): readonly string[] {
  return namesOf(option).map((name) => item(name, option.summary));
}

/** In quotes that mean the same in each shell. */
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

/** How words are offered, and where the function begins. Options are offered behind a `-`; in bash always. */
const HEAD: Readonly<Record<Shell, string>> = {
  bash: `# heartwood: completion for bash
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
  zsh: `#compdef heartwood
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
  fish: `# heartwood: completion for fish
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
};

const shWalk = (choose: string): string => `  for ((index = first; index < current; index++)); do
${choose}
  done`;

/** Goes through the words before the cursor. */
const WALK: Readonly<Record<Shell, (choose: string) => string>> = {
  bash: shWalk,
  zsh: shWalk,
  fish: (choose) => `  for word in $words
    if test -n "$skips"
      set skips ''
      continue
    end
${choose}
  end`,
};

const SKIP: Readonly<Record<Shell, string>> = { bash: "((index++))", zsh: "((index++))", fish: "set skips yes" };

const shTake = 'command="${command:+$command }${words[index]}"';
const TAKE: Readonly<Record<Shell, string>> = {
  bash: shTake,
  zsh: shTake,
  fish: 'set command (string trim -- "$command $word")',
};

const FOOT: Readonly<Record<Shell, string>> = {
  bash: "}\ncomplete -F _heartwood heartwood",
  // The file is sourced, or it is the body of the function that completes.
  zsh: '}\nif [ "$funcstack[1]" = "_heartwood" ]; then _heartwood "$@"; else compdef _heartwood heartwood; fi',
  fish: "end\ncomplete -c heartwood -f -a '(_heartwood)'",
};
