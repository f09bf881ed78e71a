import type { Warning } from "../../base/errors.ts";
import type { Node } from "../model/node-format.ts";
import { nodePath } from "../model/period.ts";
import type { Step } from "../plan/plan.ts";
import type { NodeFacts } from "../model/state.ts";
import type { WrittenNode } from "./idle.ts";

/** What a run tells of a node that it wrote. `known`: what stood there before. */
export function writtenNode(step: Step, node: Node, known: NodeFacts | undefined): WrittenNode {
  return {
    path: nodePath(node.name),
    level: node.name.level,
    period: node.name.period,
    status: node.status,
    action: actionOf(step, known),
    summarizer: node.madeBy,
    sources: node.sources.map((source) => source.path),
    late: node.name.late,
  };
}

function actionOf(step: Step, known: NodeFacts | undefined): WrittenNode["action"] {
  if (step.act === "mark") return step.reason === "status" ? "status" : "adopted";
  return known === undefined ? "created" : "updated";
}

/** What a run tells of a node whose front matter it could not read. */
export function brokenWarning(
  path: string,
  problem: { readonly line: number; readonly message: string } | undefined,
): Warning {
  return {
    code: "front_matter",
    path,
    line: problem?.line ?? 1,
    message: `the front matter of ${path} makes no sense in line ${problem?.line ?? 1} (${problem?.message ?? "unknown"}): the node was rebuilt and its old bytes are in memory/archive/`,
  };
}
