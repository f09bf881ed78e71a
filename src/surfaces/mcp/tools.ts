import type { ToolGroup } from "./arguments.ts";
import type { Tool } from "./tool.ts";
import { keepingTools } from "./tools-keeping.ts";
import { otherTools, threadTools } from "./tools-others.ts";
import { recallTools } from "./tools-recall.ts";
import { upkeepTools } from "./tools-upkeep.ts";

/** The tools of these groups, in an order that never changes. The eight of `memory` are always among them. */
export function toolsOf(groups: readonly ToolGroup[]): readonly Tool[] {
  const isAll = groups.includes("all");
  return [
    ...recallTools,
    ...keepingTools,
    ...upkeepTools,
    ...(isAll || groups.includes("threads") ? threadTools : []),
    ...(isAll ? otherTools : []),
  ];
}
