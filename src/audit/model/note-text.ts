import type { MemoryText } from "./memory-text.ts";
import type { NoteAsRead } from "./workspace.ts";

/** A note and what was parsed of it. */
export interface NoteText {
  readonly note: NoteAsRead;
  /** Of all its bytes; line numbers are those of the file. */
  readonly text: MemoryText;
}
