import type { Edit } from "./edit.ts";
import type { AuditFinding, LinePair } from "./finding.ts";

/** What the checks make of a workspace: figures, findings in their order, and what could be done, by path. */
export interface Analysis {
  readonly memory: MemoryFigures;
  readonly sections: readonly SectionFigures[];
  readonly issues: readonly CrossFileIssue[];
  readonly duplicates: readonly DuplicateLine[];
  readonly notes: readonly NoteFigures[];
  readonly findings: readonly AuditFinding[];
  readonly edits: readonly Edit[];
}

/** MEMORY.md without its derived section, except `diskBytes`. */
export interface MemoryFigures {
  readonly diskBytes: number;
  readonly bytes: number;
  readonly characters: number;
  /** Of the whole file. */
  readonly lines: number;
  /** Estimate. */
  readonly tokens: number;
  /** The text that was measured, for an exact token count. */
  readonly text: string;
}

export interface SectionFigures {
  /** `header` for what stands before the first heading. */
  readonly heading: string;
  /** 0 for `header`. */
  readonly level: number;
  /** 1-based line of the heading, or of the first line. */
  readonly line: number;
  /** Lines without the heading; a final line end makes no further line. */
  readonly lines: number;
  readonly tokens: number;
  /** The beginning of its text on one line, at most 120 characters, redacted. */
  readonly preview: string;
  readonly bloated: boolean;
}

/** A section of a note that stands in MEMORY.md too. */
export interface CrossFileIssue {
  /** The name in `memory/`: `2026-01-03.md`. */
  readonly file: string;
  readonly path: string;
  readonly section: string;
  readonly lines: LinePair;
  /** Three decimals. */
  readonly similarity: number;
  readonly shared_tokens: number;
  readonly section_tokens: number;
  readonly severity: "high" | "medium";
  readonly recommendation: string;
  /** The heading of MEMORY.md's section, or `MEMORY.md` for the whole. */
  readonly against: string;
  readonly against_lines: LinePair;
  /** Up to three lines of each side for a reader, redacted: what is the same, and what differs. */
  readonly quotes: readonly QuotedLine[];
}

/** A line of a note next to the line of MEMORY.md that is most like it. Redacted, at most 200 characters each. */
export interface QuotedLine {
  readonly line: number;
  readonly text: string;
  readonly memory_line: number | null;
  readonly memory_text: string | null;
}

export interface DuplicateLine {
  /** Trimmed, as it first stands there, redacted. */
  readonly text: string;
  readonly count: number;
  readonly lines: readonly number[];
}

export interface NoteFigures {
  readonly path: string;
  /** Of its own text. */
  readonly bytes: number;
  readonly over: "bloat" | "rotation" | null;
  readonly captured: boolean;
  readonly shortened: boolean;
}
