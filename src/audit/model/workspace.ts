import type { AuditFinding } from "./finding.ts";
import type { Day } from "../../base/calendar.ts";
import { parseLogFile } from "../../tree/model/period.ts";

/** All that an audit judges, as read: no check touches a disk. */
export interface Workspace {
  readonly today: Day;
  /** MEMORY.md; `undefined` when there is none or it cannot be read (which is among `findings` then). */
  readonly memory: FileAsRead | undefined;
  /** Notes that could be read, by path. */
  readonly notes: readonly NoteAsRead[];
  /** Other memory files that could be read, by path. */
  readonly others: readonly FileAsRead[];
  /** Paths below `knowledge/`, of whatever kind. */
  readonly knowledge: ReadonlySet<string>;
  /** Bytes of MEMORY.md on the disk, also when it was not read; 0 when there is none. */
  readonly memoryBytes: number;
  /** What was found while reading: `unreadable`, `too_large`, `bad_name`, `archive_damaged`, `source_changed`. */
  readonly findings: readonly AuditFinding[];
}

export interface FileAsRead {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Of the file as it was read. */
  readonly stamp: string;
}

export interface NoteAsRead extends FileAsRead {
  readonly day: Day;
  /**
   * `shortened`: `ownFrom` is where its own text begins, after the rotation summary (0 when it was only cut). `edited`: it was shortened and its
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

const living: ReadonlySet<string> = new Set(["MEMORY.md", "USER.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"]);

/** What is kept current by people and agents: `MEMORY.md`, `USER.md`, …, `knowledge/**` */
export function isLiving(path: string): boolean {
  return living.has(path) || isKnowledge(path);
}

export function isKnowledge(path: string): boolean {
  return path.startsWith("knowledge/") && path.endsWith(".md");
}

export function isRoot(path: string): boolean {
  return path === "memory/ROOT.md";
}

/** Where a file would be read as one of MEMORY.md and its like, as ROOT.md, a raw log or a node. */
export function isPlaceOfMemory(path: string): boolean {
  const log = /^memory\/([^/]+)$/u.exec(path)?.[1];
  if (log !== undefined && parseLogFile(log).state !== "other") return true;
  return living.has(path) || isRoot(path) || isNode(path);
}

/** A node of the tree: a file in `memory/daily/`, `memory/weekly/` or `memory/monthly/`. */
export function isNode(path: string): boolean {
  return /^memory\/(?:daily|weekly|monthly)\//u.test(path);
}
