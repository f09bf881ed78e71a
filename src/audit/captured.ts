import type { MemoryText } from "./memory-text.ts";

/** Whether all that stands in the note besides its title are entries whose ids begin with `capture-`. */
export function isCaptured(_text: MemoryText): boolean {
  return false;
}
