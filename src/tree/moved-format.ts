/** Where what was moved out of raw logs is recorded; docs/formats/audit.md, "Shortened notes". */
export const movedPath = "memory/archive/moved.json";

/** The steps by which raw logs were shortened, by the path of the log. */
export type MovedLogs = ReadonlyMap<string, readonly ShorteningStep[]>;

/** One shortening: the log as it was is kept whole as `part`. */
export interface ShorteningStep {
  readonly part: string;
  readonly before: BytesMark;
  readonly after: BytesMark;
  readonly change:
    | { readonly kind: "cut"; readonly spans: readonly (readonly [number, number])[] }
    | { readonly kind: "rotated" };
}

export interface BytesMark {
  readonly bytes: number;
  readonly sha256: string;
}
