import type { AuditFinding } from "../../audit/finding.ts";
import { thresholds } from "../../audit/thresholds.ts";
import { redact } from "../../base/redact/index.ts";
import type { LateSource } from "../results.ts";

/** What is found while files are read and written, as findings of whole files. */
type WholeFile = Pick<AuditFinding, "code" | "severity" | "path" | "message">;

function finding(found: WholeFile): AuditFinding {
  return { ...found, message: redact(found.message).text, line: null, lines: null, resolved: false };
}

export function unreadable(path: string, why: string): AuditFinding {
  return finding({ code: "unreadable", severity: "high", path, message: `${path} was not audited: ${why}` });
}

/** `size`: bytes. */
export function tooLarge(path: string, size: number): AuditFinding {
  const message = `${path} has ${size} bytes; files over ${thresholds.largestRead} bytes are neither read nor changed: split it.`;
  return finding({ code: "too_large", severity: "low", path, message });
}

export function badName(path: string, why: string): AuditFinding {
  const message = `${path} is never processed, since it is no log by its name: ${why}. Rename it.`;
  return finding({ code: "bad_name", severity: "low", path, message });
}

export function archiveDamaged(path: string, why: string): AuditFinding {
  return finding({ code: "archive_damaged", severity: "high", path, message: why });
}

export function sourceChanged(late: LateSource): AuditFinding {
  const what =
    late.code === "source_missing"
      ? `${late.path} is gone, and the fixed node of ${late.period} was made from it: put it back from a copy.`
      : `${late.path} was changed after the node of ${late.period} was fixed: heartwood compact takes in what is new as late data.`;
  return finding({ code: "source_changed", severity: "medium", path: late.path, message: what });
}

export function fileChanged(path: string, message: string): AuditFinding {
  return finding({ code: "file_changed", severity: "high", path, message });
}
