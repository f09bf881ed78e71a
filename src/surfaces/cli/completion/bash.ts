import type { CompletedCommand, CompletedOption, CompletionModel } from "./model.ts";

/** A script to source in bash 3.2 or later. */
export function bashScript(model: CompletionModel): string {
  return `# heartwood: completion for bash
_heartwood() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" index
  local IFS=$' \\t\\n'
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${namesWithValue(model).join("|")}) ((index++)) ;;
      -*) ;;
      *) command="\${command:+$command }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$command $prev" in
${valueCases(model).join("\n")}
  esac
  case "$command" in
${wordCases(model).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _heartwood heartwood
`;
}

function namesOf({ long, short }: CompletedOption): readonly string[] {
  return short === undefined ? [long] : [short, long];
}

function namesWithValue({ commands, common }: CompletionModel): readonly string[] {
  const options = [...common, ...commands.flatMap((command) => command.options)];
  return [...new Set(options.filter(({ value }) => value !== "none").flatMap(namesOf))];
}

function valueCases(model: CompletionModel): readonly string[] {
  const own = model.commands.flatMap(({ words, options }) =>
    options.flatMap(({ long, value }) => {
      const offer = offerOf(value);
      return offer === undefined ? [] : [`    "${words.join(" ")} "*"${long}") ${offer}; return ;;`];
    }),
  );
  const folders = model.common.filter(({ value }) => value === "folder").flatMap(namesOf);
  const others = namesWithValue(model).filter((name) => !folders.includes(name));
  return [
    ...own,
    `    ${folders.map((name) => `*" ${name}"`).join("|")}) ${PATHS("d")}; return ;;`,
    `    ${others.map((name) => `*" ${name}"`).join("|")}) return ;;`,
  ];
}

function offerOf(value: CompletedOption["value"]): string | undefined {
  if (value === "folder") return PATHS("d");
  if (value === "file") return PATHS("f");
  return value === "none" || value === "text" ? undefined : `COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$cur"))`;
}

/** Offers paths, those of folders (`d`) or of all files (`f`). */
const PATHS = (kind: "d" | "f"): string =>
  `IFS=$'\\n'; COMPREPLY=($(compgen -${kind} -- "$cur")); compopt -o filenames 2>/dev/null`;

function wordCases({ commands, common, next }: CompletionModel): readonly string[] {
  const shared = common.flatMap(namesOf).join(" ");
  const wordsOf = (after: string): string =>
    (next.find((entry) => entry.after === after)?.words ?? []).map(({ word }) => word).join(" ");
  const commandCase = ({ words, options, values, argument }: CompletedCommand): string => {
    const name = words.join(" ");
    const all = [...values, ...options.map(({ long }) => long)].join(" ");
    const paths = argument === "file" ? `[[ $cur == -* ]] || { ${PATHS("f")}; return; }; ` : "";
    const alone = wordsOf(name) === "" ? "" : `    "${name}") words="${`${wordsOf(name)} ${all} ${shared}`}" ;;\n`;
    return `${alone}    "${name}"|"${name} "*) ${paths}words="${`${all} ${shared}`.trim()}" ;;`;
  };
  const groups = next.map(({ after }) => after).filter((after) => after !== "");
  const isCommand = (name: string): boolean => commands.some(({ words }) => words.join(" ") === name);
  const beginnings = groups
    .filter((after) => !isCommand(after))
    .map((after) => `    "${after}") words="${wordsOf(after)}" ;;`);
  const help = `    "help") words="${wordsOf("").replace(/ ?\bhelp\b/, "")}" ;;`;
  const helpOfGroups = groups.map((after) => `    "help ${after}") words="${wordsOf(after)}" ;;`);
  return [
    `    "") words="${wordsOf("")} --version ${shared}" ;;`,
    ...beginnings,
    help,
    ...helpOfGroups,
    ...commands.map(commandCase),
  ];
}
