const SEQS = 2 ** 32;
/** The threads that fit: beyond that, the place of a frame is no exact number. */
export const MOST_THREADS = 2 ** 21 - 1;

/** The place of a frame among all frames. */
export function atOf(thread: number, seq: number): number {
  return thread * SEQS + seq;
}

export function seqOf(at: number): number {
  return at % SEQS;
}

export function threadOf(at: number): number {
  return Math.floor(at / SEQS);
}

/** The sixteen bytes of a UUID. */
export function bytesOfId(id: string): Uint8Array {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

export function idOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A text as a column: NUL and lone surrogates would not come back as they were. */
export function columnOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function textOf(column: string): string {
  return column.includes("\\") ? (JSON.parse(`"${column}"`) as string) : column;
}
