import type { Day } from "../base/calendar.ts";
import type { Edit } from "./edit.ts";
import type { MemoryText } from "./memory-text.ts";
import type { NoteText } from "./note-text.ts";
import type { AuditMode } from "./workspace.ts";

export interface ProposalInput {
  readonly memory: MemoryText | undefined;
  readonly notes: readonly NoteText[];
  readonly today: Day;
  readonly mode: AuditMode;
}

/** What `--apply` would do, one edit a file, by path (MEMORY.md first). Empty when there is nothing to do. */
export function proposeEdits(_input: ProposalInput): readonly Edit[] {
  return [];
}
