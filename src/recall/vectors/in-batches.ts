import { toInt8 } from "./int8.ts";

/** How the texts of one call reach a model. */
export interface Batches {
  /** The most texts that it gets at once. */
  readonly most: number;
  /** Stands before each text. */
  readonly prefix: string;
  /** As many rows as texts, each as long as the first that ever came, of finite numbers; anything else is thrown by `wrong`. */
  readonly ask: (texts: readonly string[]) => Promise<readonly unknown[]>;
  /** How many numbers a row has; 0 when that is not known yet. */
  readonly dimensions: () => number;
  /** The error for what came back. `why` is the end of a sentence about the model: "gave 3 vectors for 4 texts". */
  readonly wrong: (why: string) => Error;
}

/** One vector a text. A text in which nothing is to be seen is not asked for, since many models refuse it: it gets zeros. */
export async function embedInBatches(texts: readonly string[], batches: Batches): Promise<readonly Int8Array[]> {
  const asked = texts.flatMap((text, index) => (/[^\s\p{C}]/u.test(text) ? [index] : []));
  const found = new Map<number, Int8Array>();
  let dimensions = batches.dimensions();
  for (let from = 0; from < asked.length; from += batches.most) {
    const part = asked.slice(from, from + batches.most);
    const rows = await batches.ask(part.map((index) => batches.prefix + (texts[index] ?? "").toWellFormed()));
    if (rows.length !== part.length) throw batches.wrong(`gave ${rows.length} vectors for ${part.length} texts`);
    for (const [at, row] of rows.entries()) {
      const numbers = numbersOf(row);
      if (numbers === undefined) throw batches.wrong("gave something else than vectors of numbers");
      if (dimensions === 0) dimensions = numbers.length;
      if (numbers.length !== dimensions)
        throw batches.wrong(`gave vectors of ${numbers.length} numbers where others have ${dimensions}`);
      found.set(part[at] ?? 0, toInt8(numbers));
    }
  }
  return texts.map((_, index) => found.get(index) ?? new Int8Array(dimensions));
}

function numbersOf(row: unknown): ArrayLike<number> | undefined {
  if (row instanceof Float32Array || row instanceof Float64Array) return row.every(Number.isFinite) ? row : undefined;
  if (!Array.isArray(row) || row.length === 0) return undefined;
  const parts: readonly unknown[] = row;
  return parts.every((part): part is number => typeof part === "number" && Number.isFinite(part)) ? parts : undefined;
}
