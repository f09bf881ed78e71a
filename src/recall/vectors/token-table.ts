import { MemoryError } from "../../base/errors.ts";

/** Vectors of word pieces in one block of bytes, read in place: docs/formats/embeddings.md. `tools/embedding-table.py` writes it. */
export interface TokenTable {
  readonly dimensions: number;
  /** The first 16 hexadecimal digits of the SHA-256 of what follows the header. */
  readonly digest: string;
  /** The number of a piece; pieces within a word begin with `##`. */
  readonly pieces: ReadonlyMap<string, number>;
  /** UTF-16 units of the longest piece. */
  readonly longest: number;
  /** The number of two pieces that stand one after the other, at the numbers of both as `pairKey` joins them. */
  readonly pairs: ReadonlyMap<number, number>;
  /** 1 for pieces that begin a pair. */
  readonly begins: Uint8Array;
  /** What the bytes of a piece's vector are multiplied with; 0 for pieces that say nothing. */
  readonly scales: Float32Array;
  readonly vectors: Int8Array;
}

export const magic = "hwvector";
export const headerBytes = 32;
const formatVersion = 1;

/** For looking up a pair. */
export function pairKey(first: number, second: number): number {
  return first * 65_536 + second;
}

/** Reads a table. `io` when the bytes are not a whole table of this version. Takes some milliseconds, nearly all for the names. */
export function readTokenTable(bytes: Uint8Array): TokenTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerBytes || text(bytes.subarray(0, 8)) !== magic || view.getUint16(8, true) !== formatVersion)
    throw damaged();
  const dimensions = view.getUint16(10, true);
  const count = view.getUint32(12, true);
  const nameBytes = view.getUint32(16, true);
  const scalesAt = headerBytes + nameBytes;
  const vectorsAt = scalesAt + count * 4;
  if (nameBytes % 4 !== 0 || dimensions % 4 !== 0 || vectorsAt + count * dimensions !== bytes.length) throw damaged();
  const names = text(bytes.subarray(headerBytes, scalesAt)).trimEnd().split("\n");
  if (names.length !== count) throw damaged();
  const known = numbersOf(names);
  const digest = Array.from(bytes.subarray(24, 32), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const scales = floats(view, { at: scalesAt, count });
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + vectorsAt, count * dimensions);
  return { dimensions, digest, ...known, scales, vectors };
}

/** A name with a space is a pair of pieces that stand before it. */
function numbersOf(names: readonly string[]): Pick<TokenTable, "pieces" | "longest" | "pairs" | "begins"> {
  const pieces = new Map<string, number>();
  const pairs = new Map<number, number>();
  const begins = new Uint8Array(names.length);
  let longest = 0;
  for (const [number, name] of names.entries()) {
    const space = name.indexOf(" ");
    if (space === -1) {
      pieces.set(name, number);
      if (name.length > longest) longest = name.length;
      continue;
    }
    const first = pieces.get(name.slice(0, space));
    const second = pieces.get(name.slice(space + 1));
    if (first === undefined || second === undefined || number > 65_535) throw damaged();
    pairs.set(pairKey(first, second), number);
    begins[first] = 1;
  }
  return { pieces, longest, pairs, begins };
}

/** Read one by one, since the block may begin anywhere in its buffer, and machines differ in the order of bytes. */
function floats(view: DataView, { at, count }: { readonly at: number; readonly count: number }): Float32Array {
  const numbers = new Float32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = view.getFloat32(at + index * 4, true);
  return numbers;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function damaged(): MemoryError {
  return new MemoryError(
    "io",
    "The table of word vectors is damaged or of another version. Build or install heartwood again.",
  );
}
