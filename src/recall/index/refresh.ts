import { MemoryError, type Warning } from "../../base/errors.ts";
import type { IndexedSection, IndexWriteOptions, SourceChange } from "./search-index.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import { readSecretsOfLogs } from "../../tree/run/known-secrets.ts";
import type { RecallMemory, NamedEmbedder } from "../memory.ts";
import { readCache } from "../../tree/run/tree-cache.ts";
import type { Call } from "../../base/operation.ts";
import { rememberedDigest, rememberedStamp, type Difference, type Stale, type Sources } from "./sources.ts";
import { SkippedLines, readSource } from "./read-source.ts";
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
/** A small memory, or what a day adds to one, is brought in without a look at the clock: less would be missed than is waited for. Bytes, sources. */
const little = { bytes: 128 * 1024, sources: 64 };

/**
 * Brings what differs into the index, newest first, as far as patience allows. To be called with the lock `search`. A source that cannot be read is a
 * warning. Errors: those of the index's `write`.
 */
export async function refresh(memory: RecallMemory, work: RefreshWork, call: Call): Promise<Refreshed> {
  const { stale: all } = work.difference;
  const bytes = all.reduce((sum, { source }) => sum + source.size, 0);
  if (bytes > muchToRead) memory.onWork?.();
  const isLittle = bytes <= little.bytes && all.length <= little.sources;
  const run = new Run(memory, work, call);
  const until = work.patience === "whole" || isLittle ? Number.POSITIVE_INFINITY : performance.now() + work.patience.ms;
  for (const stale of all) {
    call.signal?.throwIfAborted();
    const left = (until - performance.now()) * (stale === all[0] ? overtime : 1);
    if (run.batchBytes + stale.source.size > left * bytesInMs) {
      run.leave(stale);
      continue;
    }
    await run.add(stale);
    if (run.batchBytes >= bytesOfBatch) await run.flush();
  }
  return run.finish();
}

/** What is a secret in one log is one in every source. */
async function secretsOf({ sources, files }: Sources): Promise<SecretValues> {
  const cache = await readCache(files);
  const logs = sources.flatMap(({ kind, key, stamp, changedAt }) =>
    kind === "raw" ? [{ path: key, secrets: cache.raw(key, { stamp, changedAt })?.secrets }] : [],
  );
  return (await readSecretsOfLogs(files, logs)).values;
}

type AfterWrite = NonNullable<IndexWriteOptions["after"]>;

class Run {
  readonly #memory: RecallMemory;
  readonly #work: RefreshWork;
  readonly #call: Call;
  readonly #warnings: Warning[] = [];
  readonly #leftOut = new SkippedLines();
  readonly #vectors: StatementVectors;
  #changes: SourceChange[];
  #before: "kept" | "anew";
  readonly #counts;
  #written = 0;
  #secrets: Promise<SecretValues> | undefined;
  batchBytes = 0;

  constructor(memory: RecallMemory, work: RefreshWork, call: Call) {
    this.#memory = memory;
    this.#work = work;
    this.#call = call;
    this.#vectors = new StatementVectors(work.embedder, work.patience, call);
    this.#before = work.before ?? "kept";
    const { gone } = work.difference;
    this.#changes = gone.map((key) => ({ key, remove: true }));
    this.#counts = { indexed: 0, unchanged: 0, removed: gone.length, left: 0 };
  }

  leave({ is }: Stale): void {
    if (is === "changed") this.#counts.left += 1;
  }

  async add(stale: Stale): Promise<void> {
    const { source, digest: known } = stale;
    // The racy rule compares with the clock that stamps files, which is not the clock of the memory.
    const readAt = performance.timeOrigin + performance.now();
    try {
      this.#secrets ??= secretsOf(this.#work.sources);
      const from = { memory: this.#memory, files: this.#work.sources.files, secrets: await this.#secrets };
      const read = await readSource(from, source, { digest: known, sections: () => this.#sectionsOf(stale) });
      const { key } = source;
      if (read.is === "gone") this.#changes.push({ key, remove: true });
      else if (read.is === "unchanged")
        this.#changes.push({ key, restamp: rememberedStamp(source, read.stamp, readAt) });
      else {
        const stamp = rememberedStamp(source, read.content.stamp, readAt);
        const { sections, vectors } = await this.#vectors.of(read.content.sections);
        const digest = rememberedDigest(read.content.digest, vectors);
        this.#changes.push({ key, put: { ...read.content, stamp, digest, sections } });
        this.#leftOut.add(key, read.left);
        this.batchBytes += source.size;
      }
      this.#counts[read.is === "read" ? "indexed" : "unchanged"] += 1;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.#warnings.push({ code: "not_indexed", path: source.key, message: error.message });
      this.leave(stale);
    }
  }

  /** What is indexed of it and will be written over. */
  async #sectionsOf({ source, digest }: Stale): Promise<readonly IndexedSection[]> {
    const isKept = digest !== undefined && this.#work.before !== "anew";
    return isKept ? this.#memory.searchIndex.sectionsOf(source.key) : [];
  }

  async finish(): Promise<Refreshed> {
    await this.flush(this.#written + this.batchBytes >= muchToRead ? "settle" : "nothing");
    return { ...this.#counts, warnings: [...this.#warnings, ...this.#leftOut.warnings, ...this.#vectors.warnings] };
  }

  async flush(after: AfterWrite = "nothing"): Promise<void> {
    if (this.#changes.length > 0 || this.#before === "anew" || after === "settle") await this.#write(after);
    this.#before = "kept";
    this.#changes = [];
    this.#written += this.batchBytes;
    this.batchBytes = 0;
    const { indexed, unchanged, left } = this.#counts;
    this.#call.progress?.({
      phase: "index",
      done: indexed + unchanged + left,
      total: this.#work.difference.stale.length,
    });
  }

  async #write(after: AfterWrite): Promise<void> {
    try {
      const how = { before: this.#before, after };
      await this.#memory.searchIndex.write(rulesOf(this.#work.embedder), this.#changes, how);
    } catch (error) {
      // Stamps alone only spare the next look: in a memory that is read-only the index is as good without.
      const isNoLoss = this.#before === "kept" && this.#changes.every((change) => "restamp" in change);
      if (!(error instanceof MemoryError) || !isNoLoss) throw error;
    }
  }
}

/** What a statement must tell to get a vector: those below are hardly ever handed over. */
const leastWeight = 0.1;

/** Makes the vectors of one refresh. After a failure no more are asked for: what comes then is indexed without. */
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
    const signal = this.#call.signal === undefined ? {} : { signal: this.#call.signal };
    const vectors = await embedTexts(embedder, texts, { purpose: "passage", ...signal });
    const { length } = vectors[0] ?? [];
    if (this.#dimensions > 0 && length !== this.#dimensions)
      throw new MemoryError(
        "model_answer",
        `${embedder.id} gave vectors of ${length} and ${this.#dimensions} numbers.`,
      );
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
