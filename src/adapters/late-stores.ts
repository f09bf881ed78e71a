import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { SearchIndex } from "../ports/search-index.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import type { Transcripts } from "../ports/transcripts.ts";

/** Asked before each call; what it throws is the answer. */
interface Gate {
  read(): void;
  write(): void;
}

/** How a store is loaded when it is first asked for something: most commands never do. `close` alone loads nothing. */
interface Late<T> {
  readonly id: string;
  readonly gate: Gate;
  readonly load: () => Promise<T>;
}

function lately<T>({ gate, load }: Late<T>) {
  let loading: Promise<T> | undefined;
  const store = (): Promise<T> => (loading ??= load());
  return {
    read: async (): Promise<T> => {
      gate.read();
      return store();
    },
    write: async (): Promise<T> => {
      gate.write();
      return store();
    },
    loaded: async (): Promise<T | undefined> => loading,
  };
}

export function createLateThreads(late: Late<ThreadStore>): ThreadStore {
  const store = lately(late);
  return {
    id: late.id,
    append: async (request) => (await store.write()).append(request),
    appendPieces: async (request, pieces) => (await store.write()).appendPieces(request, pieces),
    import: async (lines) => (await store.write()).import(lines),
    head: async (threadId) => (await store.read()).head(threadId),
    heads: async (query) => (await store.read()).heads(query),
    frames: async (query) => (await store.read()).frames(query),
    places: async (threadId, targets) => (await store.read()).places(threadId, targets),
    checkpoints: async (query) => (await store.read()).checkpoints(query),
    openJobs: async (query) => (await store.read()).openJobs(query),
    claim: async (request) => (await store.write()).claim(request),
    changed: async (signal) => (await store.read()).changed(signal),
    close: async () => (await store.loaded())?.close(),
  };
}

/** The same for artifacts. */
export function createLateArtifacts(late: Late<ArtifactStore>): ArtifactStore {
  const store = lately(late);
  return {
    id: late.id,
    put: async (bytes) => (await store.write()).put(bytes),
    putAll: async (all) => (await store.write()).putAll(all),
    get: async (artifactId) => (await store.read()).get(artifactId),
  };
}

/** The same for the index of search and recall. */
export function createLateSearch(late: Late<SearchIndex>): SearchIndex {
  const index = lately(late);
  return {
    id: late.id,
    state: async (rules, options) => (await index.read()).state(rules, options),
    write: async (rules, changes, options) => (await index.write()).write(rules, changes, options),
    find: async (query, options) => (await index.read()).find(query, options),
    rows: async (unit, ids, options) => (await index.read()).rows(unit, ids, options),
    rowsOfSections: async (unit, sections, options) => (await index.read()).rowsOfSections(unit, sections, options),
    rowsAt: async (unit, places, options) => (await index.read()).rowsAt(unit, places, options),
    sectionsOf: async (key, options) => (await index.read()).sectionsOf(key, options),
    vectors: async (filter, options) => (await index.read()).vectors(filter, options),
    sectionHits: async (terms, filter, options) => (await index.read()).sectionHits(terms, filter, options),
    frequencies: async (words, options) => (await index.read()).frequencies(words, options),
    count: async (unit, options) => (await index.read()).count(unit, options),
    generation: async (options) => (await index.read()).generation(options),
    close: async () => (await index.loaded())?.close(),
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
