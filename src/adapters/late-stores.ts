import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { SearchIndex } from "../ports/search-index.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import type { Transcripts } from "../ports/transcripts.ts";

/** A store of threads that is loaded when it is first asked for something: most commands never do. `close` alone loads nothing. */
export function createLateThreads(id: string, load: () => Promise<ThreadStore>): ThreadStore {
  let loading: Promise<ThreadStore> | undefined;
  const store = (): Promise<ThreadStore> => (loading ??= load());
  return {
    id,
    append: async (request) => (await store()).append(request),
    appendPieces: async (request, pieces) => (await store()).appendPieces(request, pieces),
    import: async (lines) => (await store()).import(lines),
    head: async (threadId) => (await store()).head(threadId),
    heads: async (query) => (await store()).heads(query),
    frames: async (query) => (await store()).frames(query),
    places: async (threadId, targets) => (await store()).places(threadId, targets),
    checkpoints: async (query) => (await store()).checkpoints(query),
    openJobs: async (query) => (await store()).openJobs(query),
    claim: async (request) => (await store()).claim(request),
    changed: async (signal) => (await store()).changed(signal),
    close: async () => (await loading)?.close(),
  };
}

/** The same for artifacts. */
export function createLateArtifacts(id: string, load: () => Promise<ArtifactStore>): ArtifactStore {
  let loading: Promise<ArtifactStore> | undefined;
  const store = (): Promise<ArtifactStore> => (loading ??= load());
  return {
    id,
    put: async (bytes) => (await store()).put(bytes),
    putAll: async (all) => (await store()).putAll(all),
    get: async (artifactId) => (await store()).get(artifactId),
  };
}

/** The same for the index of search and recall. */
export function createLateSearch(id: string, load: () => Promise<SearchIndex>): SearchIndex {
  let loading: Promise<SearchIndex> | undefined;
  const index = (): Promise<SearchIndex> => (loading ??= load());
  return {
    id,
    state: async (rules, options) => (await index()).state(rules, options),
    write: async (rules, changes, options) => (await index()).write(rules, changes, options),
    find: async (query, options) => (await index()).find(query, options),
    rows: async (unit, ids, options) => (await index()).rows(unit, ids, options),
    rowsOfSections: async (unit, sections, options) => (await index()).rowsOfSections(unit, sections, options),
    rowsAt: async (unit, places, options) => (await index()).rowsAt(unit, places, options),
    sectionsOf: async (key, options) => (await index()).sectionsOf(key, options),
    vectors: async (filter, options) => (await index()).vectors(filter, options),
    sectionHits: async (terms, filter, options) => (await index()).sectionHits(terms, filter, options),
    frequencies: async (words, options) => (await index()).frequencies(words, options),
    count: async (unit, options) => (await index()).count(unit, options),
    generation: async (options) => (await index()).generation(options),
    close: async () => (await loading)?.close(),
  };
}

/** The same for what clients write. */
export function createLateTranscripts(id: string, load: () => Promise<Transcripts>): Transcripts {
  let loading: Promise<Transcripts> | undefined;
  const transcripts = (): Promise<Transcripts> => (loading ??= load());
  return {
    id,
    find: async (query) => (await transcripts()).find(query),
    read: async function* (source, options) {
      yield* (await transcripts()).read(source, options);
    },
  };
}
