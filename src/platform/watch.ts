import { statSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { attempt } from "../base/errors.ts";

/** Watches folders of a project. */
export interface FolderWatch {
  /** Watches those of these folders that exist, and no others; relative to the project folder. `partly`: one could not be watched. */
  watch(folders: readonly string[]): "all" | "partly";
  close(): void;
}

/**
 * Reports that something in a folder may have changed, with the name of a file or folder in it if it is known. A hint, not a promise: some file systems report
 * nothing, so look now and then anyway.
 */
export function watchFolders(dir: string, changed: (folder: string, name: string | null) => void): FolderWatch {
  const open = new Map<string, { readonly id: number; readonly watcher: FSWatcher }>();
  const drop = (folder: string): void => {
    open.get(folder)?.watcher.close();
    open.delete(folder);
  };
  const keep = (folder: string): "watched" | "missing" | "failed" => {
    const path = join(dir, folder);
    const id = attempt(() => statSync(path).ino);
    // The watcher of a folder that was replaced reports nothing more.
    if (open.get(folder)?.id !== id) drop(folder);
    if (id === undefined) return "missing";
    if (open.has(folder)) return "watched";
    const watcher = attempt(() => watch(path, { persistent: false }));
    if (watcher === undefined) return "failed";
    watcher.on("change", (_, name) => changed(folder, name === null ? null : String(name)));
    watcher.on("error", () => drop(folder));
    open.set(folder, { id, watcher });
    return "watched";
  };
  return {
    watch: (folders) => {
      for (const folder of [...open.keys()].filter((one) => !folders.includes(one))) drop(folder);
      return folders.map(keep).includes("failed") ? "partly" : "all";
    },
    close: () => {
      for (const folder of open.keys()) drop(folder);
    },
  };
}
