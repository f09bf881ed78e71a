import type { Warning } from "../base/errors.ts";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { Clock, Ids, Random } from "../ports/clock.ts";
import type { Commands } from "../ports/commands.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Files } from "../ports/files.ts";
import type { RecallSettings } from "../ports/recall-settings.ts";
import type { SummariesSettings } from "../ports/summaries-settings.ts";
import type { SearchIndex } from "../ports/search-index.ts";
import type { Summarizer } from "../ports/summarizer.ts";
import type { LocalState } from "../ports/local-state.ts";
import type { Locks } from "../ports/locks.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import type { Transcripts } from "../ports/transcripts.ts";
import type { Trust } from "../ports/trust.ts";
import type { ThreadSummarizer } from "../thread/summarizer.ts";
import type { TokenCounter } from "../ports/tokens.ts";

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
