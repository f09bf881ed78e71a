/** How much a finding matters, the least first. `high`: something is lost to the agent, or may leak. */
export const severities = ["low", "medium", "high"] as const;
export type Severity = (typeof severities)[number];

/** What an audit can find; docs/formats/audit.md says when. */
export type FindingCode =
  | "memory_over_max"
  | "memory_over_loader"
  | "section_bloat"
  | "duplicate_line"
  | "adaptive_over_target"
  | "redundant_section"
  | "note_bloat"
  | "note_over_rotation"
  | "secret_found"
  | "source_changed"
  | "broken_front_matter"
  | "dangling_reference"
  | "bad_name"
  | "not_utf8"
  | "too_large"
  | "unreadable"
  | "archive_damaged"
  | "file_changed";

/** What a check says about a place. */
export interface AuditFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly path: string;
  /** 1-based; `null`: the whole file. */
  readonly line: number | null;
  /** First and last line; `null`: the whole file. */
  readonly lines: LinePair | null;
  /** One sentence: what was seen, what is allowed, what to do. Redacted. */
  readonly message: string;
  /** Whether the run put it right. */
  readonly resolved: boolean;
}

/** First and last line, 1-based, both included. */
export type LinePair = readonly [number, number];

/** The order of docs/formats/audit.md: severity, MEMORY.md before other paths, line, code. */
export function compareFindings(a: AuditFinding, b: AuditFinding): number {
  return (
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    Number(b.path === "MEMORY.md") - Number(a.path === "MEMORY.md") ||
    compareText(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.code, b.code)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
