import { choice, flag, object, optional, outputFile, text, whole, type ValueOf } from "../../base/schema.ts";
import { severities } from "../model/finding.ts";

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
