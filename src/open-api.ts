import { memoryApi, runOn } from "./api/bind.ts";
import type { Memory } from "./api/memory.ts";
import { openMemory as openContext } from "./open.ts";

export interface OpenOptions {
  /** The project folder that contains `memory/`. Default: the nearest one, searching upward from the current folder. */
  readonly dir?: string;
  /** Accept a folder without a memory, and create the folder if it does not exist; `init` creates the memory. Default `false`: `no_memory`. */
  readonly create?: boolean;
  /** YYYY-MM-DD. Default: `HEARTWOOD_TODAY`, else the real day. */
  readonly today?: string;
  /** IANA name. Default: `HEARTWOOD_TIME_ZONE`, then `TZ`, then the system's zone. */
  readonly timeZone?: string;
  /**
   * Whether the user accepts other users' files in this folder: `given` for this call, `recorded` if `heartwood trust` recorded it.
   * Default `recorded`.
   */
  readonly consent?: "given" | "recorded";
}

/**
 * Opens the memory of a project folder. Reads nothing yet, and opens nothing before a method needs it. Errors: `no_memory`,
 * `other_owner`, `invalid_config`, `invalid_date`, `invalid_time_zone`.
 */
export async function openMemory({ create, ...options }: OpenOptions = {}): Promise<Memory> {
  const ports = await openContext({ ...options, folder: create === true ? "prepared" : "found" });
  return memoryApi(runOn(ports), ports);
}
