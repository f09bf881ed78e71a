import { builtInSummarizer } from "../extract/built-in.ts";
import { nodePath } from "../model/period.ts";
import { planTree } from "../plan/plan.ts";
import { findArchiveFaults, type FindLostRecords } from "../logs/archive-faults.ts";
import { readConfiguration } from "../setup/configuration.ts";
import { dueNodes } from "../run/due.ts";
import { createSecretFinder } from "../run/known-secrets.ts";
import { loadTree } from "../run/load.ts";
import { withLogicalLogs } from "../logs/logical-logs.ts";
import type { TreeMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { type Finding, verifyNode } from "./verify-node.ts";
import { rootDue } from "../root-run/root-run.ts";
import { answersOf } from "../run/answer-store.ts";
import { verifyRoot } from "./verify-root.ts";
import { verifyShape } from "./verify-shape.ts";
import { pushAll } from "../../base/lists.ts";

/**
 * Rebuilds every node from its recorded sources and compares bytes; checks what must hold of the tree. Reads every file, whatever the cache says,
 * and changes nothing. A node that is due is told as information: the next run makes it anew. `findLostRecords`: of the audit, whose history it reads.
 */
export async function runVerify(
  opened: TreeMemory,
  call: Call,
  findLostRecords: FindLostRecords = async () => [],
): Promise<VerifyResult> {
  const memory = await withLogicalLogs(opened);
  memory.onWork?.();
  const { configuration } = await readConfiguration(memory);
  const loaded = await loadTree(memory, builtInSummarizer.id, { cache: "ignored" });
  const steps = planTree(loaded.state);
  const root = await rootDue(memory, loaded, { configuration, steps });
  const due = dueNodes(loaded.state, { steps, root, notes: [] });
  const nodes = loaded.state.nodes.all();
  const findings: Finding[] = due.map((node) => ({
    code: "due",
    severity: "info",
    path: node.path,
    line: null,
    message: `${node.path} is due: ${node.detail}`,
  }));
  const { inTheWay } = loaded.stateFile;
  const { faults } = await findArchiveFaults(memory, findLostRecords);
  pushAll(
    findings,
    faults.map((fault): Finding => ({ ...fault, severity: "error", line: null })),
  );
  const skipped = loaded.skipped.filter(({ path }) => faults.every((fault) => fault.path !== path));
  for (const { code, message, path } of [...skipped, ...(inTheWay === undefined ? [] : [inTheWay])])
    findings.push({ code, severity: "warning", path: path ?? "", line: null, message });
  const adopted = new Set(due.filter(({ reason }) => reason === "adopt").map(({ path }) => path));
  const broken = nodes.filter(({ reading }) => reading === "broken").map(({ name }) => nodePath(name));
  const unread = new Set([...loaded.skipped.map(({ path }) => path), ...broken]);
  const answers = answersOf(memory);
  const secrets = await createSecretFinder(memory, loaded);
  for (const [index, facts] of nodes.entries()) {
    call.signal?.throwIfAborted();
    pushAll(findings, await verifyNode(memory, facts, { state: loaded.state, adopted, unread, answers, secrets }));
    if (index % 32 === 31) call.progress?.({ phase: "verify", done: index + 1, total: nodes.length });
  }
  const told = new Set(findings.filter(({ code }) => code === "source_missing").map(({ path }) => path));
  // A log that is gone is seen from its node and from its day.
  const isNew = ({ code, path }: Finding): boolean => code !== "source_missing" || !told.has(path);
  pushAll(findings, verifyShape(loaded.state, unread).filter(isNew));
  pushAll(findings, await verifyRoot(memory, loaded, { configuration, due: root, secrets }));
  return {
    ok: !findings.some((finding) => finding.severity !== "info"),
    checked: nodes.length + (loaded.root === undefined ? 0 : 1),
    findings,
  };
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly checked: number;
  readonly findings: readonly Finding[];
}
