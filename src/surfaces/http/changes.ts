import { setTimeout as pause } from "node:timers/promises";
import { sha256 } from "../../base/digest.ts";
import { ifMemoryError } from "../../base/errors.ts";
import { isTemporaryName, stateFolder } from "../../base/known-paths.ts";
import type { FileEntry, Files } from "../../platform/files.ts";
import type { FolderWatch } from "../../platform/watch.ts";
import { memoryFolder, nodeLevels, recordsFolder } from "../../tree/model/period.ts";
import type { ServerEvent } from "./events.ts";

interface Part {
  readonly folder: string;
  readonly isPart: (name: string) => boolean;
  /** Whether folders in it belong to it. */
  readonly reach: "itself" | "all";
}

const all = (folder: string): Part => ({ folder, isPart: () => true, reach: "all" });
const those = (folder: string, pattern: RegExp): Part => ({
  folder,
  isPart: (name) => pattern.test(name),
  reach: "itself",
});

/** The parts of a memory that change on their own, and the files of each. */
const partsOf = {
  logs: [those(memoryFolder, /^\d/u), all(recordsFolder)],
  nodes: nodeLevels.map((level) => those(`${memoryFolder}/${level}`, /\.md$/u)),
  root: [those(memoryFolder, /^ROOT\.md$/u)],
  notes: [those("", /\.md$|^heartwood\.config\.json$/u), all("knowledge")],
  // Reading the database changes its -shm file.
  threads: [those(`${stateFolder}/threads`, /\.sqlite(?:-wal)?$/u)],
  sessions: [all(`${stateFolder}/sessions`)],
  audit: [all(`${stateFolder}/audit`)],
  summaries: [all(`${stateFolder}/summaries`)],
} as const satisfies Readonly<Record<string, readonly Part[]>>;

type PartName = keyof typeof partsOf;
const names = Object.keys(partsOf) as readonly PartName[];

/** Folders in which others of these may appear. */
const parents = ["", memoryFolder, stateFolder];

/** A part as it was when it was looked at: a digest of its files, and the folders they are in. */
interface Look {
  readonly digest: string;
  readonly folders: readonly string[];
}

/** By `names`. */
type State = readonly Look[];

/** Milliseconds between a hint and a look, in which a program usually finishes what it writes. */
const settleMs = 80;
/** Milliseconds between two looks without a hint: where every folder is watched, and where not. */
const rarelyMs = 5_000;
const oftenMs = 500;

export interface Changes {
  /**
   * An event for each change, until the signal aborts. With `since`, the id of an earlier event, the first one lists at once what has changed since then;
   * without it, the first one lists nothing and only says which state this is.
   */
  events(since: string | undefined, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

interface Watched {
  readonly files: Files;
  /** For threads that are not in files: a text that is another one after each change of them. Asked at the looks without a hint. */
  threadsState?(): Promise<string>;
  watch(changed: (folder: string, name: string | null) => void): FolderWatch;
}

/** Finds what changed in a memory on disk, whatever program changed it. Looks only while a client listens. */
export function createChanges({ files, watch, threadsState }: Watched): Changes {
  const listeners = new Set<() => void>();
  let stop = new AbortController();
  let state: Promise<State> | undefined;

  const lookAt = (isDue: (name: PartName) => boolean, before: State): Promise<State> =>
    Promise.all(
      names.map(async (name, at) => {
        if (!isDue(name)) return before[at] as Look;
        if (name === "threads" && threadsState !== undefined) return lookElsewhere(threadsState, before[at]);
        return lookAtPart(files, partsOf[name]);
      }),
    );

  const run = async (signal: AbortSignal): Promise<void> => {
    let hint = new AbortController();
    let due = new Set<PartName>();
    const watching = watch((folder, name) => {
      const touched = names.filter((one) => partsOf[one].some((part) => isTouched(part, folder, name)));
      for (const one of touched) due.add(one);
      if (touched.length > 0) hint.abort();
    });
    try {
      let watched: ReturnType<FolderWatch["watch"]> = "partly";
      for (let known = await (state ??= lookAt(() => true, [])); !signal.aborted;) {
        watched = watching.watch([...new Set([...parents, ...known.flatMap(({ folders }) => folders)])]);
        await resting(watched === "all" ? rarelyMs : oftenMs, AbortSignal.any([signal, hint.signal]));
        if (hint.signal.aborted) await resting(settleMs, signal);
        if (signal.aborted) return;
        const hinted = hint.signal.aborted ? due : new Set(names);
        [hint, due] = [new AbortController(), new Set()];
        state = lookAt((name) => hinted.has(name), known);
        known = await state;
        for (const listener of listeners) listener();
      }
    } finally {
      watching.close();
      for (const listener of listeners) listener();
    }
  };

  return {
    events: async function* (since, signal) {
      if (listeners.size === 0) {
        stop = new AbortController();
        state = undefined;
        // A failure is in `state`, which ends every stream.
        run(stop.signal).catch(() => undefined);
      }
      let wake = (): void => {};
      const listener = (): void => wake();
      listeners.add(listener);
      signal.addEventListener("abort", listener);
      try {
        let known = digestsIn(since);
        let isSaid = since !== undefined;
        while (!signal.aborted) {
          const shown = state;
          const now = (await (shown ?? lookAt(() => true, []))).map(({ digest }) => digest);
          const changed = known === undefined && !isSaid ? [] : names.filter((_, at) => known?.[at] !== now[at]);
          if (changed.length > 0 || !isSaid)
            yield { event: "tree", id: now.join("-"), data: JSON.stringify({ changed }) };
          [known, isSaid] = [now, true];
          if (state === shown && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        signal.removeEventListener("abort", listener);
        listeners.delete(listener);
        if (listeners.size === 0) stop.abort();
      }
    },
  };
}

/** Waits, at most until the signal aborts. */
async function resting(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { ref: false, signal }).catch(() => undefined);
}

/** `undefined` for an id of another version. */
function digestsIn(id: string | undefined): readonly string[] | undefined {
  const digests = id?.split("-") ?? [];
  return digests.length === names.length ? digests : undefined;
}

/** Whether a change of this name in this folder may change the part. */
function isTouched(part: Part, folder: string, name: string | null): boolean {
  if (name === null) return true;
  if (isTemporaryName(name)) return false;
  const path = folder === "" ? name : `${folder}/${name}`;
  if (part.folder === folder && part.isPart(name)) return true;
  // The folder itself, or one above it, was made, moved or deleted.
  if (part.folder === path || part.folder.startsWith(`${path}/`)) return true;
  return part.reach === "all" && path.startsWith(`${part.folder}/`);
}

/** While the other place cannot be reached, nothing changed. */
async function lookElsewhere(state: () => Promise<string>, before: Look | undefined): Promise<Look> {
  const text = await state().catch(ifMemoryError(() => undefined));
  if (text === undefined) return before ?? { digest: sha256("").slice(0, 12), folders: [] };
  return { digest: sha256(text).slice(0, 12), folders: [] };
}

async function lookAtPart(files: Files, parts: readonly Part[]): Promise<Look> {
  const found = await Promise.all(parts.map((part) => filesOf(files, part)));
  const lines = found.flatMap((one) => one.lines);
  return { digest: sha256(lines.join("\n")).slice(0, 12), folders: found.flatMap((one) => one.folders) };
}

interface Found {
  /** Path and stamp of each file. */
  readonly lines: readonly string[];
  readonly folders: readonly string[];
}

/** An empty file counts as missing: SQLite makes and removes one on every visit. */
async function filesOf(files: Files, part: Part): Promise<Found> {
  const { folder, isPart, reach } = part;
  const entries = await files.list(folder).catch(ifMemoryError((): readonly FileEntry[] => []));
  const own = entries.filter(({ name, kind, size }) => kind === "file" && size > 0 && isPart(name));
  const lines = own.flatMap(({ name, stamp }) => (isTemporaryName(name) ? [] : [`${folder}/${name} ${stamp}`]));
  const below = reach === "all" ? entries.filter(({ kind }) => kind === "folder") : [];
  const inner = await Promise.all(below.map(({ name }) => filesOf(files, { ...part, folder: `${folder}/${name}` })));
  return {
    lines: [...lines, ...inner.flatMap((one) => one.lines)],
    folders: [folder, ...inner.flatMap((one) => one.folders)],
  };
}
