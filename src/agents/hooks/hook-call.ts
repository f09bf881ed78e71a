import type { Background } from "../../platform/background.ts";
import type { Once } from "../../platform/once.ts";
import type { AgentMemory } from "../memory.ts";
import type { Space } from "./space.ts";

/** What happens in every client, by one name each. */
export const hookEvents = ["session-start", "prompt", "turn-end", "before-compaction", "session-end"] as const;
export type HookEvent = (typeof hookEvents)[number];

/** What a client told of one event, already read; a text that it did not tell is empty. */
export interface HookCall {
  /** `claude-code`, `codex`, …; letters, digits and hyphens. */
  readonly client: string;
  readonly event: HookEvent;
  /** The client's id of the session. */
  readonly session: string;
  /** Why a session starts: `startup`, `resume`, `compact`, …. */
  readonly source: string;
  readonly prompt: string;
  /** The client's id of the prompt. */
  readonly promptId: string;
  /** Absolute path of the transcript. */
  readonly transcript: string;
  /** `had`: the client has ROOT.md by itself, so that a session begins with the rest. */
  readonly root: "wanted" | "had";
  /** How much the client takes. */
  readonly space: Space;
  /** Whether `capture` knows the client's transcripts. */
  readonly captured: "yes" | "no";
}

/** What an event gives: `text` for the client's model, `notice` for the user; empty where there is none. */
export interface HookAnswer {
  readonly text: string;
  readonly notice: string;
}

/** What an event needs from outside. */
export interface HookHost {
  readonly memory: AgentMemory;
  readonly once: Once;
  readonly background: Background;
}
