import type { OutputFile } from "../operation.ts";

export interface AuditInput {
  /** Writes what the analysis proposes. Default: nothing is written. */
  readonly apply?: boolean;
  /** Analyse only; wins over `apply`. */
  readonly dry_run?: boolean;
  /** Compress MEMORY.md and rotate notes as well. */
  readonly aggressive?: boolean;
  /** Units of 1,024 bytes. Default 5. */
  readonly max_memory_kb?: number;
  /** `high` (default), `medium` or `low`. */
  readonly fail_on?: string;
  /** Where to write the report as Markdown. */
  readonly markdown?: OutputFile;
}

export interface AuditUndoInput {
  /** Default: the newest that was not undone. */
  readonly id?: string;
}
