import type { IndexedSource } from "../../ports/search-index.ts";
import type { Source } from "./sources.ts";

/** What the index lacks. */
export interface Difference {
  /** New, or with another stamp than the one indexed; in the order of the sources. `digest`: of what is indexed of it. */
  readonly stale: readonly { readonly source: Source; readonly digest: string | undefined }[];
  /** Keys of what is indexed and is there no more. */
  readonly gone: readonly string[];
}

export function differenceOf(sources: readonly Source[], indexed: readonly IndexedSource[]): Difference {
  const known = new Map(indexed.map((source) => [source.key, source]));
  const stale = sources.flatMap((source) => {
    const before = known.get(source.key);
    known.delete(source.key);
    return before?.stamp === source.stamp ? [] : [{ source, digest: before?.digest }];
  });
  return { stale, gone: [...known.keys()] };
}

/**
 * The stamp to be remembered of what was read at `readAt`. What changed just before could change once more under the same stamp (the racy-clean rule of
 * git's index), so it gets one that no file has: it is looked at once more, and then only stamped anew.
 */
export function rememberedStamp(source: Source, stamp: string, readAt: number): string {
  return source.changedAt + stampsRepeatFor >= readAt ? `${stamp} racy` : stamp;
}

/** The coarsest time stamps of file systems in use, in milliseconds. */
const stampsRepeatFor = 2000;
