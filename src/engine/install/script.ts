import { pathIn, type ClientPlaces } from "./places.ts";
import type { Wanted } from "./wanted.ts";

/** The script that clients call: its path stays the same when heartwood is updated, so that a client which trusts a command by its text is not asked again. */
export function scriptOf(places: ClientPlaces): Extract<Wanted, { kind: "own" }> {
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

/** An update of Node often takes the old one away, and removing the package takes the program: hooks that are still called must not fail their client. */
function shellText(node: string, program: string): string {
  return [
    "#!/bin/sh",
    "# Written by heartwood install: the program of the last install.",
    `node=${quoted(node)}`,
    `program=${quoted(program)}`,
    '[ -x "$node" ] || node=node',
    'if [ "${1-}" = hook ]; then',
    '  [ -f "$program" ] && command -v "$node" >/dev/null 2>&1 || exit 0',
    "fi",
    'exec "$node" "$program" "$@"',
    "",
  ].join("\n");
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
