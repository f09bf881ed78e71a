import type { Warning } from "../base/errors.ts";
import { stateFolder } from "../base/known-paths.ts";
import type { Check } from "./doctor-fix.ts";
import type { Memory } from "./memory.ts";

/** What of `.heartwood/` is not used, and why; without writing anything. */
export function standingWarnings(memory: Memory): readonly Warning[] {
  return checkStanding(memory).map(({ message }) => ({ code: "foreign_state", path: stateFolder, message }));
}

export function checkStanding({ localState }: Memory): readonly Check[] {
  const standing = localState?.look();
  const check = { name: stateFolder, fix: null };
  if (standing?.is === "foreign") return [{ ...check, state: "problem", message: standing.message }];
  if (standing?.is !== "older" || standing.problem === undefined) return [];
  return [{ ...check, state: "note", message: `caches and index are not kept: ${standing.problem}` }];
}
