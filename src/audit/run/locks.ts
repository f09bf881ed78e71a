import { isInTheWay } from "../../base/errors.ts";
import type { Lease } from "../../platform/locks.ts";
import { findLeftovers, removeLeftovers, removeLeftoversAlone } from "../../tree/run/tree-files.ts";
import type { Call } from "../../base/operation.ts";
import type { TreeMemory } from "../../tree/memory.ts";

/** How long an audit waits for a compaction, and for an entry that is being added. Milliseconds. */
const treeWait = 30_000;
const appendWait = 60_000;

/** Works while no run of the tree and no entry of a log can come in between. Errors: `busy`, `aborted`. */
export async function withLocks<T>(
  memory: TreeMemory,
  options: { readonly holder: string; readonly call?: Call },
  work: () => Promise<T>,
): Promise<T> {
  const signal = options.call?.signal === undefined ? {} : { signal: options.call.signal };
  const leases: Lease[] = [];
  try {
    // In the order of a compaction, which counts its run while it holds the tree.
    leases.push(await memory.locks.acquire("tree", { holder: options.holder, waitMs: treeWait, ...signal }));
    // Not before: they may be those of a run that is under way.
    await unlessInTheWay(() => removeLeftovers(memory));
    leases.push(await memory.locks.acquire("append", { holder: options.holder, waitMs: appendWait, ...signal }));
    return await work();
  } finally {
    for (const lease of leases.toReversed()) await lease.release();
  }
}

/** For a run that has nothing else to do. */
export async function removeLitterAlone(memory: TreeMemory): Promise<void> {
  await unlessInTheWay(async () => {
    if ((await findLeftovers(memory)).length > 0) await removeLeftoversAlone(memory);
  });
}

/** Temporary files are removed where folders can be listed. What stands in the place of one is a finding, and no reason to stop. */
async function unlessInTheWay(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isInTheWay(error)) throw error;
  }
}
