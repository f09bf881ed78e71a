import { defineOperation } from "./operation.ts";
import { nothing } from "../tree/inputs.ts";
import { auditInput, auditUndoInput } from "../audit/run/inputs.ts";

const undo = defineOperation({
  name: "audit.undo",
  command: ["audit", "undo"],
  summary: "Take back an audit: every file byte for byte as it was",
  description:
    "Puts back what an audit with --apply changed, the newest by default. What was logged into a note since stays behind its old lines. A file that was changed otherwise stays as it is and is reported, with the place of its old bytes.",
  input: auditUndoInput,
  examples: ["heartwood audit undo"],
  effect: "writes",
  run: async (memory, input) => (await import("../audit/run/undo.ts")).undoAudit(memory, input),
  outcomeOf: (result) => (result.complete ? "done" : "findings"),
});

const history = defineOperation({
  name: "audit.history",
  command: ["audit", "history"],
  summary: "What audits changed, and what can be taken back",
  description: "Lists the audits that changed something, the newest first, with each file and what became of it since.",
  input: nothing,
  examples: ["heartwood audit history"],
  effect: "reads",
  run: async (memory) => (await import("../audit/run/history.ts")).readAuditHistory(memory),
});

const audit = defineOperation({
  name: "audit.run",
  command: ["audit"],
  summary: "Find repeats and bloat in MEMORY.md and the notes; --apply mends",
  description:
    "Measures MEMORY.md and its sections, finds what notes repeat of it, repeated lines, bloated notes, secrets and broken references. Writes nothing unless " +
    "--apply is given; then copies of what MEMORY.md says leave the notes, and with --aggressive repeated lines leave MEMORY.md and large notes move to " +
    "memory/archive/. Nothing is lost: `heartwood audit undo` puts every byte back, and the tree stays as it is. Exit status 1 on a finding at or above --fail-on.",
  input: auditInput,
  examples: [
    "heartwood audit",
    "heartwood audit --aggressive",
    "heartwood audit --apply",
    "heartwood audit --fail-on medium --json",
  ],
  effect: "writes",
  run: async (memory, input, call) => (await import("../audit/run/run-audit.ts")).runAudit(memory, input, call),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

export const auditOperations = [audit, undo, history] as const;
