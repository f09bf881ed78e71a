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
  const choices = model.commands.flatMap(({ words, options }) =>
    options.flatMap(({ long, value }) => {
      if (!Array.isArray(value)) return [];
      return [
        `    "${words.join(" ")} "*"${long}") COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$cur")); return ;;`,
      ];
    }),
  );
  const folders = model.common.filter(({ value }) => value === "folder").flatMap(namesOf);
  const files = model.commands
    .flatMap(({ options }) => options)
    .filter(({ value }) => value === "file")
    .map(({ long }) => long);
  const others = namesWithValue(model).filter((name) => !folders.includes(name) && !files.includes(name));
  const folderCase = `    ${folders.map((name) => `*" ${name}"`).join("|")}) ${PATHS("d")}; return ;;`;
  const fileCase = `    ${[...new Set(files)].map((name) => `*" ${name}"`).join("|")}) ${PATHS("f")}; return ;;`;
  return [
    ...choices,
    folderCase,
    ...(files.length > 0 ? [fileCase] : []),
    `    ${others.map((name) => `*" ${name}"`).join("|")}) return ;;`,
  ];
}

/** Offers paths, those of folders (`d`) or of all files (`f`). */
const PATHS = (kind: "d" | "f"): string =>
  `IFS=$'\\n'; COMPREPLY=($(compgen -${kind} -- "$cur")); compopt -o filenames 2>/dev/null`;

function wordCases({ commands, common, next }: CompletionModel): readonly string[] {
  const shared = common.flatMap(namesOf).join(" ");
  const commandCase = ({ words, options, values, argument }: CompletedCommand): string => {
    const all = [...values, ...options.map(({ long }) => long)].join(" ");
    const paths = argument === "file" ? `[[ $cur == -* ]] || { ${PATHS("f")}; return; }; ` : "";
    return `    "${words.join(" ")}"|"${words.join(" ")} "*) ${paths}words="${`${all} ${shared}`.trim()}" ;;`;
  };
  const beginnings = next.map(({ after, words }) => {
    const list = words.map(({ word }) => word).join(" ");
    return `    "${after}") words="${after === "" ? `${list} --version ${shared}` : list}" ;;`;
  });
  const firsts = next.find(({ after }) => after === "")?.words.map(({ word }) => word) ?? [];
  const help = `    "help") words="${firsts.filter((word) => word !== "help").join(" ")}" ;;`;
  const helpOfGroups = next
    .filter(({ after }) => after !== "")
    .map(({ after, words }) => `    "help ${after}") words="${words.map(({ word }) => word).join(" ")}" ;;`);
  return [...beginnings, help, ...helpOfGroups, ...commands.map(commandCase)];
}
