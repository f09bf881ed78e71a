import { createFinding, type AuditFinding, type FindingCode } from "../model/finding.ts";
import { thresholds } from "../model/thresholds.ts";
import { redact } from "../../text/redact/redact.ts";
import type { LateSource } from "../../tree/run/results.ts";

/** What is found while files are read and written, as findings of whole files. */
function finding(code: FindingCode, path: string, message: string): AuditFinding {
  return createFinding({ code, path, message: redact(message).text });
}

export function unreadable(path: string, why: string): AuditFinding {
  return finding("unreadable", path, `${path} was not audited: ${why}`);
}

/** `size`: bytes. */
export function tooLarge(path: string, size: number): AuditFinding {
  const message = `${path} has ${size} bytes; files over ${thresholds.largestRead} bytes are neither read nor changed: split it.`;
  return finding("too_large", path, message);
}

export function badName(path: string, why: string): AuditFinding {
  const message = `${path} is never processed, since it is no log by its name: ${why}. Rename it.`;
  return finding("bad_name", path, message);
}

export function archiveDamaged(path: string, why: string): AuditFinding {
  return finding("archive_damaged", path, why);
}

export function sourceChanged(late: LateSource): AuditFinding {
  const what =
    late.code === "source_missing"
      ? `${late.path} is gone, and the fixed node of ${late.period} was made from it: put it back from a copy.`
      : `${late.path} was changed after the node of ${late.period} was fixed: \`heartwood compact\` takes in what is new as late data, \`heartwood compact --reopen ${late.period}\` builds the node from the file as it is now.`;
  return finding("source_changed", late.path, what);
}

export function fileChanged(path: string, message: string): AuditFinding {
  return finding("file_changed", path, message);
}
