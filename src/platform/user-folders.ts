import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { MemoryError } from "../base/errors.ts";

/** Heartwood's folder for the user's state, `${XDG_STATE_HOME:-~/.local/state}/heartwood`; `undefined` if neither the variable nor a home folder is set. */
export function userStateFolder(): string | undefined {
  return userFolder("XDG_STATE_HOME", "state");
}

/** The folder of the personal memory, `${XDG_DATA_HOME:-~/.local/share}/heartwood`, whether it exists or not; `undefined` like `userStateFolder`. */
export function userDataFolder(): string | undefined {
  return userFolder("XDG_DATA_HOME", "share");
}

/** The same. Errors: `io` if there is none. */
export function personalFolder(): string {
  const dir = userDataFolder();
  if (dir !== undefined) return dir;
  const message = "HOME is not the absolute path of an existing folder, so there is no personal memory; set it to one.";
  throw new MemoryError("io", message);
}

function userFolder(variable: "XDG_STATE_HOME" | "XDG_DATA_HOME", below: "state" | "share"): string | undefined {
  const named = process.env[variable];
  // Per the XDG spec, a relative path counts as unset.
  if (named !== undefined && isAbsolute(named)) return join(resolve(named), "heartwood");
  const home = homedir();
  return isAbsolute(home) && existsSync(home) ? join(home, ".local", below, "heartwood") : undefined;
}
