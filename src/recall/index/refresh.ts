import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { SourceChange } from "./search-index.ts";
import { readSecretsOfLogs } from "../../tree/logs/raw-logs.ts";
import type { RecallMemory } from "../memory.ts";
import { current, readCache } from "../../tree/run/tree-cache.ts";
import type { Call } from "../../base/operation.ts";
import {
  rememberedStamp,
  type Difference,
  type Stale,
  type Sources,
  differenceOf,
  indexRules,
  listSources,
} from "./sources.ts";
import { readSource } from "./read-source.ts";
import { chooseEmbedder, countEmbedded, fillAll, fillInstantly, lockWait } from "./embedding.ts";
import type { IndexInput, IndexResult } from "../search/inputs-and-results.ts";

/**
 * `whole`: index everything. Otherwise, work for at most `ms` milliseconds, newest sources first. `as_it_is`: use the index as it is, unless sources are gone.
 */
export type Patience = "whole" | { readonly ms: number; readonly index?: "as_it_is" };

export interface RefreshWork {
  readonly sources: Sources;
  readonly difference: Difference;
  readonly patience: Patience;
  /** Default `kept`. */
  readonly before?: "kept" | "anew";
}

/** Bytes of sources written in one transaction. */
const bytesOfBatch = 16 * 1024 * 1024;
/** Above this many bytes, the work is announced (`onWork`). From this many on, the index is settled afterwards. */
const muchToRead = 8 * 1024 * 1024;
/** Conservative estimate of the bytes read, cut and written per millisecond. */
const bytesInMs = 3000;
/** The newest source gets this many times the remaining time, so that a new entry is found even in a long log. */
const overtime = 10;
/** Up to this many bytes and sources (a small memory, or a day's additions) are indexed regardless of patience. */
const little = { bytes: 128 * 1024, sources: 64 };

/**
 * Updates the index, newest sources first, as far as `patience` allows. The caller must hold the `search` lock. A source that cannot be read is a warning.
 * `left`: number of changed sources that were postponed or could not be read. Errors: any from `SearchIndex.write`.
 */
export async function refresh(memory: RecallMemory, work: RefreshWork, call: Call) {
  const { sources, difference, patience } = work;
  const { stale: all, gone, clean } = difference;
  const bytes = all.reduce((sum, { source }) => sum + source.size, 0);
  if (bytes > muchToRead) memory.onWork?.();
  const isLittle = bytes <= little.bytes && all.length <= little.sources;
  const until = patience === "whole" || isLittle ? Number.POSITIVE_INFINITY : performance.now() + patience.ms;
  const warnings: Warning[] = [];
  let changes: SourceChange[] = gone.map((key) => ({ key, remove: true }));
  let before = work.before ?? "kept";
  let [indexed, left, done, written, batchBytes] = [0, 0, 0, 0, 0];
  let secrets: ReturnType<typeof secretsOf> | undefined;

  const add = async ({ source, digest: known }: Stale): Promise<void> => {
    const { key } = source;
    // The racy check compares this with file times, which do not come from the memory's clock.
    const readAt = performance.timeOrigin + performance.now();
    secrets ??= secretsOf(sources, clean);
    const { values, without } = await secrets;
    const from = { memory, files: sources.files, secrets: values };
    const isKept = known !== undefined && work.before !== "anew";
    const read = await readSource(from, source, {
      digest: known,
      sections: async () => (isKept ? memory.searchIndex.sectionsOf(key) : []),
    });
    if (read.is === "gone") changes.push({ key, remove: true });
    else if (read.is === "unchanged") changes.push({ key, restamp: rememberedStamp(source, read.stamp, readAt) });
    else {
      const { content } = read;
      const none = without.get(key) === content.stamp ? { secrets: "none" as const } : {};
      changes.push({ key, put: { ...content, ...none, stamp: rememberedStamp(source, content.stamp, readAt) } });
      pushAll(warnings, read.left);
      batchBytes += source.size;
      indexed += 1;
    }
  };
  const flush = async (after: "nothing" | "settle"): Promise<void> => {
    if (changes.length > 0 || before === "anew" || after === "settle")
      try {
        await memory.searchIndex.write(indexRules, changes, { before, after });
      } catch (error) {
        // Stamps only make the next check faster, so in a read-only memory the index works without them.
        const isNoLoss = before === "kept" && changes.every((change) => "restamp" in change);
        if (!(error instanceof MemoryError) || !isNoLoss) throw error;
      }
    [before, changes, written, batchBytes] = ["kept", [], written + batchBytes, 0];
    call.progress?.({ phase: "index", done, total: all.length });
  };

  for (const stale of all) {
    call.signal?.throwIfAborted();
    const msLeft = (until - performance.now()) * (stale === all[0] ? overtime : 1);
    let isLeft = batchBytes + stale.source.size > msLeft * bytesInMs;
    try {
      if (!isLeft) await add(stale);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      warnings.push({ code: "not_indexed", path: stale.source.key, message: error.message });
      isLeft = true;
    }
    if (isLeft && stale.is === "changed") left += 1;
    done += 1;
    if (batchBytes >= bytesOfBatch) await flush("nothing");
  }
  await flush(written + batchBytes >= muchToRead ? "settle" : "nothing");
  return { indexed, removed: gone.length, left, warnings };
}

/** The secrets in all logs: a secret in one log is a secret in every source. `without`: the stamps of logs in which none was found. `clean`: keys of logs that are known to have none. */
async function secretsOf({ sources, files }: Sources, clean: ReadonlySet<string>) {
  const cache = await readCache(files);
  const logs = sources()
    .filter(({ kind }) => kind === "raw")
    .map(({ key, stamp, changedAt }) => {
      const known = current(cache.logs.get(key), { stamp, changedAt }, cache)?.log.secrets;
      return { path: key, stamp, secrets: clean.has(key) ? ("none" as const) : known };
    });
  const { values, without } = await readSecretsOfLogs(files, logs);
  const known = logs.flatMap(({ path, stamp, secrets }) => (secrets === "none" ? [[path, stamp] as const] : []));
  return { values, without: new Map([...known, ...without]) };
}

/**
 * Brings the words of the whole index up to date; with `embed`, makes all missing vectors too, also of the memories under it. Errors: `busy`, `newer_store`,
 * `disk_full`, `io`; `model_unavailable` for `embed` without an embedding model.
 */
export async function runIndex(memory: RecallMemory, input: IndexInput, call: Call): Promise<IndexResult> {
  const started = performance.now();
  const { embedder, warnings, missing } = await chooseEmbedder(memory);
  if (input.embed === true && missing !== undefined) {
    const message = `There is nothing to make vectors with: ${missing}.`;
    throw new MemoryError("model_unavailable", message, { field: "embed" });
  }
  const words = await indexWords(memory, input, call);
  const filled = await fillInstantly(memory, embedder, { ms: Number.POSITIVE_INFINITY }, call);
  const made =
    input.embed === true ? await fillAll(memory, { ms: Number.POSITIVE_INFINITY, how: "shown" }, call) : undefined;
  const index = memory.searchIndex;
  return {
    ...words,
    chunks: await index.count("chunk"),
    statements: await index.count("statement"),
    ...(await countEmbedded(index, embedder)),
    ...(made && { embedded: made.embedded }),
    bytes: (await index.state(indexRules)).bytes,
    warnings: [...warnings, ...words.warnings, ...filled, ...(made?.warnings ?? [])],
    took_ms: Math.round(performance.now() - started),
  };
}

async function indexWords(memory: RecallMemory, { rebuild = false }: IndexInput, call: Call) {
  const lease = await memory.locks.acquire("search", { holder: "index", waitMs: lockWait, ...call });
  try {
    const state = await memory.searchIndex.state(indexRules);
    if (state.is === "newer")
      throw new MemoryError(
        "newer_store",
        "The index was made by a newer heartwood; use that version, or delete .heartwood/search to rebuild the index.",
      );
    const sources = await listSources(memory);
    const difference = differenceOf(sources, rebuild ? [] : state.sources);
    const before = rebuild ? "anew" : "kept";
    const done = await refresh(memory, { sources, difference, patience: "whole", before }, call);
    return {
      sources: sources.sources().length,
      indexed: done.indexed,
      unchanged: sources.sources().length - done.indexed - done.left,
      removed: done.removed,
      not_indexed: done.left,
      warnings: [...sources.warnings, ...done.warnings],
    };
  } finally {
    await lease.release();
  }
}
