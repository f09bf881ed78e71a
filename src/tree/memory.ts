import { ifMemoryError, type Warning } from "../base/errors.ts";
import type { ArtifactStore } from "../platform/file-artifacts.ts";
import type { Clock, Ids, Random } from "../platform/clock.ts";
import type { Commands } from "../platform/commands.ts";
import type { Files, FileStamp } from "../platform/files.ts";
import type { LocalState } from "../platform/local-state.ts";
import type { Locks } from "../platform/locks.ts";
import type { Trust } from "../platform/trust.ts";
import type { Workers } from "../platform/program.ts";
import type { RecallSettings, SummariesSettings } from "../platform/user-settings/models.ts";
import type { TokenCounter } from "../text/tokens/o200k.ts";
import type { LogLayout } from "./logs/log-layout.ts";
import { movedPath, recordsPath } from "./model/period.ts";
import type { PinnedRecord } from "./model/records-format.ts";

/** An open project folder and the external services that the tree and the audit use. Assembled by `open.ts`. */
export interface TreeMemory {
  /** Absolute path of the project folder; used only in messages. */
  readonly dir: string;
  readonly files: Files;
  readonly locks: Locks;
  /** Whether `.heartwood/` was created on this machine. Default: yes. */
  readonly localState?: LocalState;
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens: TokenCounter;
  readonly commands: Commands;
  /** Another memory's files, to compare with. Errors: `no_memory`, `other_owner`. Default: no other memory can be opened. */
  filesIn?(folder: string): Files;
  readonly ids: Ids;
  readonly artifacts: ArtifactStore;
  /** The artifacts in the folder, if `artifacts` are those of a server. Default: `artifacts`. */
  readonly ownArtifacts?: ArtifactStore;
  /** The user's own configuration. It never comes from a repository. */
  readonly user: UserSettings;
  readonly program: ProgramFacts;
  /** Whether agents may use this folder. Hooks, capture, background work and MCP run only in trusted folders. */
  readonly trust: Trust;
  /** The agent platform detected from the project folder and the home folder, for `init`. */
  readonly detected: { readonly platform: string; readonly because: string };
  /** The model named in the user's settings, if any. */
  readonly summarizer?: { readonly id: string };
  /** Other threads, for much work. Default: none. */
  readonly workers?: Workers;
  /** Called before memory-intensive work, possibly more than once. */
  readonly onWork?: () => void;
  /** Releases open resources. The memory can be used again afterwards. */
  close(): Promise<void>;
}

interface UserSettings {
  /** Run `qmd update` after a compaction. Default `off`. */
  readonly qmd: "off" | "update" | "update-and-embed";
  /** Model-written summaries. Default `off`. */
  readonly summaries?: SummariesSettings;
  /** Limits for the model that selects topics for recall. */
  readonly recall?: RecallSettings;
  /** Warnings about unknown keys. */
  readonly warnings?: readonly Warning[];
}

interface ProgramFacts {
  readonly version: string;
  readonly node: string;
}

/**
 * Returns the memory with shortened logs shown whole (docs/formats/audit.md, "Shortened notes"), or `memory` itself if
 * no log was shortened. The check costs one read. Call it before the work and again inside a lock, because an audit may
 * have run in between.
 * On the result, `files.list("memory")` reports the sizes of the whole logs and `files.read` returns their bytes;
 * `append` and `commit` change the notes on disk. The stamp of a shortened log also covers its parts. Reading such a
 * log fails with `archive_damaged` if a part is missing or does not match its record, or if the original note is
 * unknown.
 */
export async function withWholeLogs<Seen extends TreeMemory>(memory: Seen): Promise<Seen> {
  const files = realFilesOf(memory.files);
  if (files === memory.files && !(await mayExist(files, movedPath))) return memory;
  // Loaded on demand: most folders have no shortened logs.
  return (await import("./logs/logical-files.ts")).presentLogs(memory, files);
}

/**
 * Like `withWholeLogs`, with the changes of `log edit`, `log remove` and `topic rename`
 * (docs/formats/tree.md, "Changed logs"). Every line keeps its number. `append` and `commit` write what is really there.
 */
export async function withLogicalLogs<Seen extends TreeMemory>(memory: Seen): Promise<Seen> {
  const whole = await withWholeLogs(memory);
  const real = realFilesOf(memory.files);
  if (!(await mayExist(real, recordsPath))) {
    pins.delete(real);
    return whole;
  }
  return (await import("./logs/changed-logs.ts")).presentChanges(whole);
}

const pins = new WeakMap<Files, readonly PinnedRecord[]>();

/** What recall gives first or never, as of the last `withLogicalLogs`. Reads nothing. */
export function knownPins({ files }: Pick<TreeMemory, "files">): readonly PinnedRecord[] {
  return pins.get(realFilesOf(files)) ?? [];
}

/** For the code that reads the records. */
export function keepPins(files: Files, found: readonly PinnedRecord[]): void {
  pins.set(realFilesOf(files), found);
}

/** Returns true if the file exists or cannot be checked. */
async function mayExist(files: Files, path: string): Promise<boolean> {
  return (await files.read(path, { from: 0, to: 0 }).catch(ifMemoryError(() => true))) !== undefined;
}

export interface WholeLogs extends Files {
  readonly real: Files;
  layout(path: string): Promise<LogLayout | undefined>;
}

function isWholeLogs(files: Files): files is WholeLogs {
  return "real" in files;
}

export function realFilesOf(files: Files): Files {
  return isWholeLogs(files) ? files.real : files;
}

/**
 * The layout of a log shown whole by `withLogicalLogs`; `undefined` for any other file. Throws the same errors as
 * reading the log.
 */
export async function layoutOf(files: Files, path: string): Promise<LogLayout | undefined> {
  return isWholeLogs(files) ? files.layout(path) : undefined;
}

export function stampOfNote(stamp: FileStamp): FileStamp {
  const mark = stamp.indexOf(stampMark);
  return mark < 0 ? stamp : stamp.slice(0, mark);
}

/** Separates a note's own stamp from the description of its log's parts. */
export const stampMark = " with ";
