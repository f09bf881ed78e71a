export type { ArtifactStore } from "./platform/file-artifacts.ts";
export type { Clock, Ids, Random } from "./platform/clock.ts";
export type { CommandResult, Commands } from "./platform/commands.ts";
export type * from "./platform/files.ts";
export type { LocalState, Standing } from "./platform/local-state.ts";
export type { Lease, LockName, LockOptions, Locks } from "./platform/locks.ts";
export type { RecallSettings } from "./platform/user-settings/models.ts";
export type * from "./recall/index/search-index.ts";
export type { SummariesSettings } from "./platform/user-settings/models.ts";
export type { Summarizer, SummarizerAnswer, SummarizerPrompt } from "./summaries/memory.ts";
export type * from "./threads/store/thread-store.ts";
export type { Lease as JobLease } from "./threads/store/thread-store.ts";
export type * from "./text/tokens/o200k.ts";
export type {
  Client,
  LeftOut,
  ReadOptions,
  SessionFacts,
  sourceOfSubagent,
  Subagent,
  TranscriptItem,
  TranscriptMessage,
  TranscriptPosition,
  TranscriptQuery,
  Transcripts,
  TranscriptSource,
} from "./agents/transcripts/transcripts.ts";
export type { Trust, TrustGiver } from "./platform/trust.ts";
export type { FrameDraft, FrameType } from "./threads/model/frame.ts";
