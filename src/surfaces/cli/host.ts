import type { Installing } from "../../agents/install/client-files.ts";
import type { InstallRequest } from "../../agents/install/run-install.ts";
import type { Memory } from "../../operations/operation.ts";
import type { CommandSpec, CommonOptions } from "../../operations/command-line.ts";
import type { openTrusted } from "../../platform/trust.ts";
import type { Input } from "./input.ts";
import type { Terminal } from "./terminal.ts";

/** What `main.ts` provides to the command line: functions to open a memory and everything around it. */
export interface Host {
  version(): Promise<string>;
  open(options: HostOptions): Promise<Memory>;
  /** Opens a memory on a new temporary copy of the sample logs. */
  openSamples(options: Pick<HostOptions, "today" | "timeZone">): Promise<Samples>;
  /** The clients' files on this machine. `dir` is the project folder, for installs into a project. */
  openInstalling(dir: string | undefined): Promise<Installing & Pick<InstallRequest, "shipped">>;
  openTrust(): Promise<HostTrust>;
}

export interface Samples {
  readonly memory: Memory;
  remove(): Promise<void>;
}

export interface HostOptions {
  readonly dir?: string;
  readonly today?: string;
  readonly timeZone?: string;
  /** `found`: a folder that has a memory; `prepared`: any folder, created if missing. */
  readonly folder: "found" | "prepared";
  /** `reported`: unreadable user settings are a warning, not an error. */
  readonly settings?: "reported";
}

export interface HostTrust extends Omit<ReturnType<typeof openTrusted>, "isAccepted" | "covers"> {
  /** The given folder, else the nearest memory at or above the current folder, else the current folder. Errors: `invalid_path`. */
  folderOf(named: string | undefined): string;
  /** Why the `.heartwood/` of a trusted folder is not used; empty if it is. */
  unusedState(dir: string): string;
  /** Errors: `other_owner` if another user owns the folder or the memory in it. */
  refuseOtherOwner(dir: string): void;
}

/** The input of a command that is not an operation on a memory. */
export interface LocalCall {
  readonly input: Input;
  readonly common: CommonOptions;
  readonly terminal: Terminal;
  readonly host: Host;
  readonly commands: readonly CommandSpec[];
}
