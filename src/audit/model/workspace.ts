import type { AuditFinding } from "./finding.ts";
import type { Day } from "../../base/calendar.ts";
import { parseLogFile } from "../../tree/model/period.ts";

/** All files that an audit checks, already read: no check accesses the disk. */
export interface Workspace {
  readonly today: Day;
  /** MEMORY.md; `undefined` if it does not exist or cannot be read (the latter is in `findings`). */
  readonly memory: FileAsRead | undefined;
  /** Notes that could be read, sorted by path. */
  readonly notes: readonly NoteAsRead[];
  /** Other memory files that could be read, sorted by path. */
  readonly others: readonly FileAsRead[];
  /** All paths below `knowledge/`, files and folders. */
  readonly knowledge: ReadonlySet<string>;
  /** Bytes of MEMORY.md on disk, even if it was not read; 0 if it does not exist. */
  readonly memoryBytes: number;
  /** Findings from reading: `unreadable`, `too_large`, `bad_name`, `archive_damaged`, `source_changed`. */
  readonly findings: readonly AuditFinding[];
}

export interface FileAsRead {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** The file's stamp when it was read. */
  readonly stamp: string;
}

export interface NoteAsRead extends FileAsRead {
  readonly day: Day;
  /**
   * `shortened`: `ownFrom` is where its own text begins, after the rotation summary (0 if it was only cut). `edited`: it was shortened and has changed since
   * then; it is compared and measured as a whole, and never edited by an audit.
   */
  readonly state: "whole" | "shortened" | "edited";
  readonly ownFrom: number;
}

/** The caller's options. */
export interface AuditMode {
  readonly aggressive: "yes" | "no";
  /** Units of 1,024 bytes. */
  readonly maxMemoryKb: number;
}

const living: ReadonlySet<string> = new Set(["MEMORY.md", "USER.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"]);

/** Whether a file is kept current by people and agents: `MEMORY.md`, `USER.md`, …, `knowledge/**` */
export function isLiving(path: string): boolean {
  return living.has(path) || isKnowledge(path);
}

export function isKnowledge(path: string): boolean {
  return path.startsWith("knowledge/") && path.endsWith(".md");
}

export function isRoot(path: string): boolean {
  return path === "memory/ROOT.md";
}

/** Whether a file at this path would be read as part of the memory: MEMORY.md and the like, ROOT.md, a raw log or a node. */
export function isPlaceOfMemory(path: string): boolean {
  const log = /^memory\/([^/]+)$/u.exec(path)?.[1];
  if (log !== undefined && parseLogFile(log).state !== "other") return true;
  return living.has(path) || isRoot(path) || isNode(path);
}

/** Whether a file is in `memory/daily/`, `memory/weekly/` or `memory/monthly/`. */
export function isNode(path: string): boolean {
  return /^memory\/(?:daily|weekly|monthly)\//u.test(path);
}
