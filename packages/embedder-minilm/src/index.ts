import { closeSync, fstatSync, openSync, read, readFileSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { kernel } from "./kernel.ts";
import { createTokenizer } from "./tokenizer.ts";

/** Implementation and version, and the beginning of the SHA-256 of the weights. Changes whenever a vector does. */
export const id = "minilm-l6-1:1f41cb4bc422d60f";
export const dimensions = 384;

export interface EmbedderOptions {
  /** How many threads share the texts of one call, each with 35 MB of its own. Vectors do not depend on it. Default 1: no thread is started. */
  readonly threads?: number;
}

export interface EmbedOptions {
  /** The model makes no difference between them. */
  readonly purpose?: "query" | "passage";
  readonly signal?: AbortSignal;
}

/** An `Embedder` of heartwood (heartwood/ports). */
export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector per text, in order: 384 numbers of a unit vector, each times 254, rounded, from -127 to 127. Zeros for a text without visible characters. Only the first 254
   * pieces of words of a text are read. Errors: `io` if the model is missing, `aborted`.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Int8Array[]>;
  /** Reads the weights on another thread, for a program that has something else to do meanwhile. Errors: `io`. */
  load(): Promise<void>;
  /** Frees the memory. The embedder can be used again afterwards. */
  close(): Promise<void>;
}

/** The weights are read at the first call of `embed` or `load`. */
export function createEmbedder({ threads = 1 }: EmbedderOptions = {}): Embedder {
  let model: Promise<Model> | undefined;
  let pool: Promise<import("./threads.ts").Pool> | undefined;
  const opened = (): Promise<Model> => (model ??= openModel());
  const embedHere = async (
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Int8Array[]> => {
    let { vectorOf } = await opened();
    const vectors: Int8Array[] = [];
    let since = performance.now();
    for (const text of texts) {
      if (performance.now() - since > mostBusyMs) {
        await new Promise((resolve) => setImmediate(resolve));
        // It may have been closed in the meantime.
        ({ vectorOf } = await opened());
        since = performance.now();
      }
      stopIfAborted(signal);
      vectors.push(vectorOf(text));
    }
    return vectors;
  };
  return {
    id,
    dimensions,
    embed: async (texts, { signal } = {}) => {
      stopIfAborted(signal);
      if (threads <= 1 || texts.length < leastShared) return embedHere(texts, signal);
      pool ??= import("./threads.ts").then(({ openPool }) => openPool(threads));
      return (await pool).embed(texts, () => stopIfAborted(signal));
    },
    load: async () => void (await opened()),
    close: async () => {
      const [known, shared] = [model, pool];
      [model, pool] = [undefined, undefined];
      (await known?.catch(() => undefined))?.close();
      await (await shared)?.close();
    },
  };
}

export default createEmbedder;

/** How long a call keeps the process from anything else. */
const mostBusyMs = 20;
/** Fewer texts are not shared among threads. */
const leastShared = 32;
const mostTokens = 256;
/** Pages of memory, as compiled (tools/kernel.mjs). */
const pages = 500;

type Numbers = "weights" | "weightBytes" | "wordBytes" | "tokens" | "vector";

interface Kernel extends Readonly<Record<Numbers, { readonly value: number }>> {
  encode(count: number): void;
}

/** What is used of WebAssembly, whose types come with those of browsers. */
interface Wasm {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

interface Model {
  vectorOf(text: string): Int8Array;
  close(): void;
}

async function openModel(): Promise<Model> {
  const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;
  const memory = new Memory({ initial: pages });
  const encoder = new Instance(new Module(Buffer.from(kernel, "base64")), { env: { memory } }).exports as Kernel;
  const at = (name: Numbers): number => encoder[name].value;
  const placeOf = (from: number, length: number) => new Uint8Array(memory.buffer, at("weights") + from, length);
  const file = openSync(fileOf("minilm.bin"), "r");
  try {
    if (fstatSync(file).size !== at("weightBytes")) throw missing("minilm.bin is not complete");
    const [from, length] = [at("wordBytes"), at("weightBytes") - at("wordBytes")];
    const { bytesRead } = await promisify(read)(file, placeOf(from, length), 0, length, from);
    if (bytesRead < length) throw missing("minilm.bin is not complete");
    const tokenize = createTokenizer(readFileSync(fileOf("vocabulary.bin")));
    // Half of the file are the rows of words, of which a sentence needs a few.
    const isRead = new Uint8Array(at("wordBytes") / dimensions);
    return {
      vectorOf: (text) => {
        const tokens = tokenize(text, mostTokens);
        if (tokens.length <= 2) return new Int8Array(dimensions);
        for (const token of tokens) {
          if (isRead[token] === 1) continue;
          readSync(file, placeOf(token * dimensions, dimensions), 0, dimensions, token * dimensions);
          isRead[token] = 1;
        }
        new Int32Array(memory.buffer, at("tokens"), tokens.length).set(tokens);
        encoder.encode(tokens.length);
        return new Int8Array(memory.buffer, at("vector"), dimensions).slice();
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function fileOf(name: string): URL {
  return new URL(`../model/${name}`, import.meta.url);
}

function missing(why: string): Error {
  return Object.assign(
    new Error(`The model of heartwood-embedder-minilm cannot be read: ${why}. Install the package again.`),
    { code: "io" },
  );
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw Object.assign(new Error("Aborted."), { code: "aborted" });
}
