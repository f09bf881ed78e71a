import { choice, flag, object, optional, outputFile, text, whole, type ValueOf } from "../../base/schema.ts";
import { severities } from "../model/finding.ts";

export const auditInput = () =>
  object({
    /** Writes what the analysis proposes. Default: nothing is written. */
    apply: flag("do what the report proposes"),
    /** Analyse only; wins over `apply`. */
    dry_run: flag("only report, whatever else is given (the default)"),
    aggressive: flag("also compress MEMORY.md and rotate notes over 30 KB"),
    /** Units of 1,024 bytes. Default 5. */
    max_memory_kb: optional(whole(1, 1_000_000, "the size of MEMORY.md that is too much (default: 5)")),
    fail_on: optional(choice(severities, "LEVEL", "the least severity for exit status 1 (default: high)")),
    markdown: optional(outputFile("write the report as Markdown to FILE; - for standard output")),
  });
export type AuditInput = ValueOf<ReturnType<typeof auditInput>>;

export const auditUndoInput = () =>
  object({
    /** Default: the newest that was not undone. */
    id: optional(text("ID", "the audit, as `heartwood audit history` names it", { place: "argument" })),
  });
export type AuditUndoInput = ValueOf<ReturnType<typeof auditUndoInput>>;
