import { dirname, join } from "node:path";
import { MemoryError } from "./base/errors.ts";
import type { Chooser, ThreadMessage, ThreadReader } from "./recall/memory.ts";
import type { Memory } from "./operations/operation.ts";
import type { ArtifactStore } from "./platform/file-artifacts.ts";
import type { SearchIndex } from "./recall/index/search-index.ts";
import type { ThreadStore } from "./threads/store/thread-store.ts";
import type { Transcripts } from "./agents/transcripts/transcripts.ts";
import { openTrusted, type Consent } from "./platform/trust.ts";
import { gateOfSearch, gateOfThreads, guardFiles, guardLocks, type Gate } from "./platform/local-state/guards.ts";
import { openLocalState } from "./platform/local-state.ts";
import type { Files } from "./platform/files.ts";
import type { Commands } from "./platform/commands.ts";
import type { NamedEmbedders } from "./open-models.ts";
import { createNodeFiles } from "./platform/node-files/node-files.ts";
import { createO200kTokens } from "./text/tokens/o200k-tokens.ts";
import {
  detectPlatform,
  findProjectFolder,
  copySamples,
  prepareProjectFolder,
  userStateFolder,
} from "./platform/folders.ts";
import { programFacts, shippedFile } from "./platform/program.ts";
import { nodeSqlite } from "./platform/sqlite.ts";
import { createSqliteLocks } from "./platform/locks.ts";
import {
  machineClock,
  openSystemClock,
  systemRandom,
  createUuid7Ids,
  type SystemClockOptions,
} from "./platform/clock.ts";
import { readUserSettings, type UserSettingsFile } from "./platform/user-settings.ts";

export interface OpenOptions extends SystemClockOptions {
  /** The project folder that contains `memory/`. Default: the nearest one upwards from the current folder. */
  readonly dir?: string;
  /**
   * `found`: the folder must have a configuration or a memory, else `no_memory`. `prepared`: any folder, created when missing;
   * without `dir` the current one. Default `found`.
   */
  readonly folder?: "found" | "prepared";
  /** `reported`: unreadable user settings are a warning, and the defaults apply. Default: they are an error. */
  readonly settings?: "reported";
  /** Default `recorded`. */
  readonly consent?: Consent;
  /** Called, perhaps more than once, when an operation starts work that takes memory. */
  readonly onWork?: () => void;
}

/** Opens a project folder with the adapters of this machine. Nothing is read from the memory yet. */
export async function openMemory(options: OpenOptions = {}): Promise<Memory> {
  const trusted = openTrusted();
  const consent = options.consent ?? "recorded";
  const isAccepted = (folder: string, owner: number): boolean =>
    consent === "given" || trusted.isAccepted(folder, owner);
  const find = options.folder === "prepared" ? prepareProjectFolder : findProjectFolder;
  const dir = find(options.dir, isAccepted);
  const localState = openLocalState(dir);
  const files = guardFiles(createNodeFiles({ root: dir, random: systemRandom }), localState);
  const threads = openThreads(join(dir, ".heartwood", "threads"), gateOfThreads(localState));
  const searchIndex = openSearch(join(dir, ".heartwood", "search"), gateOfSearch(localState));
  const { model, chooser: choosing, embedders: named, ...user } = await settingsFor(options);
  const models = [model, choosing, named].some((one) => one !== undefined)
    ? await import("./open-models.ts")
    : undefined;
  const { close: closeEmbedders, ...embedders } = models?.nameEmbedders(named) ?? noEmbedders;
  const summarizer = model === undefined ? undefined : models?.nameSummarizer(model);
  const chooser = choosing === undefined ? undefined : models?.nameSummarizer(choosing);
  return {
    dir,
    localState,
    files,
    locks: guardLocks(
      createSqliteLocks({ folder: join(dir, ".heartwood"), clock: machineClock, driver: nodeSqlite }),
      localState,
    ),
    clock: openSystemClock(options),
    random: systemRandom,
    tokens: createO200kTokens({ tableFile: shippedFile("dist/o200k.bin") }),
    commands: openCommands(dir),
    ids: createUuid7Ids({ clock: machineClock, random: systemRandom }),
    threads,
    threadReader: openThreadReader(threads),
    transcripts: openTranscripts(),
    searchIndex,
    artifacts: openArtifacts(files),
    ...embedders,
    user,
    ...(summarizer === undefined ? {} : { summarizer }),
    ...(chooser === undefined ? {} : { chooser }),
    openChooser,
    program: programFacts(),
    trust: {
      id: "trusted-folders-1",
      state: () => (consent === "given" || trusted.isTrusted(dir) ? "trusted" : "untrusted"),
      grant: async (by) => void trusted.add(dir, by),
    },
    ...(options.onWork === undefined ? {} : { onWork: options.onWork }),
    close: async () => {
      await threads.close();
      await searchIndex.close();
      await closeEmbedders();
    },
    // Only `init` needs it, and it costs a dozen file system calls.
    get detected() {
      return detectPlatform(dir);
    },
  };
}

const noEmbedders: NamedEmbedders = { embedders: new Map(), close: async () => undefined };

async function settingsFor({ settings }: OpenOptions): Promise<UserSettingsFile> {
  try {
    return await readUserSettings();
  } catch (error) {
    if (settings !== "reported" || !(error instanceof MemoryError)) throw error;
    const { code, message } = error;
    return { qmd: "off", warnings: [{ code, message }] };
  }
}

// Loaded late: compaction pays nothing for threads.
function openThreads(folder: string, gate: Gate): ThreadStore {
  const load = async (): Promise<ThreadStore> => {
    const { createSqliteThreads } = await import("./threads/store/sqlite-threads.ts");
    return createSqliteThreads({ folder, clock: machineClock, driver: nodeSqlite });
  };
  return lateThreads({ id: "sqlite-threads-1", gate, load });
}

function openSearch(folder: string, gate: Gate): SearchIndex {
  const load = async (): Promise<SearchIndex> => {
    const { createSqliteSearch } = await import("./recall/index/sqlite-search.ts");
    return createSqliteSearch({ folder, driver: nodeSqlite });
  };
  return lateSearch({ id: "sqlite-search-4", gate, load });
}

function openArtifacts(files: Files): ArtifactStore {
  const load = async (): Promise<ArtifactStore> => {
    const { openFileArtifacts } = await import("./open-artifacts.ts");
    return openFileArtifacts(files);
  };
  return lateArtifacts({ id: "file-artifacts-1", gate: noGate, load });
}

/** The files of a memory prepare the state folder themselves. */
const noGate: Gate = { read: () => undefined, write: () => undefined };

// Loaded late: few commands run another program.
function openCommands(dir: string): Commands {
  const load = async (): Promise<Commands> => (await import("./platform/commands.ts")).openNodeCommands(dir);
  return {
    id: "node-commands",
    find: async (program) => (await load()).find(program),
    run: async (program, words, options) => (await load()).run(program, words, options),
  };
}

function openTranscripts(): Transcripts {
  let loading: Promise<Transcripts> | undefined;
  const load = async (): Promise<Transcripts> => {
    const { createTranscripts } = await import("./agents/transcripts/index.ts");
    return createTranscripts({ driver: nodeSqlite });
  };
  const loaded = (): Promise<Transcripts> => (loading ??= load());
  return {
    id: "client-transcripts-1",
    find: async (query) => (await loaded()).find(query),
    read: async function* (source, options) {
      yield* (await loaded()).read(source, options);
    },
  };
}

/** A memory over a new temporary copy of the sample logs that the package ships. */
export async function openSamples(options: SystemClockOptions) {
  const folder = copySamples(shippedFile("samples/memory"));
  return { memory: await openMemory({ ...options, dir: folder.dir }), remove: async () => folder.remove() };
}

/** The files of the clients on this machine; `dir`: the project, for installs into one. Default: the current folder. */
export async function openInstalling(dir: string | undefined) {
  const { createNodeClientFiles, findClientPlaces, readShipped } =
    await import("./agents/install/node-client-files.ts");
  const found = findClientPlaces(dir);
  const { home, project, claude, codex, copilot, gemini, opencode, openclaw } = found;
  const state = userStateFolder() ?? join(home, ".local", "state", "heartwood");
  // Every folder below the home is checked for links; a folder elsewhere that the environment names is trusted.
  const named = [dirname(state), claude, codex, copilot, gemini, dirname(opencode), openclaw];
  const elsewhere = named.filter((folder) => !folder.startsWith(join(home, "/")));
  return {
    places: { ...found, state, program: shippedFile("dist/bin.js"), version: programFacts().version },
    files: createNodeClientFiles({ roots: [home, project, ...elsewhere] }),
    shipped: readShipped({ skills: shippedFile("skills"), plugins: shippedFile("plugins") }),
  };
}

// Loaded late: only a recall with a model that chooses pays for it.
async function openChooser(memory: Memory): Promise<Chooser | undefined> {
  if (memory.chooser === undefined) return undefined;
  return (await import("./summaries/choosing/open-chooser.ts")).openChooser(memory, memory.chooser);
}

/** How to load a store on first use; most commands never do. `close` loads nothing. */
interface Late<Store> {
  readonly id: string;
  /** Called before each method; may throw. */
  readonly gate: { read(): void; write(): void };
  readonly load: () => Promise<Store>;
}

interface Closable {
  readonly id: string;
  close?(): Promise<void>;
}

/** Whether each method reads or writes. A missing method does not compile. */
type Access<Store> = Readonly<Record<Exclude<keyof Store, keyof Closable>, "read" | "write">>;

const lateThreads = late<ThreadStore>({
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
});

const lateArtifacts = late<ArtifactStore>({ put: "write", putAll: "write", get: "read" });

const lateSearch = late<SearchIndex>({
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

/** Wraps a store so that each method checks the gate, loads the store and forwards the call. */
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

/** What recall reads from the thread store. Loaded late: most memories have no threads. */
export function openThreadReader(threads: ThreadStore): ThreadReader {
  return {
    list: async () => (await threads.heads({ limit: Number.MAX_SAFE_INTEGER })).heads,
    head: async (threadId) => (await import("./threads/run/threads.ts")).threadHead({ threads }, threadId),
    messages: async (threadId, [from, to]) => {
      if (to < from) return [];
      const { isFrame, messageOf, parseFrame, roleOf } = await import("./threads/model/frame.ts");
      const range = { thread_id: threadId, from_seq: from, to_seq: to, limit: to - from + 1 };
      return (await threads.frames(range)).flatMap(({ line }): readonly ThreadMessage[] => {
        const frame = parseFrame(line);
        const message = isFrame(frame) ? messageOf(frame) : undefined;
        if (message === undefined || !isFrame(frame)) return [];
        const { seq, content, actor_id } = message;
        return [{ seq, time_ms: frame.timestamp_ms, role: roleOf(actor_id), content }];
      });
    },
  };
}
