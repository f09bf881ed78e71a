import { nodePath, hasEnded, parentOf, rootPath } from "../model/period.ts";
import { planTree } from "../plan/plan.ts";
import { latePartsOf, logWarnings } from "../plan/late-sources.ts";
import { findArchiveFaults, type FindLostRecords } from "../logs/logical-files.ts";
import { readForgettingLeft } from "../logs/forgotten.ts";
import { readConfiguration, type Configuration } from "../setup/configuration.ts";
import { dueNodes } from "../run/due.ts";
import { createSecretFinder, type SecretFinder } from "../run/redact-nodes.ts";
import { loadTree, type LoadedTree } from "../run/load.ts";
import { withLogicalLogs, type TreeMemory } from "../memory.ts";
import type { Warning } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import { verifyNode, type Finding, finding, firstDifferenceBesideSecrets, secretFindings } from "./verify-node.ts";
import { rootDue, monthlyFacts, renderRoot, type RootReason } from "../root-run/root-run.ts";
import { pushAll } from "../../base/lists.ts";
import { childrenFacts } from "../plan/status.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { monthOfWeek, weekOf, type Day } from "../../base/calendar.ts";
import { dayOfRef } from "../../base/refs.ts";
import { rootLimits } from "../root/root-compose.ts";
import { type RootLimits } from "../root/root-lines.ts";
import { rootLinesInOrder } from "../root/root-format.ts";
import type { RootFile } from "../run/tree-files.ts";
import { NodeShelf } from "../run/compose-node.ts";

export interface VerifyResult {
  readonly ok: boolean;
  readonly checked: number;
  readonly findings: readonly Finding[];
}

/**
 * Rebuilds every node from its recorded sources, compares bytes and checks the invariants of the tree. Reads every
 * file, ignoring the cache, and changes nothing. Due nodes are reported as information, because the next run rebuilds
 * them. `findLostRecords`: provided by the audit, which reads its history.
 */
export async function runVerify(
  opened: TreeMemory,
  call: Call,
  findLostRecords: FindLostRecords = async () => [],
): Promise<VerifyResult> {
  const memory = await withLogicalLogs(opened);
  memory.onWork?.();
  const { configuration } = await readConfiguration(memory);
  const loaded = await loadTree(memory, { cache: "ignored", configuration });
  const steps = planTree(loaded.state);
  const root = await rootDue(memory, loaded, { configuration, steps });
  const due = dueNodes(loaded.state, steps, root);
  const nodes = loaded.state.nodes.all();
  const findings: Finding[] = due.map((node) => finding("due", node.path, `${node.path} is due: ${node.detail}`));
  const forgetting = await readForgettingLeft(opened);
  if (forgetting !== undefined) findings.push({ ...forgetting, severity: "warning", path: "", line: null });
  const { inTheWay } = loaded.stateFile;
  const { faults } = await findArchiveFaults(memory, findLostRecords);
  for (const fault of faults) findings.push({ ...fault, severity: "error", line: null });
  const skipped = loaded.skipped.filter(({ path }) => faults.every((fault) => fault.path !== path));
  // Changed sources are reported below, with their nodes.
  const ofLogs = logWarnings(loaded).filter(({ code }) => !code.startsWith("source_") && code !== "no_heading");
  const told: readonly Warning[] = [...skipped, ...ofLogs, ...(inTheWay === undefined ? [] : [inTheWay])];
  for (const { code, message, path = "", line = null } of told)
    findings.push({ code, severity: "warning", path, line, message });
  const adopted = new Set(due.filter(({ reason }) => reason === "adopt").map(({ path }) => path));
  const broken = nodes.filter(({ reading }) => reading === "broken").map(({ name }) => nodePath(name));
  const unread = new Set([...loaded.skipped.map(({ path }) => path), ...broken]);
  const secrets = await createSecretFinder(memory, loaded);
  for (const [index, facts] of nodes.entries()) {
    call.signal?.throwIfAborted();
    pushAll(findings, await verifyNode(memory, facts, { state: loaded.state, adopted, unread, secrets }));
    if (index % 32 === 31) call.progress?.({ phase: "verify", done: index + 1, total: nodes.length });
  }
  const missing = new Set(findings.filter(({ code }) => code === "source_missing").map(({ path }) => path));
  // A missing log is detected from both its node and its day.
  const isNew = ({ code, path }: Finding): boolean => code !== "source_missing" || !missing.has(path);
  for (const node of nodes) pushAll(findings, statusFindings(loaded.state, node));
  pushAll(findings, sourceFindings(loaded.state, unread).filter(isNew));
  pushAll(findings, await verifyRoot(memory, loaded, configuration, root, secrets));
  return {
    ok: !findings.some((finding) => finding.severity !== "info"),
    checked: nodes.length + (loaded.root === undefined ? 0 : 1),
    findings,
  };
}

function statusFindings(state: TreeState, node: NodeFacts): readonly Finding[] {
  if (node.status !== "fixed" || node.reading !== "ours") return [];
  const { level, period } = node.name;
  const path = nodePath(node.name);
  const isEarly = state.clock === "forward" && !hasEnded(level, period, state.today);
  const early = `${path} is fixed, but its period has not ended yet (today is ${state.today})`;
  const findings = isEarly ? [finding("fixed_too_early", [path, 3], early)] : [];
  if (level === "daily") return findings;
  const recorded = new Set(node.sources.map((source) => source.path));
  for (const child of childrenFacts(state, level, period)) {
    const below = nodePath(child.name);
    if (!recorded.has(below) || child.status === "fixed") continue;
    findings.push(finding("fixed_before_child", [path, 3], `${path} is fixed, but ${below} below it is not`));
  }
  return findings;
}

/** Raw logs that changed after their nodes were fixed, and missing logs. */
function sourceFindings(state: TreeState, unread: ReadonlySet<string>): readonly Finding[] {
  const findings: Finding[] = [];
  for (const day of state.nodes.periods("daily")) {
    const own = state.nodes.of("daily", day);
    const raw = state.days.get(day);
    const base = own.find((node) => node.name.late === 0);
    for (const addendum of own.filter((node) => node.name.late > 0)) {
      const path = addendum.sources[0]?.path ?? nodePath(addendum.name);
      const message = `${path} has data that came after its node was fixed; it is in ${nodePath(addendum.name)}`;
      findings.push(finding("late_source", path, message));
    }
    if (raw === undefined && base?.reading === "ours" && !base.sources.some(({ path }) => unread.has(path)))
      findings.push(finding("source_missing", nodePath(base.name), `the raw log of ${day} is missing; its node stays`));
    if (raw === undefined || base?.status !== "fixed" || base.reading !== "ours") continue;
    for (const { kind, source } of latePartsOf(raw, own)) {
      if (source.part.length === 0) continue;
      const message = `${source.path} has data that is not in any node yet: the next run writes an addendum`;
      const at = [source.path, source.part[0]?.from ?? null] as const;
      if (kind === "edited") findings.push({ ...finding("source_edited", at, message), severity: "warning" });
      else findings.push(finding("late_source", at, message));
    }
  }
  return [...findings, ...orphanFindings(state)];
}

/** Nodes that their fixed parents do not include. A node whose parent is missing or tentative is merely due. */
function orphanFindings({ nodes }: TreeState): readonly Finding[] {
  return nodes.all().flatMap(({ name, reading }): readonly Finding[] => {
    const parent = parentOf(name.level, name.period);
    if (parent === undefined || reading !== "ours") return [];
    const own = nodes.of(parent.level, parent.period).filter((candidate) => candidate.reading === "ours");
    const path = nodePath(name);
    const isHeld = own.some(({ sources }) => sources.some((source) => source.path === path));
    if (isHeld || own.length === 0 || own.some(({ status }) => status !== "fixed")) return [];
    return [finding("not_in_parent", path, `${path} is not in a node above it yet: the next run writes an addendum`)];
  });
}

/**
 * Checks ROOT.md: rendered again for its own day, it must be byte-identical and within its cap, and every line must
 * trace to raw lines.
 */
async function verifyRoot(
  memory: TreeMemory,
  { root, state }: LoadedTree,
  configuration: Configuration,
  due: RootReason | undefined,
  find: SecretFinder,
): Promise<readonly Finding[]> {
  if (root === undefined)
    return monthlyFacts(state).length === 0
      ? []
      : [finding("root_missing", rootPath, `${rootPath} is missing: the next run writes it`)];
  // Already reported once, among the skipped files.
  if (root.reading === "unreadable") return [];
  if (root.reading === "broken")
    return [finding("front_matter", [rootPath, 1], `${rootPath} cannot be read: ${root.message}`)];
  const secrets = secretFindings(rootPath, find(rootPath, root.text));
  if (root.reading === "unknown" || root.document === undefined) {
    const message = `${rootPath} was not made by heartwood: the next run archives it and writes its own`;
    return [...secrets, finding("not_ours", rootPath, message)];
  }
  const limits = rootLimits(configuration.rootMaxTokens);
  const told = [...secrets, ...capFindings(root, memory.tokens.count(root.text), limits)];
  if (due !== undefined && due !== "ages" && due !== "answer") return told;
  const { answer, foreign } = root.document;
  const fault =
    answer === undefined ? undefined : await (await import("../root-run/root-answered.ts")).answerFault(memory, answer);
  if (fault !== undefined) return [...told, finding(fault.code, rootPath, fault.message)];
  const made = { shelf: new NodeShelf(memory.files), day: root.document.lastUpdated, limits, foreign, answer };
  const composed = await renderRoot(memory, state, made);
  const first = firstDifferenceBesideSecrets(composed.text, rootLinesInOrder(root.text));
  if (first !== undefined)
    told.push(
      finding("not_reproducible", [rootPath, first], `${rootPath} differs from what its monthly nodes produce`),
    );
  for (const { line, refs } of composed.lines)
    if (!refs.some((ref) => hasOrigin(state, dayOfRef(ref))))
      told.push(
        finding("not_traceable", [rootPath, line], `line ${line} of ${rootPath} does not trace to any raw line`),
      );
  return told;
}

/** Whether the day has a daily node, or a foreign node above it, whose children may be gone. */
function hasOrigin(state: TreeState, day: Day): boolean {
  const week = weekOf(day);
  const above = [...state.nodes.of("weekly", week), ...state.nodes.of("monthly", monthOfWeek(week))];
  return state.nodes.of("daily", day).length > 0 || above.some((node) => node.reading === "unknown");
}

function capFindings(root: Pick<RootFile, "text" | "bytes">, tokens: number, limits: RootLimits): readonly Finding[] {
  const lines = root.text.split("\n").length - 1;
  const { length } = root.bytes;
  const over: Finding[] = [];
  const overCap = `${rootPath} has ${tokens} tokens, more than the ${limits.tokens} allowed by compaction.rootMaxTokens`;
  if (tokens > limits.tokens) over.push(finding("over_cap", rootPath, overCap));
  const overLimit = `${rootPath} has ${lines} lines and ${length} bytes, more than the ${limits.lines} and ${limits.bytes} that loaders read`;
  if (lines > limits.lines || length > limits.bytes) over.push(finding("over_loaders_limit", rootPath, overLimit));
  return over;
}
