import type { Day } from "../../base/calendar.ts";
import type { AuditFinding } from "./finding.ts";

/** All that an audit judges, as read: no check touches a disk. */
export interface Workspace {
  readonly today: Day;
  /** MEMORY.md; `undefined` when there is none or it cannot be read (which is among `findings` then). */
  readonly memory: FileAsRead | undefined;
  /** Notes that could be read, by path. */
  readonly notes: readonly NoteAsRead[];
  /** Other memory files that could be read, by path. */
  readonly others: readonly FileAsRead[];
  /** Paths below `knowledge/`, whatever stands there. */
  readonly knowledge: ReadonlySet<string>;
  /** What was found while reading: `unreadable`, `too_large`, `bad_name`, `archive_damaged`, `source_changed`. */
  readonly findings: readonly AuditFinding[];
}

export interface FileAsRead {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** SHA-256. */
  readonly sha256: string;
}

export interface NoteAsRead extends FileAsRead {
  readonly day: Day;
  /**
   * `shortened`: `ownFrom` is where its own text begins, behind the rotation summary (0 when it was only cut). `edited`: it was shortened and its
   * summary changed since; it is compared and measured whole, and never edited.
   */
  readonly state: "whole" | "shortened" | "edited";
  readonly ownFrom: number;
}

/** What the caller of an audit chooses. */
export interface AuditMode {
  readonly aggressive: "yes" | "no";
  /** Units of 1,024 bytes. */
  readonly maxMemoryKb: number;
}
