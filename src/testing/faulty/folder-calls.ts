import type { NodeFs } from "../../platform/node-files/disk.ts";
import { entryAt, fail, look, partsOf, statOf, type Calls } from "./call-frame.ts";
import { nodeAt } from "./disk-tree.ts";

type FolderCalls = Pick<
  NodeFs,
  "lstatSync" | "renameSync" | "unlinkSync" | "mkdirSync" | "rmdirSync" | "readdirSync" | "realpathSync"
>;

/** The calls on folders and names. */
export function folderCalls(on: Calls): FolderCalls {
  return {
    lstatSync: (path) => {
      const node = look(on, "lstatSync", path);
      return node === undefined ? undefined : statOf(on, node);
    },
    renameSync: (from, to) => renameEntry(on, from, to),
    unlinkSync: (path) => {
      const node = look(on, "unlinkSync", path) ?? fail("ENOENT", "unlink", path);
      if (node.kind === "folder") fail("EISDIR", "unlink", path);
      const { folder, name } = entryAt(on, path, "unlink");
      on.apply({ type: "entry", folder: folder.ino, change: { removes: name } });
    },
    mkdirSync: (path, mode) => {
      if (look(on, "mkdirSync", path) !== undefined) fail("EEXIST", "mkdir", path);
      const { folder, name } = entryAt(on, path, "mkdir");
      const node = { kind: "folder", ino: on.disk.nextIno, mode: mode & ~0o022 } as const;
      on.apply({ type: "make", folder: folder.ino, name, node });
    },
    rmdirSync: (path) => {
      const node = look(on, "rmdirSync", path) ?? fail("ENOENT", "rmdir", path);
      if (node.kind !== "folder") fail("ENOTDIR", "rmdir", path);
      else if (node.entries.size > 0) fail("ENOTEMPTY", "rmdir", path);
      const { folder, name } = entryAt(on, path, "rmdir");
      on.apply({ type: "entry", folder: folder.ino, change: { removes: name } });
    },
    readdirSync: (path) => {
      const node = look(on, "readdirSync", path) ?? fail("ENOENT", "scandir", path);
      return node.kind === "folder" ? [...node.entries.keys()] : fail("ENOTDIR", "scandir", path);
    },
    realpathSync: (path) => {
      if (look(on, "realpathSync", path) === undefined) fail("ENOENT", "realpath", path);
      return path;
    },
  };
}

function renameEntry(on: Calls, from: string, to: string): void {
  const node = look(on, "renameSync", from) ?? fail("ENOENT", "rename", from);
  const source = entryAt(on, from, "rename");
  const target = entryAt(on, to, "rename");
  if (source.folder !== target.folder) fail("EXDEV", "rename", to);
  if (nodeAt(on.disk, partsOf(on, to) ?? [])?.kind === "folder") fail("EISDIR", "rename", to);
  const change = { removes: source.name, sets: { name: target.name, ino: node.ino } };
  on.apply({ type: "entry", folder: source.folder.ino, change });
}
