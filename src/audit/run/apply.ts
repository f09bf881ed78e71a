import { analyse } from "../model/analyse.ts";
import type { Analysis } from "../model/analysis.ts";
import type { Call } from "../../base/operation.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { auditResultOf, type AuditChoice } from "./audit-result.ts";
import { removeLitterAlone, withLocks } from "./locked.ts";
import { loadWorkspace, type LoadedWorkspace } from "./load-workspace.ts";
import { planChanges, type PlannedChange } from "./planned-change.ts";
import { fileChanged } from "./reading-findings.ts";
import { findingsAfter } from "./resolved.ts";
import type { AuditResult } from "./results.ts";
import { takeBackUnbegun } from "./take-back.ts";
import { writeChanges } from "./write-changes.ts";

/**
 * Does what an audit proposes. Looks first, without a lock: with nothing to do nothing is written. Errors: `busy`, `disk_full`, `io`,
 * `changed_by_other`, `aborted`.
 */
export async function applyAudit(memory: TreeMemory, choice: AuditChoice, call: Call): Promise<AuditResult> {
  const look = await judge(memory, choice);
  if (look.analysis.edits.length === 0) {
    await removeLitterAlone(memory);
    return resultOf(memory, choice, { ...look, id: null, done: [], left: [] });
  }
  return withLocks(memory, { holder: "audit", call }, async () => {
    await takeBackUnbegun(memory);
    const judged = await judge(memory, choice);
    const changes = await planChanges(memory, judged.analysis.edits, judged.loaded);
    call.signal?.throwIfAborted();
    if (changes.length === 0) return resultOf(memory, choice, { ...judged, id: null, done: [], left: [] });
    const written = await writeChanges(memory, changes, choice.mode);
    return resultOf(memory, choice, { ...judged, ...written });
  });
}

interface Judged {
  readonly loaded: LoadedWorkspace;
  readonly analysis: Analysis;
}

async function judge(memory: TreeMemory, choice: AuditChoice): Promise<Judged> {
  const loaded = await loadWorkspace(memory);
  return { loaded, analysis: analyse(loaded.workspace, choice.mode) };
}

interface Outcome extends Judged {
  readonly id: string | null;
  readonly done: readonly PlannedChange[];
  readonly left: readonly PlannedChange[];
}

async function resultOf(memory: TreeMemory, choice: AuditChoice, outcome: Outcome): Promise<AuditResult> {
  const { loaded, analysis, done, left } = outcome;
  const findings = findingsAfter({ workspace: loaded.workspace, analysis, mode: choice.mode }, done);
  return auditResultOf(memory, {
    choice,
    analysis,
    memoryBytes: loaded.memoryBytes,
    applied: {
      id: outcome.id,
      states: new Map([
        ...done.map(({ path }): [string, "done"] => [path, "done"]),
        ...left.map(({ path }): [string, "left"] => [path, "left"]),
      ]),
      findings: [...findings, ...left.map(({ path }) => fileChanged(path, leftMessage(path)))],
      memoryAfter: done.length === 0 ? loaded.memoryBytes : await sizeOnDisk(memory),
    },
  });
}

function leftMessage(path: string): string {
  return `${path} changed between being read and being replaced, so it was left as it is: run the audit again.`;
}

async function sizeOnDisk(memory: TreeMemory): Promise<number> {
  const entry = (await memory.files.list("")).find(({ name }) => name === "MEMORY.md");
  return entry?.kind === "file" ? entry.size : 0;
}
