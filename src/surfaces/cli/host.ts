import type { Installing } from "../../agents/install/record.ts";
import type { InstallRequest } from "../../agents/install/run-install.ts";
import type { Memory } from "../../operations/operation.ts";
import type { CommandSpec, CommonOptions } from "../../operations/command-line.ts";
import type { Input } from "./input.ts";
import type { Terminal } from "./terminal.ts";

/** What the command line is given by its `main.ts`: how to open a memory, and who it is. */
export interface Host {
  version(): Promise<string>;
  open(options: HostOptions): Promise<Memory>;
  /** A memory over a new temporary copy of the shipped samples. */
  openSamples(options: Pick<HostOptions, "today" | "timeZone">): Promise<Samples>;
  /** The files of the clients of this machine; `dir`: the project for what goes into one. */
  openInstalling(dir: string | undefined): Promise<OpenedInstalling>;
  /** The folders that the user trusts. */
  openTrust(): Promise<HostTrust>;
}

interface OpenedInstalling extends Installing {
  readonly shipped: InstallRequest["shipped"];
}

export interface HostOptions {
  readonly dir?: string;
  readonly today?: string;
  readonly timeZone?: string;
  /** `found`: a folder that has a memory; `prepared`: any folder, made when absent. */
  readonly folder: "found" | "prepared";
  /** `reported`: settings of the user that cannot be read are a warning, not an error. */
  readonly settings?: "reported";
}

export interface Samples {
  readonly memory: Memory;
  remove(): Promise<void>;
}

/** A folder in the list. */
export interface ListedFolder {
  readonly path: string;
  /** `missing`: it is not there. `other_owner`: it belongs to another user than when it was trusted, so it is not. */
  readonly state: "trusted" | "missing" | "other_owner";
}

/** The user's trust as the command line uses it. */
export interface HostTrust {
  list(): readonly ListedFolder[];
  /** The named folder, else the nearest memory upwards, else the current folder. Errors: `invalid_path`. */
  folderOf(named: string | undefined): string;
  isTrusted(dir: string): boolean;
  add(dir: string, by: "install" | "trust"): "added" | "known";
  /** Why the `.heartwood/` of a trusted folder is not used; empty when it is. */
  unusedState(dir: string): string;
  remove(dir: string): "removed" | "unknown";
  removeInstalled(isInUse: (dir: string) => boolean): void;
  /** Errors: `other_owner` when another user owns the folder or the memory in it. */
  refuseOtherOwner(dir: string): void;
  wasOffered(dir: string): boolean;
  markOffered(dir: string): void;
}

/** What a command is given that is no operation on a memory. */
export interface LocalCall {
  readonly input: Input;
  readonly common: CommonOptions;
  readonly terminal: Terminal;
  readonly host: Host;
  /** All commands, for those that speak of the others. */
  readonly commands: readonly CommandSpec[];
}
