import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { IndexedSection, IndexWriteOptions, SourceChange } from "./search-index.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import { readSecretsOfLogs } from "../../tree/run/known-secrets.ts";
import type { RecallMemory, NamedEmbedder } from "../memory.ts";
import { current, readCache } from "../../tree/run/tree-cache.ts";
import type { Call } from "../../base/operation.ts";
import { rememberedDigest, rememberedStamp, type Difference, type Stale, type Sources } from "./sources.ts";
import { readSource } from "./read-source.ts";
import { rulesOf, embedderFailed, embedTexts } from "./embedding.ts";
import { isBlank } from "../vectors/int8.ts";

/**
 * `whole`: bring everything in. Else at most so many milliseconds of work, the newest sources first; with `as_it_is` nothing is brought in, unless sources are
 * gone.
 */
export type Patience = "whole" | { readonly ms: number; readonly index?: "as_it_is" };

/** What a refresh did. */
interface Refreshed {
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Stale sources that were left for another time, or that cannot be read. */
  readonly left: number;
  readonly warnings: readonly Warning[];
}

export interface RefreshWork {
  readonly sources: Sources;
  readonly difference: Difference;
  readonly patience: Patience;
  readonly embedder: NamedEmbedder | undefined;
  /** Default `kept`. */
  readonly before?: "kept" | "anew";
}

/** Bytes of sources that are written in one transaction. */
const bytesOfBatch = 16 * 1024 * 1024;
/** Bytes. Reading less takes so little memory that nothing need be done about it. */
const muchToRead = 8 * 1024 * 1024;
/** Bytes that are surely read, cut and written in one millisecond. */
const bytesInMs = 3000;
/** The newest source may take so many times as long: what was just logged is to be found, also in a long log. */
const overtime = 10;
/** A small memory, or what a day adds to one, is indexed without a look at the clock: waiting would cost more than the work. Bytes, sources. */
const little = { bytes: 128 * 1024, sources: 64 };

/**
 * Brings what differs into the index, newest first, as far as patience allows. To be called with the lock `search`. A source that cannot be read is a
 * warning. Errors: those of the index's `write`.
 */
export async function refresh(memory: RecallMemory, work: RefreshWork, call: Call): Promise<Refreshed> {
  const { sources, difference, embedder, patience } = work;
  const { stale: all, gone } = difference;
  const bytes = all.reduce((sum, { source }) => sum + source.size, 0);
  if (bytes > muchToRead) memory.onWork?.();
  const isLittle = bytes <= little.bytes && all.length <= little.sources;
  const until = patience === "whole" || isLittle ? Number.POSITIVE_INFINITY : performance.now() + patience.ms;
  const vectors = new StatementVectors(embedder, patience, call);
  const counts = { indexed: 0, unchanged: 0, removed: gone.length, left: 0 };
  const warnings: Warning[] = [];
  let changes: SourceChange[] = gone.map((key) => ({ key, remove: true }));
  let before = work.before ?? "kept";
  let [written, batchBytes] = [0, 0];
  let secrets: Promise<SecretValues> | undefined;

  const add = async ({ source, digest: known }: Stale): Promise<void> => {
    const { key } = source;
    // The racy rule compares with the clock that stamps files, which is not the clock of the memory.
    const readAt = performance.timeOrigin + performance.now();
    secrets ??= secretsOf(sources);
    const from = { memory, files: sources.files, secrets: await secrets };
    const isKept = known !== undefined && work.before !== "anew";
    const indexed = async (): Promise<readonly IndexedSection[]> => (isKept ? memory.searchIndex.sectionsOf(key) : []);
    const read = await readSource(from, source, { digest: known, sections: indexed });
    if (read.is === "gone") changes.push({ key, remove: true });
    else if (read.is === "unchanged") changes.push({ key, restamp: rememberedStamp(source, read.stamp, readAt) });
    else {
      const { content } = read;
      const stamp = rememberedStamp(source, content.stamp, readAt);
      const made = await vectors.of(content.sections);
      const digest = rememberedDigest(content.digest, made.vectors);
      changes.push({ key, put: { ...content, stamp, digest, sections: made.sections } });
      pushAll(warnings, read.left);
      batchBytes += source.size;
    }
    counts[read.is === "read" ? "indexed" : "unchanged"] += 1;
  };
  const flush = async (after: AfterWrite): Promise<void> => {
    if (changes.length > 0 || before === "anew" || after === "settle")
      try {
        await memory.searchIndex.write(rulesOf(embedder), changes, { before, after });
      } catch (error) {
        // Stamps alone only spare the next look: in a read-only memory the index is as good without them.
        const isNoLoss = before === "kept" && changes.every((change) => "restamp" in change);
        if (!(error instanceof MemoryError) || !isNoLoss) throw error;
      }
    before = "kept";
    changes = [];
    written += batchBytes;
    batchBytes = 0;
    const { indexed, unchanged, left } = counts;
    call.progress?.({ phase: "index", done: indexed + unchanged + left, total: all.length });
  };

  for (const stale of all) {
    call.signal?.throwIfAborted();
    const msLeft = (until - performance.now()) * (stale === all[0] ? overtime : 1);
    const isTooMuch = batchBytes + stale.source.size > msLeft * bytesInMs;
    try {
      if (!isTooMuch) await add(stale);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      warnings.push({ code: "not_indexed", path: stale.source.key, message: error.message });
      if (stale.is === "changed") counts.left += 1;
    }
    if (isTooMuch && stale.is === "changed") counts.left += 1;
    if (batchBytes >= bytesOfBatch) await flush("nothing");
  }
  await flush(written + batchBytes >= muchToRead ? "settle" : "nothing");
  return { ...counts, warnings: [...warnings, ...vectors.warnings] };
}

type AfterWrite = NonNullable<IndexWriteOptions["after"]>;

/** What is a secret in one log is one in every source. */
async function secretsOf({ sources, files }: Sources): Promise<SecretValues> {
  const cache = await readCache(files);
  const logs = sources.flatMap(({ kind, key, stamp, changedAt }) =>
    kind === "raw"
      ? [{ path: key, secrets: current(cache.logs.get(key), { stamp, changedAt }, cache)?.log.secrets }]
      : [],
  );
  return (await readSecretsOfLogs(files, logs)).values;
}

/** The least weight of a statement that gets a vector: those below are hardly ever returned. */
const leastWeight = 0.1;

/** Makes the vectors of one refresh. After a failure no more are requested: what comes then is indexed without. */
export class StatementVectors {
  readonly warnings: Warning[] = [];
  readonly #embedder: NamedEmbedder | undefined;
  readonly #call: Call;
  #isOver: boolean;
  #dimensions = 0;

  constructor(embedder: NamedEmbedder | undefined, patience: Patience, call: Call) {
    this.#embedder = embedder;
    this.#call = call;
    this.#isOver = embedder?.pace === "slow" && patience !== "whole";
  }

  /** The sections as they are to be indexed. `later`: their statements lack vectors. Errors: `aborted`. */
  async of(sections: readonly IndexedSection[]): Promise<{
    readonly sections: readonly IndexedSection[];
    readonly vectors: "made" | "later";
  }> {
    const texts = sections.flatMap(({ statements }) => statements.filter(isTelling).map(({ text }) => text));
    if (this.#embedder === undefined || texts.length === 0) return { sections, vectors: "made" };
    if (this.#isOver) return { sections, vectors: "later" };
    try {
      return { sections: withVectors(sections, await this.#vectorsOf(this.#embedder, texts)), vectors: "made" };
    } catch (error) {
      if (!(error instanceof MemoryError) || this.#call.signal?.aborted === true) throw error;
      this.#isOver = true;
      this.warnings.push(embedderFailed(error, "indexed by words alone; run heartwood index for the rest"));
      return { sections, vectors: "later" };
    }
  }

  async #vectorsOf(embedder: NamedEmbedder, texts: readonly string[]): Promise<readonly Int8Array[]> {
    const { signal } = this.#call;
    const vectors = await embedTexts(embedder, texts, {
      purpose: "passage",
      ...(signal === undefined ? {} : { signal }),
    });
    const { length } = vectors[0] ?? [];
    const known = this.#dimensions;
    if (known > 0 && length !== known)
      throw new MemoryError("model_answer", `${embedder.id} gave vectors of ${length} and ${known} numbers.`);
    this.#dimensions = length;
    return vectors;
  }
}

function isTelling({ weight }: { readonly weight: number }): boolean {
  return weight >= leastWeight;
}

function withVectors(sections: readonly IndexedSection[], vectors: readonly Int8Array[]): readonly IndexedSection[] {
  let at = 0;
  return sections.map((section) => {
    const statements = section.statements.map((statement) => {
      const vector = isTelling(statement) ? vectors[at++] : undefined;
      return vector === undefined || isBlank(vector) ? statement : { ...statement, vector };
    });
    return { ...section, statements };
  });
}
