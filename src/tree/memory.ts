import { ifMemoryError, type Warning } from "../base/errors.ts";
import type { ArtifactStore } from "../platform/file-artifacts.ts";
import type { Clock, Ids, Random } from "../platform/clock.ts";
import type { Commands } from "../platform/commands.ts";
import type { Files, FileStamp } from "../platform/files.ts";
import type { LocalState } from "../platform/local-state.ts";
import type { Locks } from "../platform/locks.ts";
import type { Trust } from "../platform/trust.ts";
import type { RecallSettings, SummariesSettings } from "../platform/user-settings/models.ts";
import type { TokenCounter } from "../text/tokens/o200k.ts";
import type { LogLayout } from "./logs/log-layout.ts";
import { movedPath } from "./model/period.ts";

/** An opened project folder as the tree and the audit see it: what they need from outside, put together by `open.ts`. */
export interface TreeMemory {
  /** Absolute path of the project folder, for messages only. */
  readonly dir: string;
  readonly files: Files;
  readonly locks: Locks;
  /** Whether `.heartwood/` was made here. Absent: it was. */
  readonly localState?: LocalState;
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens: TokenCounter;
  readonly commands: Commands;
  readonly ids: Ids;
  readonly artifacts: ArtifactStore;
  /** The user's own configuration, which never comes with a repository. */
  readonly user: UserSettings;
  readonly program: ProgramFacts;
  /** Whether agents may use this folder: hooks, capture, background work and MCP act only in a trusted one. */
  readonly trust: Trust;
  /** What platform the folder and the home look like, for `init`. */
  readonly detected: { readonly platform: string; readonly because: string };
  /** The model that the user's settings name; absent without one. */
  readonly summarizer?: { readonly id: string };
  /** Called when work begins that takes memory, perhaps more than once. */
  readonly onWork?: () => void;
  /** Closes what is open. The memory can be used again afterwards. */
  close(): Promise<void>;
}

interface UserSettings {
  /** Run `qmd update` after a compaction. Default `off`. */
  readonly qmd: "off" | "update" | "update-and-embed";
  /** Summaries by a model. Default `off`. */
  readonly summaries?: SummariesSettings;
  /** The limits of the model that chooses topics for recall. */
  readonly recall?: RecallSettings;
  /** About unknown keys. */
  readonly warnings?: readonly Warning[];
}

interface ProgramFacts {
  readonly version: string;
  readonly node: string;
}

/**
 * The memory as the tree reads it: shortened logs are whole again (docs/formats/audit.md, "Shortened notes"). The same memory when none was shortened;
 * finding that out costs one read. Call it when the work begins and again inside a lock, since an audit may have come between.
 *
 * `files.list("memory")` gives the sizes of the whole logs, `files.read` their bytes; `append` and `commit` change the notes as they are. The stamp of
 * a log that was shortened also says what it is put together from. Reading it fails with `archive_damaged` while a part is missing or is not as
 * recorded, or while it is unknown what the note was.
 */
export async function withLogicalLogs<Seen extends TreeMemory>(memory: Seen): Promise<Seen> {
  const files = realFilesOf(memory.files);
  if (files === memory.files && !(await mayHaveRecord(files))) return memory;
  // Loaded late: in most folders nothing was ever shortened.
  return (await import("./logs/logical-files.ts")).presentLogs(memory, files);
}

/** Also when that cannot be found out. */
async function mayHaveRecord(files: Files): Promise<boolean> {
  return (await files.read(movedPath, { from: 0, to: 0 }).catch(ifMemoryError(() => true))) !== undefined;
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

/** The layout of a log that `withLogicalLogs` presents; `undefined` for every other file. Errors: those of reading it. */
export async function layoutOf(files: Files, path: string): Promise<LogLayout | undefined> {
  return isWholeLogs(files) ? files.layout(path) : undefined;
}

export function stampOfNote(stamp: FileStamp): FileStamp {
  const mark = stamp.indexOf(stampMark);
  return mark < 0 ? stamp : stamp.slice(0, mark);
}

/** Stands between the stamp of a note and what says of which parts its log is put together. */
export const stampMark = " with ";
