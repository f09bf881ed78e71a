import type { LoadedTree } from "./load.ts";
import type { TreeMemory } from "../memory.ts";
import { writeCache, type CachedLog } from "./tree-cache.ts";
import type { TreeRun } from "./tree-run.ts";

/** Writes what the next run need not read again. */
export async function saveCache(memory: TreeMemory, loaded: LoadedTree, run: TreeRun): Promise<void> {
  const { without } = await run.secrets();
  const logs = new Map<string, { readonly stamp: string; readonly log: CachedLog }>(loaded.cacheable.logs);
  for (const [path, { source, stamp }] of run.logs) logs.set(path, { stamp, log: { source, content: "text" } });
  for (const [path, { stamp, log }] of logs)
    if (without.get(path) === stamp) logs.set(path, { stamp, log: { ...log, secrets: "none" } });
  const nodes = new Map(loaded.cacheable.nodes);
  for (const { path } of run.written) {
    const facts = run.state.nodes.get(path);
    const stamp = run.stamps.get(path);
    if (facts !== undefined && stamp !== undefined) nodes.set(path, { stamp, facts });
  }
  await writeCache(memory.files, { logs, nodes });
}
