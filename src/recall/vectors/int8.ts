/** What a part of a vector of unit length is multiplied with, so that nearly all parts of nearly all vectors fit a byte. */
const unit = 254;

/** The vector scaled to unit length, in bytes; zeros when it has no direction. A part above one half counts as one half. */
export function toInt8(vector: ArrayLike<number>): Int8Array {
  const bytes = new Int8Array(vector.length);
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] ?? 0) ** 2;
  if (!(squares > 0 && squares < Infinity)) return bytes;
  const scale = unit / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) {
    const part = Math.round((vector[index] ?? 0) * scale);
    bytes[index] = Math.max(-127, Math.min(127, part));
  }
  return bytes;
}

/** Whether the vector says nothing. */
export function isBlank(vector: Int8Array): boolean {
  return vector.every((part) => part === 0);
}

/** Vectors one after the other in one block, as an index keeps them. */
interface Rows {
  readonly dimensions: number;
  /** A multiple of `dimensions` long. */
  readonly bytes: Int8Array;
}

/** The cosine of a vector with every row, in their order, by brute force. Rows of zeros, and a vector of zeros, have 0 throughout. */
export function cosines(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
  const found = new Float32Array(dimensions === 0 ? 0 : Math.floor(bytes.length / dimensions));
  // As 32-bit integers the numbers of the vector need no conversion at each of the rows.
  const wide = Int32Array.from(vector);
  for (let row = 0, at = 0; row < found.length; row++) {
    let sum = 0;
    for (let index = 0; index < dimensions; index++, at++)
      sum = (sum + Math.imul(wide[index] ?? 0, bytes[at] ?? 0)) | 0;
    found[row] = sum / (unit * unit);
  }
  return found;
}

/** How the texts of one call reach a model. */
interface Batches {
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
