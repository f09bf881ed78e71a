import { dirname, join } from "node:path";
import { ifMemoryError, type MemoryError } from "./base/errors.ts";
import { stateFolder } from "./base/known-paths.ts";
import { once } from "./base/lines.ts";
import type { Chooser, Layer, ThreadMessage, ThreadReader } from "./recall/memory.ts";
import type { Memory } from "./operations/operation.ts";
import type { ThreadStore } from "./threads/store/thread-store.ts";
import type { Transcripts } from "./agents/transcripts/transcripts.ts";
import { openTrusted, type Consent } from "./platform/trust.ts";
import { guardFiles, guardLocks, openLocalState } from "./platform/local-state.ts";
import { openCommands, openSearch, openStores, type StorePlace } from "./open-stores.ts";
import { nameEmbedders, nameSummarizer, nameWordVectors, type NamedEmbedders } from "./open-models.ts";
import { createNodeFiles } from "./platform/node-files/node-files.ts";
import { createO200kTokens } from "./text/tokens/o200k.ts";
import {
  copySamples,
  detectPlatform,
  findProjectFolder,
  foldersUnder,
  isPersonal,
  prepareProjectFolder,
} from "./platform/folders.ts";
import { openWorkers, programFacts, shippedFile, shippedTable, userStateFolder } from "./platform/program.ts";
import { nodeSqlite } from "./platform/sqlite.ts";
import { createSqliteLocks } from "./platform/locks.ts";
import {
  machineClock,
  openSystemClock,
  systemRandom,
  createUuid7Ids,
  type SystemClockOptions,
} from "./platform/clock.ts";
import { readStoreSettings, readUserSettings, type UserSettingsFile } from "./platform/user-settings.ts";

export interface OpenOptions extends SystemClockOptions {
  /** The project folder that contains `memory/`. Default: the nearest one, searching upward from the current folder. */
  readonly dir?: string;
  /** Where the search for it starts. Default: the current folder. */
  readonly from?: string;
  /**
   * `found`: the folder must have a configuration or a memory, else `no_memory`. `prepared`: any folder, created if missing;
   * without `dir`, the current one. Default `found`.
   */
  readonly folder?: "found" | "prepared";
  /** `reported`: if the user settings are unreadable, warn and use the defaults. Default: fail. */
  readonly settings?: "reported";
  /** Default `recorded`. */
  readonly consent?: Consent;
  /** Called, possibly more than once, when an operation starts work that needs a lot of RAM. */
  readonly onWork?: () => void;
  /** For a memory under another: the other's embedders, which are opened once. */
  readonly embedders?: NamedEmbedders;
}

/** Opens a project folder with this machine's adapters. Reads nothing from the memory yet. */
export async function openMemory(options: OpenOptions = {}): Promise<Memory> {
  const trusted = once(openTrusted);
  const consent = options.consent ?? "recorded";
  const isAccepted = (folder: string, owner: number) => consent === "given" || trusted().isAccepted(folder, owner);
  const find = options.folder === "prepared" ? prepareProjectFolder : findProjectFolder;
  const dir = find(options, isAccepted);
  const localState = openLocalState(dir);
  const files = guardFiles(createNodeFiles({ root: dir, random: systemRandom }), localState);
  const state = join(dir, stateFolder);
  const searchIndex = openSearch(join(state, "search"), localState);
  const { model, chooser: choosing, embedders: named, store, fault, ...user } = await settingsFor(options);
  const stores = await openStores({ dir, files, localState }, { ...(store && { store }), ...(fault && { fault }) });
  const { threads, artifacts, ownArtifacts, team } = stores;
  const shared = options.embedders ?? nameEmbedders(named);
  const layers = options.embedders === undefined ? openLayers(dir, options, shared) : undefined;
  const summarizer = model && nameSummarizer(model);
  const chooser = choosing && nameSummarizer(choosing);
  const workers = openWorkers(dir, files);
  return {
    dir,
    localState,
    files,
    locks: guardLocks(createSqliteLocks({ folder: state, clock: machineClock, driver: nodeSqlite }), localState),
    clock: openSystemClock(options),
    random: systemRandom,
    tokens: createO200kTokens(shippedTable("o200k.bin")),
    commands: openCommands(dir),
    filesIn: (folder) =>
      createNodeFiles({ root: findProjectFolder({ dir: folder }, isAccepted), random: systemRandom }),
    ids: createUuid7Ids({ clock: machineClock, random: systemRandom }),
    threads,
    threadReader: { ...openThreadReader(threads), ...(stores.place && { place: stores.place }) },
    transcripts: openTranscripts(),
    searchIndex,
    artifacts,
    ownArtifacts,
    ...(team && { team }),
    embedders: shared.embedders,
    // A getter, because only recall and the index need it.
    get embedder() {
      return shared.installed();
    },
    wordVectors: nameWordVectors(shippedTable("word-vectors.bin")),
    user,
    ...(summarizer && { summarizer }),
    ...(chooser && { chooser }),
    ...(workers && { workers }),
    openChooser,
    program: programFacts(),
    trust: {
      id: "trusted-folders-1",
      state: () => (consent === "given" || trusted().isTrusted(dir) ? "trusted" : "untrusted"),
      grant: async (by) => void trusted().add(dir, by),
    },
    ...(options.onWork && { onWork: options.onWork }),
    ...(isPersonal(dir) && { kind: "personal" }),
    ...(layers && { under: layers.under }),
    close: async () => {
      await layers?.close();
      await stores.close();
      await searchIndex.close();
      if (options.embedders === undefined) await shared.close();
    },
    // A getter, because only `init` needs it and it costs a dozen file system calls.
    get detected() {
      return detectPlatform(dir);
    },
  };
}

/** The memories under one that the user trusts. One that another user owns is left out. */
function openLayers(dir: string, { today, timeZone, onWork }: OpenOptions, embedders: NamedEmbedders) {
  const opened = new Map<string, Promise<Memory | undefined>>();
  const given = { ...(today && { today }), ...(timeZone && { timeZone }), ...(onWork && { onWork }), embedders };
  const open = (folder: string): Promise<Memory | undefined> => {
    const memory = openMemory({ ...given, dir: folder, settings: "reported" }).catch(ifMemoryError(() => undefined));
    opened.set(folder, memory);
    return memory;
  };
  return {
    under: async (): Promise<readonly Layer[]> => {
      const found = foldersUnder(dir);
      if (found.length === 0) return [];
      const trusted = openTrusted();
      const named = found.filter((one) => trusted.isTrusted(one.dir));
      const all = named.map(async ({ name, dir: folder }) => ({
        name,
        memory: await (opened.get(folder) ?? open(folder)),
      }));
      return (await Promise.all(all)).flatMap(({ name, memory }) => (memory === undefined ? [] : [{ name, memory }]));
    },
    close: async (): Promise<void> => {
      for (const memory of opened.values()) await (await memory)?.close();
    },
  };
}

async function settingsFor({ settings }: OpenOptions): Promise<UserSettingsFile & StorePlace> {
  if (settings !== "reported") return readUserSettings();
  const report = async (error: MemoryError): Promise<UserSettingsFile & StorePlace> => {
    const { code, message } = error;
    const store = await readStoreSettings().catch(ifMemoryError((fault) => ({ fault })));
    const place = store === undefined ? {} : "fault" in store ? store : { store };
    return { qmd: "off", ...place, warnings: [{ code, message }] };
  };
  return readUserSettings().catch(ifMemoryError(report));
}

function openTranscripts(): Transcripts {
  const load = async () => (await import("./agents/transcripts/index.ts")).createTranscripts({ driver: nodeSqlite });
  return {
    id: "client-transcripts-1",
    find: async (query) => (await load()).find(query),
    subagents: async (sources) => (await load()).subagents(sources),
    read: async function* (source, options) {
      yield* (await load()).read(source, options);
    },
  };
}

/** Copies the package's sample logs to a new temporary folder and opens a memory there. */
export async function openSamples(options: SystemClockOptions) {
  const folder = copySamples(shippedFile("samples/memory"));
  return { memory: await openMemory({ ...options, dir: folder.dir }), remove: async () => folder.remove() };
}

/** The clients' files on this machine. `dir` is the project folder, for installs into a project. Default: the current folder. */
export async function openInstalling(dir: string | undefined) {
  const { createNodeClientFiles, findClientPlaces, readShipped } =
    await import("./agents/install/node-client-files.ts");
  const found = findClientPlaces(dir);
  const { home, project, claude, codex, copilot, gemini, opencode, openclaw } = found;
  const state = userStateFolder() ?? join(home, ".local", "state", "heartwood");
  // Every folder under the home is checked for links. A folder elsewhere comes from an environment variable and is trusted.
  const named = [dirname(state), claude, codex, copilot, gemini, dirname(opencode), openclaw];
  const elsewhere = named.filter((folder) => !folder.startsWith(join(home, "/")));
  return {
    places: { ...found, state, program: shippedFile("dist/bin.js"), version: programFacts().version },
    files: createNodeClientFiles({ roots: [home, project, ...elsewhere] }),
    shipped: readShipped({ skills: shippedFile("skills"), plugins: shippedFile("plugins") }),
  };
}

// Loaded late: only recalls that use a chooser model need it.
async function openChooser(memory: Memory): Promise<Chooser | undefined> {
  if (memory.chooser === undefined) return undefined;
  return (await import("./summaries/choosing/open-chooser.ts")).openChooser(memory, memory.chooser);
}

/** Gives recall read access to the thread store. Loaded late: most memories have no threads. */
export function openThreadReader(threads: ThreadStore): ThreadReader {
  return {
    list: async () => (await threads.heads({ limit: Number.MAX_SAFE_INTEGER })).heads,
    head: async (threadId) => (await import("./threads/run/threads.ts")).threadHead({ threads }, threadId),
    messages: async (threadId, [from, to]) => {
      if (to < from) return [];
      const { frameOf, messageOf, roleOf } = await import("./threads/model/frame.ts");
      const range = { thread_id: threadId, from_seq: from, to_seq: to, limit: to - from + 1 };
      return (await threads.frames(range)).flatMap((stored): readonly ThreadMessage[] => {
        const frame = frameOf(stored);
        const message = messageOf(frame);
        if (frame === undefined || message === undefined) return [];
        const { seq, content, actor_id } = message;
        return [{ seq, time_ms: frame.timestamp_ms, role: roleOf(actor_id), content }];
      });
    },
  };
}
