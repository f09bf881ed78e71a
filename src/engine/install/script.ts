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
  const text = `#!/bin/sh\n# Written by heartwood install: the program of the last install.\nexec ${quoted(node)} ${quoted(program)} "$@"\n`;
  return { kind: "own", mode: "program", path: pathIn(places, places.state, "heartwood"), text };
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
