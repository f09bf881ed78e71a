import { isTemporaryName } from "../../base/known-paths.ts";

/** Whether the tree depends on an entry of memory/ or of a level's folder: a log, a node, ROOT.md, or a leftover that a run removes. */
export function isWatched(folder: "memory" | "daily" | "weekly" | "monthly", name: string): boolean {
  if (isTemporaryName(name)) return true;
  if (!/\.md$/iu.test(name)) return false;
  return folder !== "memory" || name === "ROOT.md" || /^\d{4}-\d{2}-\d{2}/u.test(name);
}
