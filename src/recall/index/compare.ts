import type { IndexedSource } from "./search-index.ts";
import type { Source, Sources } from "./sources.ts";

/** What the index lacks. */
export interface Difference {
  /** New, or with another stamp than the one indexed; in the order of the sources. */
  readonly stale: readonly Stale[];
  /** Keys of what is indexed and is there no more. What could not be listed stays as it is. */
  readonly gone: readonly string[];
}

export interface Stale {
  readonly source: Source;
  /** Of what is indexed of it. */
  readonly digest: string | undefined;
  /** `unsure`: its stamp is the one indexed, but that was taken too early to prove anything. */
  readonly is: "changed" | "unsure";
}

export function differenceOf(
  { sources, unlisted }: Pick<Sources, "sources" | "unlisted">,
  indexed: readonly IndexedSource[],
): Difference {
  const known = new Map(indexed.map((source) => [source.key, source]));
  const stale = sources.flatMap((source): readonly Stale[] => {
    const before = known.get(source.key);
    known.delete(source.key);
    if (before?.stamp === source.stamp) return [];
    return [{ source, digest: before?.digest, is: before?.stamp === source.stamp + racyMark ? "unsure" : "changed" }];
  });
  return { stale, gone: [...known.keys()].filter((key) => !unlisted.some((beginning) => key.startsWith(beginning))) };
}

/** How many sources are surely not indexed as they are; those that are there no more among them. */
export function countChanged({ stale, gone }: Difference): number {
  return stale.filter(({ is }) => is === "changed").length + gone.length;
}

/** Stands behind the digest of a source whose vectors are still to be made. */
const laterMark = " later";

/** The digest to be remembered of a source. */
export function rememberedDigest(digest: string, vectors: "made" | "later"): string {
  return vectors === "made" ? digest : digest + laterMark;
}

/** What is indexed, with the sources that lack their vectors as if they had changed. */
export function lackingChanged(indexed: readonly IndexedSource[]): readonly IndexedSource[] {
  return indexed.map((source) => (source.digest.endsWith(laterMark) ? { ...source, stamp: "", digest: "" } : source));
}

const racyMark = " racy";

/**
 * The stamp to be remembered of what was read at `readAt`. What changed just before, or since it was listed, could change once more under the same stamp (the
 * racy-clean rule of git's index), so it gets one that no file has: it is looked at once more, and then only stamped anew.
 */
export function rememberedStamp(source: Pick<Source, "stamp" | "changedAt">, stamp: string, readAt: number): string {
  return stamp !== source.stamp || source.changedAt + stampsRepeatFor >= readAt ? stamp + racyMark : stamp;
}

/** The coarsest time stamps of file systems in use, in milliseconds. */
const stampsRepeatFor = 2000;
