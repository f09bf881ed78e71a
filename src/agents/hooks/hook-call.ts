import type { Background } from "../../platform/background.ts";
import type { AgentMemory } from "../memory.ts";

/** What happens in every client, by one name each. */
export const hookEvents = ["session-start", "prompt", "turn-end", "before-compaction", "session-end"] as const;
export type HookEvent = (typeof hookEvents)[number];

/** How much of a client's context a text may take; every limit that is given applies. */
export interface Space {
  /** As JavaScript counts them. */
  readonly characters: number;
  /** UTF-8. */
  readonly bytes?: number;
  /** o200k. */
  readonly tokens?: number;
}

/** What a client said about one event, already parsed; a text that it did not give is empty. */
export interface HookCall {
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
  /** `had`: the client itself loads ROOT.md, so that the text at the start of a session omits it. */
  readonly root: "wanted" | "had";
  readonly space: Space;
  /** Whether `capture` reads the client's transcripts. */
  readonly captured: "yes" | "no";
}

/** The answer to an event: `text` for the client's model, `notice` for the user; empty if there is none. */
export interface HookAnswer {
  readonly text: string;
  readonly notice: string;
}

export interface HookHost {
  readonly memory: AgentMemory;
  readonly background: Background;
}

/**
 * Milliseconds from the start of the process after which a hook ends whatever it is doing (docs/formats/hooks.md): those of a prompt and of the end of its turn are together so few
 * that two installs whose hooks run one after another delay a client for less than 5 seconds.
 */
export const longestMs: Readonly<Record<HookEvent, number>> = {
  "session-start": 1500,
  prompt: 1500,
  "turn-end": 800,
  "before-compaction": 800,
  "session-end": 800,
};
