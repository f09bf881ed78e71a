import { Buffer, isUtf8 } from "node:buffer";
import { hasPart, putPart, takePart, refusal } from "./appended-part.ts";
import { hasEntries, putEntries, takeEntries, type JsonEntry } from "./json-entries.ts";
import { hasTable, putTable, takeTable, type TomlTable } from "./toml-table.ts";

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
 * Files of other programs, by absolute path. Refuses links and paths that leave the adapter's root folders through a link (`link_outside`), and anything else that is not a regular file (`not_a_file`). Other errors: `io`, `disk_full`.
 */
export interface ClientFiles {
  /** Returns the bytes; `undefined` if there is no file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Atomically replaces, creates or removes the whole file if it still has the bytes in `before`. `changed`: another program
   * changed it first, and nothing was done. Creates missing folders. An existing file keeps its permissions.
   */
  commit(edit: Edit): Promise<"done" | "changed">;
  /** Removes leftovers of interrupted commits in the folder of this file. */
  sweep(path: string): Promise<void>;
  /** Removes the folder if it exists and is empty. */
  removeFolder(path: string): Promise<"gone" | "kept">;
  /** Returns the names in a folder, sorted; `undefined` if it does not exist. */
  list(path: string): Promise<readonly string[] | undefined>;
}

/** The current and the new bytes of one file; `undefined` means no file. */
export interface Edit {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Permissions of a new file. `private`: only for this user. `program`: executable. */
  readonly mode: FileMode;
}

export type FileMode = "usual" | "private" | "program";

/** This machine's folders and files for an installation; all paths are absolute. */
export interface ClientPlaces extends ClientFolders {
  /** The folder of our record and the script. */
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
  /** `~/.config/opencode`, or below `XDG_CONFIG_HOME`. */
  readonly opencode: string;
  /** `~/.openclaw/workspace`, or as set by `OPENCLAW_WORKSPACE_DIR`, `OPENCLAW_STATE_DIR`, `OPENCLAW_PROFILE` and `OPENCLAW_HOME`. */
  readonly openclaw: string;
  /** The user's settings for heartwood: `~/.config/heartwood/config.json`, or below `XDG_CONFIG_HOME`. */
  readonly settings: string;
  /** The Node that is running this program. */
  readonly node: string;
}

export interface Shipped {
  /** Each skill's folder name and SKILL.md text. */
  readonly skills: readonly { readonly name: string; readonly text: string }[];
  /** The plugin for OpenCode, which calls the program as `heartwood`. */
  readonly opencodePlugin: string;
  /** The plugin for OpenClaw: `index.js`, which calls the program as `heartwood`, `openclaw.plugin.json` and `package.json`. */
  readonly openclawPlugin: { readonly index: string; readonly manifest: string; readonly description: string };
}

export type Scope = "user" | "project";

export interface ClientRequest {
  readonly scope: Scope;
  readonly places: ClientPlaces;
  readonly shipped: Shipped;
  /** Absolute path of the script that calls this program. */
  readonly script: string;
  /** `pull`: the agent gets the tool that writes summaries. Default `off`. */
  readonly summaries?: "pull" | "off";
}

export type Wanted = { readonly path: string } & (
  | Shared
  | OwnFile
  /** A file of the memory: created if missing, and never removed. */
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

/** What we put into another program's file. */
export type Shared =
  | { readonly kind: "json"; readonly entries: readonly JsonEntry[] }
  | { readonly kind: "toml"; readonly table: TomlTable }
  | { readonly kind: "part"; readonly text: string };

/** Adds the contents to the bytes. Errors: `invalid_config` for a file of another format. */
export function putContents(path: string, bytes: Uint8Array | undefined, contents: Shared): Uint8Array {
  const text = textOf(path, bytes) ?? "";
  if (contents.kind === "part") return Buffer.from(putPart(path, text, contents.text));
  if (contents.kind === "toml") return Buffer.from(putTable(path, text, contents.table));
  return Buffer.from(putEntries(path, text, contents.entries));
}

/** Whether the contents are there, even if a user added to our entries. Errors: `invalid_config`. */
export function hasContents(path: string, bytes: Uint8Array | undefined, contents: Shared): boolean {
  const text = textOf(path, bytes);
  if (text === undefined) return false;
  if (contents.kind === "part") return hasPart(text, contents.text);
  return contents.kind === "toml" ? hasTable(text, contents.table) : hasEntries(path, text, contents.entries);
}

/** Removes our contents. `before` is the file before they were added. Returns `undefined` if the file should be removed. Errors: `invalid_config` if the file no longer has that format. */
export function takeContents(
  path: string,
  bytes: Uint8Array,
  contents: Shared,
  before: Uint8Array | undefined,
): Uint8Array | undefined {
  const text = textOf(path, bytes) ?? "";
  const old = textOf(path, before);
  const rest =
    contents.kind === "part"
      ? takePart(text, old, contents.text)
      : contents.kind === "toml"
        ? takeTable(path, text, contents.table, old)
        : takeEntries(path, text, contents.entries, old);
  return rest === undefined || rest === old ? before : Buffer.from(rest);
}

/** The text, including a byte order mark. Errors: `invalid_config` for bytes that are not UTF-8. */
function textOf(path: string, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || isUtf8(bytes)) return bytes && Buffer.from(bytes).toString("utf8");
  throw refusal(path, `is not UTF-8; convert it (iconv -t utf-8) and run the command again.`);
}
