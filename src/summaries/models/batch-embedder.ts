import { stopIfAborted } from "../../base/errors.ts";
import type { Embedder, EmbedOptions } from "../../recall/index/search-index.ts";
import { toInt8 } from "../../recall/vectors/int8.ts";

/** How to send texts to a model. */
interface Batches extends Pick<Embedder, "id" | "close"> {
  /** Maximum texts per request. */
  readonly most: number;
  /** How many characters of each text are sent. Default: all. */
  readonly longest?: number;
  /** Prepended to each text, by purpose. */
  readonly prefixes?: Partial<Readonly<Record<EmbedOptions["purpose"], string>>> | undefined;
  /** Must return one row of finite numbers per text, each as long as the first row ever returned; otherwise `wrong` is thrown. */
  readonly ask: (texts: readonly string[], options: EmbedOptions) => Promise<readonly unknown[]>;
  /** Builds the error for a wrong reply. `why` completes a sentence about the model: "gave 3 vectors for 4 texts". */
  readonly wrong: (why: string) => Error;
}

/** Returns one vector per text. A text without visible characters is not sent, since many models refuse it; its vector is all zeros. */
export function createBatchEmbedder({ most, longest, prefixes, ask, wrong, ...named }: Batches): Embedder {
  let known = 0;
  return {
    ...named,
    get dimensions() {
      return known;
    },
    embed: async (whole, options) => {
      const { purpose, signal } = options;
      stopIfAborted(signal, {});
      const prefix = prefixes?.[purpose] ?? "";
      const texts = whole.map((text) => text.slice(0, longest));
      const asked = texts.flatMap((text, index) => (/[^\s\p{C}]/u.test(text) ? [index] : []));
      const found = new Map<number, Int8Array>();
      let dimensions = known;
      for (let from = 0; from < asked.length; from += most) {
        const part = asked.slice(from, from + most);
        const batch = part.map((index) => prefix + (texts[index] ?? "").toWellFormed());
        const rows = await ask(batch, options);
        if (rows.length !== part.length) throw wrong(`returned ${rows.length} vectors for ${part.length} texts`);
        for (const [at, row] of rows.entries()) {
          const numbers = numbersOf(row);
          if (numbers === undefined) throw wrong("returned something other than vectors of numbers");
          if (dimensions === 0) dimensions = numbers.length;
          if (numbers.length !== dimensions)
            throw wrong(`returned vectors of different lengths (${numbers.length} and ${dimensions})`);
          found.set(part[at] ?? 0, toInt8(numbers));
        }
      }
      stopIfAborted(signal, {});
      known = dimensions;
      return texts.map((_, index) => found.get(index) ?? new Int8Array(dimensions));
    },
  };
}

function numbersOf(row: unknown): ArrayLike<number> | undefined {
  if (row instanceof Float32Array || row instanceof Float64Array) return row.every(Number.isFinite) ? row : undefined;
  if (!Array.isArray(row) || row.length === 0) return undefined;
  const parts: readonly unknown[] = row;
  return parts.every((part): part is number => typeof part === "number" && Number.isFinite(part)) ? parts : undefined;
}
