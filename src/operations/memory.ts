import type { Warning } from "../base/errors.ts";
import type { ArtifactStore } from "../platform/artifact-store.ts";
import type { Clock, Ids, Random } from "../platform/clock.ts";
import type { Commands } from "../platform/commands.ts";
import type { Embedder } from "../recall/index/embedder.ts";
import type { Files } from "../platform/files.ts";
import type { RecallSettings } from "../platform/user-settings/recall-settings.ts";
import type { SummariesSettings } from "../platform/user-settings/summaries-settings.ts";
import type { SearchIndex } from "../recall/index/search-index.ts";
import type { Summarizer } from "../summaries/models/summarizer.ts";
import type { LocalState } from "../platform/local-state/port.ts";
import type { Locks } from "../platform/locks.ts";
import type { ThreadStore } from "../threads/store/thread-store.ts";
import type { Transcripts } from "../agents/transcripts/transcripts.ts";
import type { Trust } from "../platform/trust.ts";
import type { ThreadSummarizer } from "../threads/model/summarizer.ts";
import type { TokenCounter } from "../text/token-counter.ts";

/** An opened project folder: everything an operation needs from outside, put together by `open.ts`. */
export interface Memory {
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
  /** The frames of all threads. Opened when an operation on threads first asks for it, and kept open until `close`. */
  readonly threads: ThreadStore;
  readonly artifacts: ArtifactStore;
  /** What clients on this machine write of their conversations. */
  readonly transcripts: Transcripts;
  /** The index that search and recall ask. Opened when first asked. */
  readonly searchIndex: SearchIndex;
  /** What makes vectors of texts; absent without one. Opened when a text is to have its vector. */
  readonly embedder?: NamedEmbedder;
  /** Others that a project may choose by name: those of the person's settings. */
  readonly embedders?: ReadonlyMap<string, NamedEmbedder>;
  /** What makes the lines of thread summaries. Default: the built-in one, which needs no model. */
  readonly threadSummarizer?: ThreadSummarizer;
  /** The model that the person's settings name; absent without one. Opened when a request is about to go out. */
  readonly summarizer?: NamedSummarizer;
  /** The model that the person's settings let choose among nodes for recall; absent without one. Opened when a request is about to go out. */
  readonly chooser?: NamedSummarizer;
  /** The person's own configuration, which never comes with a repository. */
  readonly user: UserSettings;
  readonly program: ProgramFacts;
  /** Whether agents may use this folder: hooks, capture, background work and MCP act only in a trusted one. */
  readonly trust: Trust;
  /** What platform the folder and the home look like, for `init`. */
  readonly detected: { readonly platform: string; readonly because: string };
  /** Called when work begins that takes memory, perhaps more than once. */
  readonly onWork?: () => void;
  /** Closes what is open. The memory can be used again afterwards. */
  close(): Promise<void>;
}

export interface UserSettings {
  /** Run `qmd update` after a compaction. Default `off`. */
  readonly qmd: "off" | "update" | "update-and-embed";
  /** Summaries by a model. Default `off`. */
  readonly summaries?: SummariesSettings;
  /** The bounds of `chooser`. */
  readonly recall?: RecallSettings;
  /** Of keys that are not known. */
  readonly warnings?: readonly Warning[];
}

/** A summarizer whose id is known before it is opened: opening may load a package or a model. */
export interface NamedSummarizer extends Pick<Summarizer, "id" | "contextTokens"> {
  open(): Promise<Summarizer>;
}

/** An embedder whose id is known before it is opened: opening may load a table or a model. The one opened is kept. */
export interface NamedEmbedder extends Pick<Embedder, "id"> {
  /** `slow`: a query that finds new sources does not wait for their vectors; whoever brings the whole index up to date makes them. Default: it waits. */
  readonly pace?: "slow";
  open(): Promise<Embedder>;
}

export interface ProgramFacts {
  readonly version: string;
  readonly node: string;
}
