import type { Warning } from "../base/errors.ts";
import type { ArtifactStore } from "../platform/file-artifacts.ts";
import type { Clock, Ids, Random } from "../platform/clock.ts";
import type { Commands } from "../platform/commands.ts";
import type { Files } from "../platform/files.ts";
import type { LocalState } from "../platform/local-state.ts";
import type { Locks } from "../platform/locks.ts";
import type { Trust } from "../platform/trust.ts";
import type { RecallSettings, SummariesSettings } from "../platform/user-settings/models.ts";
import type { TokenCounter } from "../text/tokens/o200k.ts";

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
