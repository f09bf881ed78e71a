import type { Configuration } from "../configuration.ts";
import type { LoadedTree } from "../load.ts";
import type { Memory } from "../memory.ts";
import type { Subject } from "./subject.ts";

/** What looking around told already; read anew where it is missing. */
export interface RootLook {
  readonly configuration: Configuration;
  /** With the raw logs as the tree reads them. */
  readonly loaded: LoadedTree;
}

/**
 * ROOT.md as something that a summary can be asked for: at most one subject, none while there is no ROOT.md of ours. `due` when no node is due and
 * ROOT.md is as its monthly nodes give it, else `open`.
 */
export async function rootSubjects(_memory: Memory, _look?: RootLook): Promise<readonly Subject[]> {
  return [];
}
