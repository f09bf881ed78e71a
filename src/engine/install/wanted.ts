import type { FileMode } from "../../ports/client-files.ts";
import type { JsonEntry } from "./json-entries.ts";
import type { ClientPlaces, Shipped } from "./places.ts";
import type { TomlTable } from "./toml-tables.ts";

/** What a client needs in one file. */
export type Wanted = { readonly path: string } & Contents;

export type Contents =
  | { readonly kind: "json"; readonly entries: readonly JsonEntry[] }
  | { readonly kind: "toml"; readonly table: TomlTable }
  | { readonly kind: "part"; readonly text: string }
  /** A file of our own, whole. */
  | { readonly kind: "own"; readonly text: string; readonly mode: Exclude<FileMode, "private"> }
  /** A file of the memory: made when it is absent, and never taken back. */
  | { readonly kind: "memory"; readonly text: string };

export type Scope = "user" | "project";

/** What a client is given to say what it needs. */
export interface ClientRequest {
  readonly scope: Scope;
  readonly places: ClientPlaces;
  readonly shipped: Shipped;
  /** The script that calls this program, absolute. */
  readonly script: string;
  /** The first of these files that is there, else the last of them. */
  firstThere(paths: readonly [string, ...string[]]): string;
}

export interface ClientPlan {
  readonly wanted: readonly Wanted[];
  /** What the person has to do, or to know, in sentences. */
  readonly notes: readonly string[];
}

/** Entries of ours in a file that only the client itself writes. */
export interface Trace {
  readonly path: string;
  readonly entries: readonly JsonEntry[];
}

export type Client = (request: ClientRequest) => ClientPlan;
