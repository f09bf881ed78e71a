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

/** How much a finding of a code matters when nothing else is said. */
export const severityOf: Readonly<Record<FindingCode, Severity>> = {
  memory_over_max: "low",
  memory_over_loader: "high",
  section_bloat: "medium",
  duplicate_line: "low",
  adaptive_over_target: "low",
  redundant_section: "medium",
  note_bloat: "low",
  note_over_rotation: "medium",
  secret_found: "high",
  source_changed: "medium",
  broken_front_matter: "medium",
  dangling_reference: "low",
  bad_name: "low",
  not_utf8: "low",
  too_large: "low",
  unreadable: "high",
  archive_damaged: "high",
  file_changed: "high",
};

/** A finding that is not resolved. Without `lines` it is about the whole file. */
export function createFinding(found: {
  readonly code: FindingCode;
  readonly path: string;
  readonly lines?: LinePair;
  readonly message: string;
  /** Default: that of the code. */
  readonly severity?: Severity;
}): AuditFinding {
  const { code, path, lines = null, message } = found;
  const severity = found.severity ?? severityOf[code];
  return { code, severity, path, line: lines?.[0] ?? null, lines, message, resolved: false };
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
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
