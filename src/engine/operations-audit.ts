import { severities } from "../audit/finding.ts";
import type { AuditInput, AuditUndoInput } from "./audit/inputs.ts";
import type { AuditHistoryResult, AuditResult, AuditUndoResult } from "./audit/results.ts";
import { checked } from "./checked.ts";

const undo = checked<AuditUndoInput, AuditUndoResult>({
  name: "audit.undo",
  command: ["audit", "undo"],
  summary: "Take back an audit: every file byte for byte as it was",
  description:
    "Puts back what an audit with --apply changed, the newest by default. What was logged into a note since stays behind its old lines. A file that was changed otherwise stays as it is and is reported, with the place of its old bytes.",
  fields: [
    {
      name: "id",
      kind: { kind: "text" },
      place: "argument",
      placeholder: "ID",
      summary: "the audit, as `heartwood audit history` names it",
    },
  ],
  examples: ["heartwood audit undo"],
  effect: "writes",
  run: async (memory, input) => (await import("./audit/undo.ts")).undoAudit(memory, input),
  outcomeOf: (result) => (result.complete ? "done" : "findings"),
});

const history = checked<Record<string, never>, AuditHistoryResult>({
  name: "audit.history",
  command: ["audit", "history"],
  summary: "What audits changed, and what can be taken back",
  description: "Lists the audits that changed something, the newest first, with each file and what became of it since.",
  fields: [],
  examples: ["heartwood audit history"],
  effect: "reads",
  run: async (memory) => (await import("./audit/history.ts")).readAuditHistory(memory),
});

const audit = checked<AuditInput, AuditResult>({
  name: "audit.run",
  command: ["audit"],
  summary: "Find repeats and bloat in MEMORY.md and the notes; --apply mends",
  description:
    "Measures MEMORY.md and its sections, finds what notes repeat of it, repeated lines, bloated notes, secrets and broken references. Writes nothing unless " +
    "--apply is given; then copies of what MEMORY.md says leave the notes, and with --aggressive repeated lines leave MEMORY.md and large notes move to " +
    "memory/archive/. Nothing is lost: `heartwood audit undo` puts every byte back, and the tree stays as it is. Exit status 1 on a finding at or above --fail-on.",
  fields: [
    { name: "apply", kind: { kind: "flag" }, summary: "do what the report proposes" },
    { name: "dry_run", kind: { kind: "flag" }, summary: "only report, whatever else is given (the default)" },
    { name: "aggressive", kind: { kind: "flag" }, summary: "also compress MEMORY.md and rotate notes over 30 KB" },
    {
      name: "max_memory_kb",
      kind: { kind: "integer", min: 1, max: 1_000_000 },
      placeholder: "N",
      summary: "the size of MEMORY.md that is too much (default: 5)",
    },
    {
      name: "fail_on",
      kind: { kind: "choice", values: severities },
      placeholder: "LEVEL",
      summary: "the least severity for exit status 1 (default: high)",
    },
    {
      name: "markdown",
      kind: { kind: "output" },
      placeholder: "FILE",
      summary: "write the report as Markdown to FILE; - for standard output",
    },
  ],
  examples: [
    "heartwood audit",
    "heartwood audit --aggressive",
    "heartwood audit --apply",
    "heartwood audit --fail-on medium --json",
  ],
  effect: "writes",
  run: async (memory, input, call) => (await import("./audit/run-audit.ts")).runAudit(memory, input, call),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

export const auditOperations = [audit, undo, history] as const;
