import type { HookEvent } from "./hook-call.ts";

/**
 * Milliseconds from the start of the process after which a hook ends whatever it is doing (docs/formats/hooks.md): those of a prompt and of the end of its turn are together so few
 * that two installs whose hooks run one after another hold a client for less than 5 seconds.
 */
export const longestMs: Readonly<Record<HookEvent, number>> = {
  "session-start": 1500,
  prompt: 1500,
  "turn-end": 800,
  "before-compaction": 800,
  "session-end": 800,
};
