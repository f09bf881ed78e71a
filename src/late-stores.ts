import type { ArtifactStore } from "./platform/artifact-store.ts";
import type { SearchIndex } from "./recall/index/search-index.ts";
import type { ThreadStore } from "./threads/store/thread-store.ts";

/** How a store is loaded when it is first asked for something: most commands never do. `close` alone loads nothing. */
interface Late<Store> {
  readonly id: string;
  /** Asked before each call; what it throws is the answer. */
  readonly gate: { read(): void; write(): void };
  readonly load: () => Promise<Store>;
}

interface Closable {
  readonly id: string;
  close?(): Promise<void>;
}

/** Which of the two a method does. A method that is missing here does not compile. */
type Access<Store> = Readonly<Record<Exclude<keyof Store, keyof Closable>, "read" | "write">>;

export const lateThreads = late<ThreadStore>({
  append: "write",
  appendPieces: "write",
  import: "write",
  claim: "write",
  head: "read",
  heads: "read",
  frames: "read",
  places: "read",
  checkpoints: "read",
  openJobs: "read",
  changed: "read",
});

export const lateArtifacts = late<ArtifactStore>({ put: "write", putAll: "write", get: "read" });

export const lateSearch = late<SearchIndex>({
  write: "write",
  state: "read",
  find: "read",
  rows: "read",
  rowsOfSections: "read",
  rowsAt: "read",
  sectionsOf: "read",
  vectors: "read",
  sectionHits: "read",
  frequencies: "read",
  count: "read",
  generation: "read",
});

/** Makes stores of that port, each of whose methods asks the gate, loads the store and passes the call on. */
function late<Store extends Closable>(access: Access<Store>): (given: Late<Store>) => Store {
  return ({ id, gate, load }) => {
    let loading: Promise<Store> | undefined;
    const methods = Object.entries<"read" | "write">(access).map(([name, kind]) => {
      const method = async (...given: readonly unknown[]): Promise<unknown> => {
        gate[kind]();
        const store = await (loading ??= load());
        return Reflect.apply(Reflect.get(store, name) as (...all: readonly unknown[]) => unknown, store, given);
      };
      return [name, method] as const;
    });
    const close = async (): Promise<void> => (await loading)?.close?.();
    return { id, ...Object.fromEntries(methods), close } as unknown as Store;
  };
}
