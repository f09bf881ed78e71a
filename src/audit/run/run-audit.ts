import { isPlaceOfMemory } from "../model/workspace.ts";
import { type AuditChoice, auditResultOf, judge } from "./audit-result.ts";
import type { AuditResult } from "../model/report.ts";
import type { AuditInput } from "../model/finding.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Call, OutputFile } from "../../base/operation.ts";
import { shown } from "../../text/shown.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { removeLitterAlone, withLocks, takeBackUnbegun } from "./undo.ts";
import { planChanges, writeChanges } from "./write-changes.ts";

/** Units of 1,024 bytes. */
const defaultMaxMemoryKb = 5;

/**
 * Audits a workspace and, with `apply` and without `dry_run`, applies the proposed changes. A dry run changes no memory file and takes no lock. Errors: `usage`
 * (the report would replace a file that is not a report), `busy`, `disk_full`, `io`, `changed_by_other`.
 */
export async function runAudit(memory: TreeMemory, input: AuditInput, call: Call = {}): Promise<AuditResult> {
  const choice = choiceOf(input);
  if (input.markdown !== undefined) await refuseOtherFile(memory, input.markdown);
  // Imported lazily: most runs are dry.
  const result =
    choice.writing === "dry"
      ? auditResultOf(memory, choice, { before: await judge(memory, choice) })
      : await applyAudit(memory, choice, call);
  if (input.markdown !== undefined) await writeReport(input.markdown, result);
  return result;
}

/** Writes the report. If that fails after an apply, the error says that files were changed. */
async function writeReport(markdown: OutputFile, result: AuditResult): Promise<void> {
  const { printAuditMarkdown } = await import("./report-markdown.ts");
  try {
    await markdown.write(printAuditMarkdown(result));
  } catch (error) {
    if (!(error instanceof MemoryError) || result.id === null) throw error;
    const sentence = `${error.message} The audit itself is done: heartwood audit history shows it as ${result.id}; heartwood audit undo reverts it.`;
    throw new MemoryError(error.code, sentence, { ...error.details, id: result.id }, error);
  }
}

function choiceOf(input: AuditInput): AuditChoice {
  return {
    mode: {
      aggressive: input.aggressive === true ? "yes" : "no",
      maxMemoryKb: input.max_memory_kb ?? defaultMaxMemoryKb,
    },
    failOn: input.fail_on ?? "high",
    writing: input.apply === true && input.dry_run !== true ? "apply" : "dry",
  };
}

/** Throws if the report would replace a file that is not a report, or if its path is reserved for a memory file. */
async function refuseOtherFile({ dir }: TreeMemory, markdown: OutputFile): Promise<void> {
  const path = markdown.name.startsWith(`${dir}/`) ? markdown.name.slice(dir.length + 1) : markdown.name;
  const name = shown(markdown.name);
  if (isPlaceOfMemory(path)) {
    const message = `${name} is a path that the memory itself uses: choose another file for the report.`;
    throw new MemoryError("usage", message, { path: name });
  }
  const there = await markdown.read();
  if (there === undefined || there === "" || /^\uFEFF?# Memory audit(?:\r?\n|$)/u.test(there)) return;
  const message = `${name} exists and is not an audit report, so it is not replaced: choose another file, or move that one away.`;
  throw new MemoryError("usage", message, { path: name });
}

/**
 * Applies what an audit proposes. Checks without a lock first, and writes nothing if there is nothing to do. Errors: `busy`, `disk_full`, `io`,
 * `changed_by_other`, `aborted`.
 */
async function applyAudit(memory: TreeMemory, choice: AuditChoice, call: Call): Promise<AuditResult> {
  const look = await judge(memory, choice);
  if (look.analysis.edits.length === 0) {
    await removeLitterAlone(memory);
    return auditResultOf(memory, choice, { before: look });
  }
  return withLocks(memory, { holder: "audit", call }, async () => {
    await takeBackUnbegun(memory);
    const before = await judge(memory, choice);
    const changes = await planChanges(memory, before.analysis.edits, before.workspace);
    call.signal?.throwIfAborted();
    if (changes.length === 0) return auditResultOf(memory, choice, { before });
    const written = await writeChanges(memory, changes, choice.mode);
    const after = written.done.length === 0 ? before : await judge(memory, choice);
    return auditResultOf(memory, choice, { before, applied: { ...written, after } });
  });
}
