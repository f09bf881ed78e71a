import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Heartwood's folder of the user's own state, `${XDG_STATE_HOME:-~/.local/state}/heartwood`; `undefined` where the user has no home and names none. */
export function userStateFolder(): string | undefined {
  const named = process.env["XDG_STATE_HOME"];
  // The XDG specification: a relative path counts as not set.
  if (named !== undefined && isAbsolute(named)) return join(resolve(named), "heartwood");
  const home = homedir();
  return isAbsolute(home) && existsSync(home) ? join(home, ".local", "state", "heartwood") : undefined;
}

/** A folder for what may be forgotten at any time, of this user alone. It is not made here. */
export function passingFolder(): string {
  return join(tmpdir(), `heartwood-${process.getuid?.() ?? "user"}`);
}
