import { MemoryError } from "../../base/errors.ts";
import { digestIn, headerBytes } from "./table-id.ts";

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
const formatVersion = 1;
/** A pair names its pieces in two bytes each. */
const mostPieces = 65_536;

/** For looking up a pair. */
export function pairKey(first: number, second: number): number {
  return first * mostPieces + second;
}

/** Reads a table. `io` when the bytes are not a whole table of this version. Takes some milliseconds, nearly all for the names. */
export function readTokenTable(bytes: Uint8Array): TokenTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerBytes || text(bytes.subarray(0, 8)) !== magic || view.getUint16(8, true) !== formatVersion)
    throw damaged();
  const dimensions = view.getUint16(10, true);
  const pieceCount = view.getUint32(12, true);
  const pairCount = view.getUint32(16, true);
  const nameBytes = view.getUint32(20, true);
  const count = pieceCount + pairCount;
  const pairsAt = headerBytes + nameBytes;
  const scalesAt = pairsAt + pairCount * 4;
  const vectorsAt = scalesAt + count * 4;
  if (nameBytes % 4 !== 0 || dimensions % 4 !== 0 || vectorsAt + count * dimensions !== bytes.length) throw damaged();
  const names = text(bytes.subarray(headerBytes, pairsAt)).trimEnd().split("\n");
  if (names.length !== pieceCount || pieceCount > mostPieces) throw damaged();
  const scales = floats(view, { at: scalesAt, count });
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + vectorsAt, count * dimensions);
  const pairs = pairsOf(view, { at: pairsAt, count: pairCount, first: pieceCount });
  return { dimensions, digest: digestIn(bytes), ...piecesOf(names), ...pairs, scales, vectors };
}

function piecesOf(names: readonly string[]): Pick<TokenTable, "pieces" | "longest"> {
  const pieces = new Map<string, number>();
  let longest = 0;
  for (let number = 0; number < names.length; number++) {
    const name = names[number] ?? "";
    pieces.set(name, number);
    if (name.length > longest) longest = name.length;
  }
  return { pieces, longest };
}

function pairsOf(
  view: DataView,
  { at, count, first }: { readonly at: number; readonly count: number; readonly first: number },
): Pick<TokenTable, "pairs" | "begins"> {
  const pairs = new Map<number, number>();
  const begins = new Uint8Array(first);
  for (let index = 0; index < count; index++) {
    const before = view.getUint16(at + index * 4, true);
    const behind = view.getUint16(at + index * 4 + 2, true);
    if (before >= first || behind >= first) throw damaged();
    pairs.set(pairKey(before, behind), first + index);
    begins[before] = 1;
  }
  return { pairs, begins };
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
