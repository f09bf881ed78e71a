import { MemoryError } from "../../base/errors.ts";
import type { RecallMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { IndexInput } from "../search/inputs.ts";
import type { IndexResult } from "../search/results.ts";
import { differenceOf, lackingChanged, listSources } from "./sources.ts";
import { chooseEmbedder, rulesOf } from "./embedding.ts";
import { refresh } from "./refresh.ts";

/** How long a run waits for another run before it fails with `busy`, in milliseconds. */
const lockWait = 30_000;

/** Brings the whole index up to date. Errors: `busy`, `newer_store`, `disk_full`, `io`. */
export async function runIndex(
  memory: RecallMemory,
  { rebuild = false }: IndexInput,
  call: Call,
): Promise<IndexResult> {
  const started = performance.now();
  const lease = await memory.locks.acquire("search", { holder: "index", waitMs: lockWait, ...call });
  try {
    const index = memory.searchIndex;
    const { embedder, warnings } = await chooseEmbedder(memory);
    const rules = rulesOf(embedder);
    const state = await index.state(rules);
    if (state.is === "newer")
      throw new MemoryError(
        "newer_store",
        "The index was made by a newer heartwood; use that version, or delete .heartwood/search to rebuild the index.",
      );
    const sources = await listSources(memory);
    const difference = differenceOf(sources, rebuild ? [] : lackingChanged(state.sources));
    const before = rebuild ? "anew" : "kept";
    const done = await refresh(memory, { sources, difference, embedder, patience: "whole", before }, call);
    return {
      sources: sources.sources.length,
      indexed: done.indexed,
      unchanged: sources.sources.length - done.indexed - done.left,
      removed: done.removed,
      not_indexed: done.left,
      chunks: await index.count("chunk"),
      statements: await index.count("statement"),
      bytes: (await index.state(rules)).bytes,
      warnings: [...warnings, ...sources.warnings, ...done.warnings],
      took_ms: Math.round(performance.now() - started),
    };
  } finally {
    await lease.release();
  }
}
