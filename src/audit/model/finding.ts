import { choice, flag, object, optional, outputFile, text, whole, type ValueOf } from "../../base/schema.ts";
import { compareTexts } from "../../base/lists.ts";
import type { ShorteningStep } from "../../tree/model/moved-format.ts";

/** Severities, lowest first. `high`: the agent loses something, or something may leak. */
export const severities = ["low", "medium", "high"] as const;
export type Severity = (typeof severities)[number];

/** All finding codes (explained in docs/formats/audit.md) and their default severities. */
export const severityOf = {
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
} as const satisfies Readonly<Record<string, Severity>>;
export type FindingCode = keyof typeof severityOf;

export interface AuditFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly path: string;
  /** 1-based; `null`: the whole file. */
  readonly line: number | null;
  /** First and last line; `null`: the whole file. */
  readonly lines: LinePair | null;
  /** One sentence: what was found, what the limit is, what to do. Redacted. */
  readonly message: string;
  /** Whether the run fixed it. */
  readonly resolved: boolean;
}

/** Creates an unresolved finding. Without `lines`, it is about the whole file. */
export function createFinding(
  code: FindingCode,
  path: string,
  message: string,
  lines: LinePair | null = null,
  severity: Severity = severityOf[code],
): AuditFinding {
  return { code, severity, path, line: lines?.[0] ?? null, lines, message, resolved: false };
}

/** First and last line, 1-based and inclusive. */
export type LinePair = readonly [number, number];

/** The order of docs/formats/audit.md: severity, MEMORY.md before other paths, line, code. */
export function compareFindings(a: AuditFinding, b: AuditFinding): number {
  return (
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    Number(b.path === "MEMORY.md") - Number(a.path === "MEMORY.md") ||
    compareTexts(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareTexts(a.code, b.code) ||
    compareTexts(a.message, b.message)
  );
}

/** The limits in docs/formats/audit.md, in bytes unless noted. A value is over a limit if it is greater. */
export const thresholds = {
  /** Estimated tokens in one section of MEMORY.md. */
  sectionTokens: 500,
  /** A note's section and MEMORY.md must share more tokens than this. */
  sharedTokens: 5,
  /** Jaccard similarity. */
  similarity: 0.5,
  highSimilarity: 0.7,
  /** Only lines of more characters than this count as duplicates. */
  duplicateCharacters: 10,
  noteBloat: 8 * 1024,
  noteRotation: 30 * 1024,
  /** Non-blank lines of the Adaptive section. */
  adaptiveLines: 50,
  /** How much of MEMORY.md loaders read (Claude Code: 200 lines, 25,000 bytes). */
  loaderLines: 200,
  loaderBytes: 25_000,
  /** If MEMORY.md is larger, `status` reports that an audit is due. */
  trigger: 15 * 1024,
  /** Larger files are measured but not read. */
  largestRead: 64 * 1024 * 1024,
} as const;

/**
 * A proposed change to one file. It applies only to the bytes with the digest `before`. `cut`: these byte ranges are removed (in order, not adjacent).
 * `rotated`: the file is replaced by a summary of itself.
 */
export interface Edit {
  readonly path: string;
  /** SHA-256 of the bytes it was made for. */
  readonly before: string;
  readonly change: ShorteningStep["change"];
  /** What it does, for the report. At least one. */
  readonly actions: readonly EditAction[];
}

export interface EditAction {
  readonly kind: "remove_section" | "remove_duplicates" | "merge_blank_lines" | "rotate";
  /** Removed lines; for a rotation, all lines. */
  readonly lines: readonly LinePair[];
  /** Bytes saved. For `rotate`, the summary that stays is subtracted. */
  readonly bytes: number;
  /** Tokens saved (estimate). */
  readonly tokens: number;
  readonly message: string;
}

export const auditInput = () =>
  object({
    /** Applies the proposed changes. Default: nothing is written. */
    apply: flag("make the changes that the report proposes"),
    /** Analyses only; overrides `apply`. */
    dry_run: flag("only report, even with --apply (the default)"),
    aggressive: flag("also compress MEMORY.md and rotate notes over 30 KB"),
    /** Units of 1,024 bytes. Default 5. */
    max_memory_kb: optional(whole(1, 1_000_000, "report MEMORY.md when it is larger than N KB (default: 5)")),
    fail_on: optional(
      choice(severities, "LEVEL", "the lowest severity that gives exit status 1 (default: high)", {
        meaning: "the lowest severity that gives ok: false (default: high)",
      }),
    ),
    markdown: optional(outputFile("write the report as Markdown to FILE")),
  });
export type AuditInput = ValueOf<ReturnType<typeof auditInput>>;

export const auditUndoInput = () =>
  object({
    /** Default: the newest audit that was not undone. */
    id: optional(
      text("ID", "the audit's id, from `heartwood audit history` (default: the newest)", { place: "argument" }),
    ),
  });
export type AuditUndoInput = ValueOf<ReturnType<typeof auditUndoInput>>;
