import { hasEnded, nodePath, parentOf } from "../model/period.ts";
import { latePartsOf } from "../plan/plan.ts";
import { childrenFacts } from "../model/status.ts";
import type { NodeFacts, TreeState } from "../model/state.ts";
import type { Finding } from "./verify-node.ts";

/** What must hold between nodes, and between nodes and raw logs. `unread`: paths that are there but cannot be read. */
export function verifyShape(state: TreeState, unread: ReadonlySet<string>): readonly Finding[] {
  return [...state.nodes.all().flatMap((node) => statusFindings(state, node)), ...sourceFindings(state, unread)];
}

function statusFindings(state: TreeState, node: NodeFacts): readonly Finding[] {
  if (node.status !== "fixed" || node.reading !== "ours") return [];
  const path = nodePath(node.name);
  const findings: Finding[] = [];
  if (state.clock === "forward" && !hasEnded(node.name.level, node.name.period, state.today))
    findings.push({
      code: "fixed_too_early",
      severity: "error",
      path,
      line: 3,
      message: `${path} is fixed, but its period has not ended on ${state.today}`,
    });
  if (node.name.level === "daily") return findings;
  const recorded = new Set(node.sources.map((source) => source.path));
  const open = childrenFacts(state, node.name.level, node.name.period).filter(
    (child) => recorded.has(nodePath(child.name)) && child.status !== "fixed",
  );
  for (const child of open)
    findings.push({
      code: "fixed_before_child",
      severity: "error",
      path,
      line: 3,
      message: `${path} is fixed, but ${nodePath(child.name)} below it is not`,
    });
  return findings;
}

/** Raw logs that changed after their nodes were fixed, and logs that are gone. */
function sourceFindings(state: TreeState, unread: ReadonlySet<string>): readonly Finding[] {
  const findings: Finding[] = [];
  for (const day of state.nodes.periods("daily")) {
    const own = state.nodes.of("daily", day);
    const raw = state.days.get(day);
    const base = own.find((node) => node.name.late === 0);
    for (const addendum of own.filter((node) => node.name.late > 0)) {
      const path = addendum.sources[0]?.path ?? nodePath(addendum.name);
      findings.push({
        code: "late_source",
        severity: "info",
        path,
        line: null,
        message: `${path} has data that came after its node was fixed; it stands in ${nodePath(addendum.name)}`,
      });
    }
    if (raw === undefined && base?.reading === "ours" && !base.sources.some(({ path }) => unread.has(path)))
      findings.push({
        code: "source_missing",
        severity: "warning",
        path: nodePath(base.name),
        line: null,
        message: `the raw log of ${day} is gone; its node stays`,
      });
    if (raw === undefined || base?.status !== "fixed" || base.reading !== "ours") continue;
    for (const part of latePartsOf(raw, own)) {
      const code = part.kind === "edited" ? "source_edited" : "late_source";
      findings.push({
        code,
        severity: part.kind === "edited" ? "warning" : "info",
        path: part.source.path,
        line: part.source.part[0]?.from ?? null,
        message: `${part.source.path} has data that no node holds yet: the next run writes an addendum`,
      });
    }
  }
  return [...findings, ...orphanFindings(state)];
}

/** A node whose parent is missing although the chain is strict is due, not wrong; one whose parent forgot it would be wrong. */
function orphanFindings(state: TreeState): readonly Finding[] {
  return state.nodes.all().flatMap((node): readonly Finding[] => {
    const parent = parentOf(node.name.level, node.name.period);
    if (parent === undefined || node.reading !== "ours") return [];
    const own = state.nodes.of(parent.level, parent.period).filter((candidate) => candidate.reading === "ours");
    const path = nodePath(node.name);
    const held = own.some((candidate) => candidate.sources.some((source) => source.path === path));
    const allFixed = own.length > 0 && own.every((candidate) => candidate.status === "fixed");
    return held || !allFixed
      ? []
      : [
          {
            code: "not_in_parent",
            severity: "info",
            path,
            line: null,
            message: `${path} is in no node above it yet: the next run writes an addendum`,
          },
        ];
  });
}
