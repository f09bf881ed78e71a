import { MemoryError, type Warning } from "../../base/errors.ts";
import type { IndexState, SearchIndex } from "../../ports/search-index.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { differenceOf, type Difference } from "./compare.ts";
import type { Patience, PreparedIndex } from "./prepared.ts";
import { refresh } from "./refresh.ts";
import { rulesOf } from "./rules.ts";
import { listSources, type Sources } from "./sources.ts";

/** How long a process takes it that nothing changed since it last looked, in milliseconds. */
const looksEvery = 300;

interface Look {
  readonly at: number;
  readonly prepared: PreparedIndex;
}

const lastLooks = new WeakMap<SearchIndex, Look>();

/**
 * The index for a query: brought up to date as far as patience allows, else as it is. Never fails for want of an index: a broken, locked or unwritable
 * one is a warning. What was logged less than 300 ms ago by another process may be missed by a process that asks again and again.
 */
export async function prepareIndex(memory: Memory, patience: Patience, call: Call = {}): Promise<PreparedIndex> {
  const last = lastLooks.get(memory.searchIndex);
  if (last !== undefined && patience !== "whole" && performance.now() - last.at < looksEvery) return last.prepared;
  const prepared = await prepareNow(memory, patience, call);
  if (prepared.not_indexed === 0) lastLooks.set(memory.searchIndex, { at: performance.now(), prepared });
  else lastLooks.delete(memory.searchIndex);
  return prepared;
}

async function prepareNow(memory: Memory, patience: Patience, call: Call): Promise<PreparedIndex> {
  const index = memory.searchIndex;
  const sources = await listSources(memory);
  const total = sources.sources.length;
  const state = await stateOf(memory);
  if (!("is" in state)) return { index, not_indexed: total, sources: total, warnings: [...sources.warnings, state] };
  const difference = differenceOf(sources.sources, state.sources);
  const stale = difference.stale.length;
  if (stale + difference.gone.length === 0)
    return { index, not_indexed: 0, sources: total, warnings: sources.warnings };
  if (state.is === "newer")
    return { index, not_indexed: stale, sources: total, warnings: [...sources.warnings, newerIndex] };
  const { left, warnings } = await tryRefresh(memory, { sources, difference, patience }, call);
  return { index, not_indexed: left, sources: total, warnings: [...sources.warnings, ...warnings] };
}

const newerIndex: Warning = {
  code: "newer_index",
  message: "the index was made by a newer heartwood and is not used; use that one, or delete .heartwood/search",
};

async function stateOf(memory: Memory): Promise<IndexState | Warning> {
  try {
    return await memory.searchIndex.state(rulesOf(memory));
  } catch (error) {
    return warningOf(error);
  }
}

async function tryRefresh(
  memory: Memory,
  work: { readonly sources: Sources; readonly difference: Difference; readonly patience: Patience },
  call: Call,
): Promise<{ readonly left: number; readonly warnings: readonly Warning[] }> {
  const left = work.difference.stale.length;
  try {
    const lease = await memory.locks.acquire("search", {
      holder: "search",
      ...(work.patience === "whole" ? { waitMs: 30_000 } : {}),
    });
    try {
      return await refresh(memory, work, call);
    } finally {
      await lease.release();
    }
  } catch (error) {
    // Somebody else is about to index the same.
    if (error instanceof MemoryError && error.code === "busy") return { left, warnings: [] };
    return { left, warnings: [warningOf(error)] };
  }
}

function warningOf(error: unknown): Warning {
  if (!(error instanceof MemoryError)) throw error;
  return { code: "index_behind", message: error.message };
}
