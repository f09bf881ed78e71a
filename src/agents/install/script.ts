import type { ClientPlaces } from "./client-files.ts";
import type { HookEvent } from "../hooks/hook-call.ts";
import type { ClientName } from "./client-names.ts";

/** Joins parts of a path with the separator of the system. */
export function pathIn({ system }: ClientPlaces, ...parts: readonly string[]): string {
  return system === "windows" ? parts.join("\\").replaceAll("/", "\\") : parts.join("/");
}

/** Begins a notice that only the model gets. */
const toPassOn = "Tell the user: ";

/** The script that clients call: its path stays the same when heartwood is updated, so that a client which trusts a command by its text is not asked again. */
export function scriptOf(places: ClientPlaces): Script {
  const { system, node, program } = places;
  if (system === "windows")
    return {
      kind: "own",
      mode: "program",
      path: pathIn(places, places.state, "heartwood.cmd"),
      text: `@echo off\r\n"${escapedForCmd(node)}" "${escapedForCmd(program)}" %*\r\n`,
    };
  const path = pathIn(places, places.state, "heartwood");
  return { kind: "own", mode: "program", path, text: shellText(node, program) };
}

interface Script {
  readonly kind: "own";
  readonly mode: "program";
  readonly path: string;
  readonly text: string;
}

/** An update of Node often takes the old one away, and removing the package takes the program: hooks that are still called say so at the start of a session, and never fail their client. */
function shellText(node: string, program: string): string {
  const gone = `the program ${inJson(program)} is gone. Install heartwood again and run:`;
  return [
    "#!/bin/sh",
    "# Written by heartwood install: the program of the last install.",
    `node=${quoted(node)}`,
    `program=${quoted(program)}`,
    '[ -x "$node" ] || node=node',
    "problem=",
    `command -v "$node" >/dev/null 2>&1 || problem=${quoted("no Node was found. Install Node 22.13 or newer and run:")}`,
    `[ -f "$program" ] || problem=${quoted(gone)}`,
    '[ -n "$problem" ] || exec "$node" "$program" "$@"',
    'problem="heartwood cannot run: $problem heartwood"',
    'if [ "${1-}" != hook ]; then',
    '  printf "%s install CLIENT\\n" "$problem" >&2',
    "  exit 3",
    "fi",
    '[ "${3-}" = session-start ] || exit 0',
    'case "${2-}" in',
    ...noticeForms.map(
      ({ clients, before, after }) =>
        `  ${clients.join("|")}) printf '%s%s%s\\n' ${quoted(before)} "$problem install $2 (or remove its hooks: heartwood uninstall $2)" ${quoted(after)} ;;`,
    ),
    "esac",
    "",
  ].join("\n");
}

/** How a text for the user is put to a client that starts hooks by a command line or a plugin, as `heartwood hook` prints it (src/surfaces/hook/clients.ts). */
const noticeForms: readonly {
  readonly clients: readonly ClientName[];
  readonly before: string;
  readonly after: string;
}[] = [
  { clients: ["claude-code", "codex", "gemini"], before: '{"systemMessage":"', after: '"}' },
  { clients: ["copilot"], before: `{"additionalContext":"${toPassOn}`, after: '"}' },
  { clients: ["cursor"], before: `{"additional_context":"${toPassOn}`, after: '"}' },
  { clients: ["opencode", "openclaw"], before: toPassOn, after: "" },
];

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The command line of a hook. At the start of a session it says when the script is gone; the client is never failed. */
export function hookCommandLine(
  { places, script }: { readonly places: ClientPlaces; readonly script: string },
  client: ClientName,
  event: HookEvent,
): string {
  const words = [script, "hook", client, event];
  if (places.system === "windows") return commandLine(places, words);
  const form = event === "session-start" ? noticeForms.find(({ clients }) => clients.includes(client)) : undefined;
  // In a shell of its own: the client may start it in fish or csh.
  if (form === undefined)
    return commandLine(places, ["sh", "-c", 'command -v "$0" >/dev/null && exec "$0" "$@"; exit 0', ...words]);
  const problem = `heartwood cannot run: ${inJson(script)} was not found. Install it again: heartwood install ${client} (or remove its hooks: heartwood uninstall ${client})`;
  const notice = `${form.before}${problem}${form.after}`;
  return commandLine(places, [
    "sh",
    "-c",
    'command -v "$1" >/dev/null && exec "$@"; printf "%s\\n" "$0"',
    notice,
    ...words,
  ]);
}

function escapedForCmd(path: string): string {
  return path.replaceAll("%", "%%");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The words as one command for a shell; those that need no quotes have none. */
export function commandLine({ system }: ClientPlaces, words: readonly string[]): string {
  return words
    .map((word) => {
      if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
      return system === "windows" ? `"${word}"` : quoted(word);
    })
    .join(" ");
}
