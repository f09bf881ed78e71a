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

/** A node of the tree: a file in `memory/daily/`, `memory/weekly/` or `memory/monthly/`. */
export function isNode(path: string): boolean {
  return /^memory\/(?:daily|weekly|monthly)\//u.test(path);
}
