import type { Background } from "../../platform/background.ts";
import type { AgentMemory } from "../memory.ts";

/** Our names for the clients' events. */
export const hookEvents = ["session-start", "prompt", "turn-end", "before-compaction", "session-end"] as const;
export type HookEvent = (typeof hookEvents)[number];

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
  /** Why a session starts: `startup`, `resume`, `compact`, …. */
  readonly source: string;
  readonly prompt: string;
  /** The client's prompt id. */
  readonly promptId: string;
  /** Absolute path of the transcript. */
  readonly transcript: string;
  /** `had`: the client loads ROOT.md itself, so the text at the start of a session omits it. */
  readonly root: "wanted" | "had";
  readonly space: Space;
  /** Whether `capture` reads the client's transcripts. */
  readonly captured: "yes" | "no";
}

/** The answer to an event: `text` for the client's model, `notice` for the user. Either may be empty. */
export interface HookAnswer {
  readonly text: string;
  readonly notice: string;
}

export interface HookHost {
  readonly memory: AgentMemory;
  readonly background: Background;
}

/**
 * Milliseconds from the start of the process after which a hook exits, whatever it is doing (docs/formats/hooks.md). The sum for a prompt and the end of its turn is small enough
 * that two installs whose hooks run one after another delay a client by less than 5 seconds.
 */
export const longestMs: Readonly<Record<HookEvent, number>> = {
  "session-start": 1500,
  prompt: 1500,
  "turn-end": 800,
  "before-compaction": 800,
  "session-end": 800,
};
