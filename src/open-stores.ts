import { join } from "node:path";
import { ifMemoryError, type MemoryError } from "./base/errors.ts";
import { stateFolder } from "./base/known-paths.ts";
import { once } from "./base/lines.ts";
import { machineClock } from "./platform/clock.ts";
import type { Commands } from "./platform/commands.ts";
import type { ArtifactStore } from "./platform/file-artifacts.ts";
import type { Files } from "./platform/files.ts";
import { gateOfSearch, gateOfThreads, type Gate, type LocalState } from "./platform/local-state.ts";
import { nodeSqlite } from "./platform/sqlite.ts";
import type { StoreSettings } from "./platform/user-settings/store.ts";
import type { SearchIndex } from "./recall/index/search-index.ts";
import type { TeamServer } from "./threads/memory.ts";
import type { ThreadStore } from "./threads/store/thread-store.ts";

/** What of the user's settings says where the threads are. */
export interface StorePlace {
  readonly store?: StoreSettings;
  /** Why the settings do not say it. Threads can then be read but not written, because they may belong on a server. */
  readonly fault?: MemoryError;
}

export interface OpenedStores {
  readonly threads: ThreadStore;
  /** `server`: the threads are not in the folder. */
  readonly place?: "server";
  readonly artifacts: ArtifactStore;
  readonly ownArtifacts: ArtifactStore;
  readonly team?: TeamServer;
  close(): Promise<void>;
}

/** The stores of threads and artifacts of a folder: in its files, or on the server in the user's settings. Connects to nothing yet. */
export async function openStores(
  { dir, files, localState }: { readonly dir: string; readonly files: Files; readonly localState: LocalState },
  { store, fault }: StorePlace,
): Promise<OpenedStores> {
  const gate = gateOfThreads(localState);
  const write = (): void => {
    if (fault !== undefined) throw fault;
    gate.write();
  };
  const threads = openThreads(join(dir, stateFolder, "threads"), { ...gate, write });
  const artifacts = openArtifacts(files);
  const embedded = { threads, artifacts, ownArtifacts: artifacts, close: () => threads.close() };
  if (store === undefined) return embedded;
  const { projectIn } = await import("./platform/user-settings/store.ts");
  const tenant = projectIn(store, dir);
  const { address, pooler } = store;
  const server = { address, ...(pooler && { pooler }) };
  if (tenant === undefined) return { ...embedded, team: server };
  const opened = once(async () => (await import("./postgres/team.ts")).openTeamStores(server, tenant));
  let isOpen = false;
  const load = async () => {
    isOpen = true;
    return opened();
  };
  return {
    threads: late<ThreadStore>("postgres-threads-1", async () => (await load()).threads, ofThreads),
    place: "server",
    artifacts: late<ArtifactStore>("postgres-artifacts-1", async () => (await load()).artifacts, {
      ...ofArtifacts,
      remove: "write",
    }),
    ownArtifacts: artifacts,
    team: { ...server, project: { tenant, embedded: { threads, artifacts } } },
    close: async () => {
      await threads.close();
      // What could not be opened needs no closing; its callers got the error.
      if (isOpen) await (await opened().catch(ifMemoryError(() => undefined)))?.threads.close();
    },
  };
}

const ofThreads = {
  append: "write",
  appendPieces: "write",
  import: "write",
  claim: "write",
  rewrite: "write",
  purge: "write",
  head: "read",
  heads: "read",
  frames: "read",
  places: "read",
  checkpoints: "read",
  openJobs: "read",
} as const;

function openThreads(folder: string, gate: Gate): ThreadStore {
  const options = { folder, clock: machineClock, driver: nodeSqlite };
  const load = async () => (await import("./threads/store/sqlite-threads.ts")).createSqliteThreads(options);
  return late<ThreadStore>("sqlite-threads-1", load, ofThreads, gate);
}

const ofArtifacts = { put: "write", putAll: "write", get: "read" } as const;

function openArtifacts(files: Files): ArtifactStore {
  const load = async () => (await import("./open-artifacts.ts")).openFileArtifacts(files);
  // No gate here: `files` has its own.
  return late<Omit<ArtifactStore, "remove">>("file-artifacts-1", load, ofArtifacts);
}

export function openSearch(folder: string, localState: LocalState): SearchIndex {
  const options = { folder, driver: nodeSqlite };
  const load = async () => (await import("./recall/index/sqlite-search.ts")).createSqliteSearch(options);
  const access = {
    write: "write",
    state: "read",
    find: "read",
    rows: "read",
    rowsOfSections: "read",
    rowsAt: "read",
    sectionsOf: "read",
    vectors: "read",
    vectorCounts: "read",
    lackingVectors: "read",
    putVectors: "write",
    sectionHits: "read",
    frequencies: "read",
    count: "read",
    generation: "read",
  } as const;
  return late<SearchIndex>("sqlite-search-6", load, access, gateOfSearch(localState));
}

export function openCommands(dir: string): Commands {
  const load = async () => (await import("./platform/commands.ts")).openNodeCommands(dir);
  return late("node-commands", load, { find: "read", run: "write" });
}

/**
 * A store that is loaded on first use, because most commands never need it. Each method checks the read or write gate first; a method missing from
 * `access` is a compile error. `close` does not load the store.
 */
function late<Store extends { readonly id: string; close?(): Promise<void> }>(
  id: string,
  load: () => Promise<Store>,
  access: Readonly<Record<Exclude<keyof Store, "id" | "close">, "read" | "write">>,
  gate?: Gate,
): Store {
  let loading: Promise<Store> | undefined;
  const methods = Object.entries<"read" | "write">(access).map(([name, kind]) => {
    const method = async (...given: readonly unknown[]): Promise<unknown> => {
      gate?.[kind]();
      const store = await (loading ??= load());
      return Reflect.apply(Reflect.get(store, name) as (...all: readonly unknown[]) => unknown, store, given);
    };
    return [name, method] as const;
  });
  const close = async (): Promise<void> => (await loading)?.close?.();
  return { id, ...Object.fromEntries(methods), close } as unknown as Store;
}
