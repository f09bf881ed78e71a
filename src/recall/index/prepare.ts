import type { PreparedIndex, RecallMemory } from "../memory.ts";
import { MemoryError, ifMemoryError, type Warning } from "../../base/errors.ts";
import { noVectors, type IndexQuery, type IndexState, type SearchIndex, type StoredRow } from "./search-index.ts";
import { noSections } from "../rank/scores.ts";
import type { Call } from "../../base/operation.ts";
import { countChanged, differenceOf, indexRules, isUnchanged, listSources } from "./sources.ts";
import { recallSources } from "./search-index.ts";
import { chooseEmbedder, countEmbedded, fillInstantly } from "./embedding.ts";
import type { Patience, RefreshWork } from "./refresh.ts";

/**
 * Updates the words of the index for a query, as far as `patience` allows, and the vectors of words; a model makes none here. An index that is broken, locked or not writable is a warning, not an error; the returned index
 * may then be empty.
 */
export async function prepareIndex(memory: RecallMemory, patience: Patience, call: Call = {}): Promise<PreparedIndex> {
  const started = performance.now();
  const { embedder, warnings: chosen } = await chooseEmbedder(memory);
  const isGlance = patience !== "whole" && patience.index === "as_it_is";
  const state = await memory.searchIndex
    .state(indexRules, { ...call, ...(isGlance ? { of: recallSources } : {}) })
    .catch(ifMemoryError((error) => behind("the search index could not be opened", error)));
  const sources = await listSources(memory, isGlance ? "glance" : "whole");
  const found = async (
    index: SearchIndex,
    not_indexed: number,
    more: readonly Warning[] = [],
  ): Promise<PreparedIndex> => {
    const work =
      patience === "whole"
        ? { ms: Number.POSITIVE_INFINITY }
        : { ms: patience.ms + started - performance.now(), waitMs: 0 };
    const filled = isGlance || index === emptyIndex ? [] : await fillInstantly(memory, embedder, work, call);
    const embedded = isGlance ? undefined : await countEmbedded(index, embedder);
    return {
      index,
      ...(embedder && { embedder }),
      ...(embedded && { embedded }),
      not_indexed,
      warnings: [...chosen, ...sources.warnings, ...more, ...filled],
    };
  };
  if (!("is" in state)) return found(emptyIndex, sources.sources().length, [state]);
  const index = memory.searchIndex;
  if (isUnchanged(sources, state.sources)) return found(index, 0);
  const difference = differenceOf(sources, state.sources);
  const lacking = countChanged(difference);
  const logs = difference.stale.flatMap(({ source: { kind, key } }) => (kind === "raw" ? [key] : []));
  if (state.is === "newer") return found(emptyIndex, lacking, [newerIndex]);
  if (isGlance && difference.gone.length === 0)
    return { ...(await found(state.is === "ready" ? index : emptyIndex, lacking)), behind: logs, warnings: chosen };
  if (isGlance) return prepareIndex(memory, { ms: patience.ms }, call);
  const { left, warnings } = await tryRefresh(memory, { patience, state, sources, difference }, call);
  return { ...(await found(index, left, warnings)), ...(left === 0 ? {} : { behind: logs }) };
}

function damageOf({ because }: IndexState, what: string): readonly Warning[] {
  const message = `the search index was damaged or changed by another program, and ${what}`;
  return because === "damaged" ? [{ code: "index_damaged", message }] : [];
}

const newerIndex: Warning = {
  code: "newer_index",
  message: "the index was made by a newer heartwood and is not used; use that version, or delete .heartwood/search",
};

/** `state`: the state of the index when the work was planned. `left`: number of changed sources that are still not indexed. */
async function tryRefresh(
  memory: RecallMemory,
  work: RefreshWork & { readonly state: IndexState },
  call: Call,
): Promise<{ readonly left: number; readonly warnings: readonly Warning[] }> {
  const left = countChanged(work.difference);
  try {
    const lease = await memory.locks.acquire("search", {
      holder: "search",
      ...(work.patience === "whole" ? { waitMs: 30_000 } : {}),
    });
    try {
      // Imported lazily: for most queries nothing has changed.
      const { refresh } = await import("./refresh.ts");
      // Another process may have done this work in the meantime.
      const { is, sources: indexed } = await memory.searchIndex.state(indexRules, call);
      const isSame = is === work.state.is && (is !== "ready" || indexed === work.state.sources);
      const sources = isSame ? work.sources : await listSources(memory);
      const difference = isSame ? work.difference : differenceOf(sources, indexed);
      const { left: missing, warnings } = await refresh(memory, { ...work, sources, difference }, call);
      const done = missing > 0 ? "is being rebuilt; nothing was lost" : "was rebuilt; nothing was lost";
      return { left: missing, warnings: [...damageOf(work.state, done), ...warnings] };
    } finally {
      await lease.release();
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    // Another process is already indexing.
    if (error.code === "busy") return { left, warnings: [] };
    const warning = behind("the search index could not be updated", error);
    return { left, warnings: [...damageOf(work.state, "could not be rebuilt"), warning] };
  }
}

function behind(what: string, { message }: MemoryError): Warning {
  return { code: "index_behind", message: `${what}: ${message}` };
}

/** Stands in for an index that cannot be queried. */
export const emptyIndex: SearchIndex = {
  id: "empty-index",
  state: async () => ({ is: "absent", sources: [], bytes: 0 }),
  write: async () => {},
  find: async () => [],
  rows: async () => [],
  rowsOfSections: async () => [],
  rowsAt: async () => [],
  sectionsOf: async () => [],
  vectors: async () => noVectors,
  vectorCounts: async () => ({ statements: 0, lacking: 0 }),
  lackingVectors: async () => [],
  putVectors: async () => {},
  sectionHits: async (terms) => ({ rows: noSections, terms: terms.map(() => noSections) }),
  frequencies: async (words) => ({ rows: 0, counts: words.map(() => 0) }),
  count: async () => 0,
  generation: async () => "",
  close: async () => {},
};

/** Limits retries, so that a query ends even if another process keeps writing. */
const mostTries = 4;

/** Repeats `act` if the index was written to in the meantime, because ids may then refer to other rows. */
export async function onStableIndex<T>(index: SearchIndex, act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = await index.generation();
    const result = await act();
    if (tries === mostTries || before === (await index.generation())) return result;
  }
}

/** Finds matching chunks and their scores, best first. */
export async function findChunks(
  index: SearchIndex,
  query: IndexQuery,
): Promise<readonly { readonly row: StoredRow; readonly score: number }[]> {
  const scores = new Map((await index.find(query)).map(({ id, score }) => [id, score]));
  const rows = await index.rows("chunk", [...scores.keys()]);
  return rows.map((row) => ({ row, score: scores.get(row.id) ?? 0 }));
}
