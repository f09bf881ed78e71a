import { memoryApi, runOn } from "./api/bind.ts";
import type { Memory } from "./api/memory.ts";
import { openMemory as openContext } from "./open.ts";

export interface OpenOptions {
  /** The project folder that contains `memory/`. Default: the nearest one, searching upward from the current folder; in a git worktree, that of the main checkout. */
  readonly dir?: string;
  /** Accept a folder without a memory, creating the folder if missing; `init` then creates the memory. Default `false`: fail with `no_memory`. */
  readonly create?: boolean;
  /** YYYY-MM-DD. Default: `HEARTWOOD_TODAY`, then the current day. */
  readonly today?: string;
  /** IANA time zone. Default: `HEARTWOOD_TIME_ZONE`, then `TZ`, then the system's time zone. */
  readonly timeZone?: string;
  /**
   * Whether to accept files in this folder that belong to other users. `given`: yes, for this call. `recorded`: only if `heartwood trust` recorded
   * the user's consent. Default `recorded`.
   */
  readonly consent?: "given" | "recorded";
}

/**
 * Opens the memory of a project folder. Lazy: nothing in the memory is opened or read until a method needs it. Errors: `no_memory`,
 * `other_owner`, `invalid_config`, `invalid_date`, `invalid_time_zone`.
 */
export async function openMemory({ create, ...options }: OpenOptions = {}): Promise<Memory> {
  const ports = await openContext({ ...options, folder: create === true ? "prepared" : "found" });
  return memoryApi(runOn(ports), ports);
}
