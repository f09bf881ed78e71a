import type { Shared } from "./contents.ts";

export const clientNames = [
  "claude-code",
  "codex",
  "opencode",
  "openclaw",
  "gemini",
  "copilot",
  "cursor",
  "windsurf",
] as const;

export type ClientName = (typeof clientNames)[number];

/**
 * Files of other programs, by absolute path. A file that is a link is refused, and so is a way that leaves the folders that the adapter was given through a link (`link_outside`), and anything else that is not a regular file (`not_a_file`). Other errors: `io`, `disk_full`.
 */
export interface ClientFiles {
  /** The bytes; `undefined` if there is no file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces, creates or removes the whole file if it is still as before. At any time it is the old one or the new one. `changed`: another program
   * changed it first, and nothing was done. Missing folders are created. An existing file keeps its permissions.
   */
  commit(edit: Edit): Promise<"done" | "changed">;
  /** Removes what a `commit` in the folder of this file left when it was cut off. */
  sweep(path: string): Promise<void>;
  /** Removes the folder if it exists and is empty. */
  removeFolder(path: string): Promise<"gone" | "kept">;
  /** The names in a folder, sorted; `undefined` if it does not exist. */
  list(path: string): Promise<readonly string[] | undefined>;
}

/** One file as it is and as it will be; `undefined` for no file. */
export interface Edit {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Permissions of a new file. `private`: for this user alone. `program`: executable. */
  readonly mode: FileMode;
}

export type FileMode = "usual" | "private" | "program";

/** The folders and files of this machine for an installation; all paths are absolute. */
export interface ClientPlaces extends ClientFolders {
  /** Where our record and the script are. */
  readonly state: string;
  /** The program that the script runs, and its version. */
  readonly program: string;
  readonly version: string;
}

export interface ClientFolders {
  readonly system: "posix" | "windows";
  readonly home: string;
  readonly project: string;
  /** `~/.claude`, or `CLAUDE_CONFIG_DIR`. */
  readonly claude: string;
  /** `~/.claude.json`, or the one in `CLAUDE_CONFIG_DIR`. */
  readonly claudeState: string;
  /** `~/.codex`, or `CODEX_HOME`. */
  readonly codex: string;
  /** `~/.copilot`, or `COPILOT_HOME`. */
  readonly copilot: string;
  /** The home that Gemini CLI uses: this one, or `GEMINI_CLI_HOME`. */
  readonly gemini: string;
  /** `~/.config/opencode`, by `XDG_CONFIG_HOME`. */
  readonly opencode: string;
  /** `~/.openclaw/workspace`, by `OPENCLAW_WORKSPACE_DIR`, `OPENCLAW_STATE_DIR`, `OPENCLAW_PROFILE` and `OPENCLAW_HOME`. */
  readonly openclaw: string;
  /** The Node that runs now. */
  readonly node: string;
}

export interface Shipped {
  /** The text of each SKILL.md, and the name of its folder. */
  readonly skills: readonly { readonly name: string; readonly text: string }[];
  /** The plugin for OpenCode, which names the program `heartwood`. */
  readonly opencodePlugin: string;
  /** The plugin for OpenClaw: `index.js`, which names the program `heartwood`, `openclaw.plugin.json` and `package.json`. */
  readonly openclawPlugin: { readonly index: string; readonly manifest: string; readonly description: string };
}

export type Scope = "user" | "project";

export interface ClientRequest {
  readonly scope: Scope;
  readonly places: ClientPlaces;
  readonly shipped: Shipped;
  /** The script that calls this program, absolute. */
  readonly script: string;
}

export type Wanted = { readonly path: string } & (
  | Shared
  | OwnFile
  /** A file of the memory: created if it is absent, and never taken back. */
  | { readonly kind: "memory"; readonly text: string }
);

export interface OwnFile {
  readonly kind: "own";
  readonly text: string;
  readonly mode: Exclude<FileMode, "private">;
}

export interface Installing {
  readonly files: ClientFiles;
  readonly places: ClientPlaces;
}

export function pathIn({ system }: ClientPlaces, ...parts: readonly string[]): string {
  return system === "windows" ? parts.join("\\").replaceAll("/", "\\") : parts.join("/");
}
