import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Heartwood's folder in the user's state folder; `undefined` where the user has no home and names none. */
export function findUserState(): string | undefined {
  const home = homedir();
  const folder = isAbsolute(home) ? stateBelow(home) : undefined;
  return folder?.startsWith(join(home, "/")) === true && !existsSync(home) ? undefined : folder;
}

export function stateBelow(home: string): string {
  return join(namedFolder("XDG_STATE_HOME", join(home, ".local", "state")), "heartwood");
}

/** The folder that the variable names, when its path is absolute. */
export function namedFolder(variable: string, usual: string): string {
  const value = process.env[variable];
  return value !== undefined && isAbsolute(value) ? resolve(value) : usual;
}
