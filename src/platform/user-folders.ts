import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Heartwood's folder of the user's own state, `${XDG_STATE_HOME:-~/.local/state}/heartwood`; `undefined` where the user has no home and names none. */
export function userStateFolder(): string | undefined {
  const named = process.env["XDG_STATE_HOME"];
  // The XDG specification: a relative path counts as not set.
  if (named !== undefined && isAbsolute(named)) return join(resolve(named), "heartwood");
  const home = homedir();
  return isAbsolute(home) && existsSync(home) ? join(home, ".local", "state", "heartwood") : undefined;
}
