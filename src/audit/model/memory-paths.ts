import { parseLogFile } from "../../tree/model/period.ts";

const living: ReadonlySet<string> = new Set(["MEMORY.md", "USER.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"]);

/** What is kept current by people and agents: `MEMORY.md`, `USER.md`, …, `knowledge/**` */
export function isLiving(path: string): boolean {
  return living.has(path) || isKnowledge(path);
}

export function isKnowledge(path: string): boolean {
  return path.startsWith("knowledge/") && path.endsWith(".md");
}

export function isRoot(path: string): boolean {
  return path === "memory/ROOT.md";
}

/** Where a file would be read as one of MEMORY.md and its like, as ROOT.md, a raw log or a node. */
export function isPlaceOfMemory(path: string): boolean {
  const log = /^memory\/([^/]+)$/u.exec(path)?.[1];
  if (log !== undefined && parseLogFile(log).state !== "other") return true;
  return living.has(path) || isRoot(path) || isNode(path);
}

/** A node of the tree: a file in `memory/daily/`, `memory/weekly/` or `memory/monthly/`. */
export function isNode(path: string): boolean {
  return /^memory\/(?:daily|weekly|monthly)\//u.test(path);
}
