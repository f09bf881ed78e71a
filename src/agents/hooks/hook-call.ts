import type { Background } from "../../platform/commands.ts";
import type { AgentMemory } from "../memory.ts";

/** Our names for the clients' events. */
export const hookEvents = ["session-start", "prompt", "turn-end", "before-compaction", "session-end"] as const;
/** `subagent-start`: only in Claude Code. Other clients give the task of a subagent as a prompt. */
export type HookEvent = (typeof hookEvents)[number] | "subagent-start";

/** How much of a client's context a text may take; all given limits apply. */
export interface Space {
  /** As JavaScript counts them. */
  readonly characters: number;
  /** UTF-8. */
  readonly bytes?: number;
  /** o200k. */
  readonly tokens?: number;
}

/** A client's parsed input for one event; a missing text is empty. */
export interface HookCall {
  readonly client: string;
  readonly event: HookEvent;
  /** The client's session id. */
  readonly session: string;
  /** The id of the subagent that the event belongs to; empty in the main conversation. */
  readonly agent: string;
  /** The kind of that subagent, as its client names it. */
  readonly agentKind: string;
  /** Why a session starts: `startup`, `resume`, `compact`, …. */
  readonly source: string;
  readonly prompt: string;
  /** The client's prompt id. */
  readonly promptId: string;
  /** The client's time of the event in milliseconds, the same for all hooks of it. Default: the client gives none. */
  readonly time?: string;
  /** Absolute path of the transcript. */
  readonly transcript: string;
  /** The end of the transcript, if the client says only there that it compacted its context. */
  readonly transcriptEnd?: string;
  /** `had`: the client loads ROOT.md itself, so the text at the start of a session omits it. */
  readonly root: "wanted" | "had";
  readonly space: Space;
  /** `had`: the client loads MEMORY.md and USER.md itself. */
  readonly profile: "wanted" | "had";
  /**
   * Where the text at the start of a session goes. `kept`: into the history, where it stays. `system`: into the system prompt, which each process builds
   * anew; passages for a prompt stay for one turn. `prompt`: with the first prompt, because the client keeps it only there.
   */
  readonly start: "kept" | "system" | "prompt";
  /** How the client says that it compacted its context. `event`: before it does. `transcript`: only there. Default: the session starts again. */
  readonly compaction?: "event" | "transcript" | undefined;
  /** Whether `capture` reads the client's transcripts. */
  readonly captured: "yes" | "no";
}

/** The answer to an event: `text` for the client's model, `notice` for the user. Either may be empty. */
export interface HookAnswer {
  readonly text: string;
  readonly notice: string;
  /** Records the text; called after it was printed, so that nothing counts as given that the client did not get. */
  record?(): Promise<void>;
}

export interface HookHost {
  readonly memory: AgentMemory;
  readonly background: Background;
  /** Whether the hook has taken so long that it should read no more than necessary. Default: never. */
  isLate?(): boolean;
  /** Whether a prompt has taken so long that it should match by words only. Default: never. */
  isLateForMeaning?(): boolean;
}

/** Milliseconds from the start of the process after which a prompt does not begin to load vectors or the embedder, which take up to 100 ms more. */
export const latestMeaningMs = 160;

/**
 * Milliseconds from the start of the process after which a hook exits, whatever it is doing (docs/formats/hooks.md). The sum for a prompt and the end of its turn is small enough
 * that two installs whose hooks run one after another delay a client by less than 5 seconds.
 */
export const longestMs: Readonly<Record<HookEvent, number>> = {
  "session-start": 1500,
  prompt: 1500,
  "subagent-start": 1500,
  "turn-end": 800,
  "before-compaction": 800,
  "session-end": 800,
};
