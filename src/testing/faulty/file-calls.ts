import type { NodeFs } from "../../platform/node-files/disk.ts";
import { begin, entryAt, fail, flag, look, openAt, openNode, statOf, type Calls, type OpenFile } from "./call-frame.ts";
import type { FileNode } from "./disk-model.ts";

type FileCalls = Pick<
  NodeFs,
  "openSync" | "writeSync" | "readSync" | "fsyncSync" | "fstatSync" | "fchmodSync" | "closeSync"
>;

/** The calls on files. */
export function fileCalls(on: Calls): FileCalls {
  return {
    openSync: (path, flags, mode) => openFile(on, path, { flags, mode: mode ?? 0o666 }),
    writeSync: (fd, bytes, offset, length) => writeFile(on, fd, bytes.slice(offset, offset + length)),
    readSync: (fd, bytes, offset, length, position) => {
      const file = begin(on, "readSync", fd);
      const part = contentOf(on, file).subarray(position, position + length);
      bytes.set(part, offset);
      return part.length;
    },
    fsyncSync: (fd) => syncNode(on, fd),
    fstatSync: (fd) => statOf(on, openNode(on, begin(on, "fstatSync", fd))),
    fchmodSync: (fd, mode) => on.apply({ type: "mode", file: begin(on, "fchmodSync", fd).ino, mode }),
    closeSync: (fd) => {
      begin(on, "closeSync", fd);
      on.open.delete(fd);
    },
  };
}

function openFile(on: Calls, path: string, how: { readonly flags: number; readonly mode: number }): number {
  const { flags, mode } = how;
  let node = look(on, "openSync", path);
  if (node === undefined && (flags & flag.O_CREAT) === 0) fail("ENOENT", "open", path);
  if (node !== undefined && (flags & flag.O_EXCL) !== 0) fail("EEXIST", "open", path);
  if (node?.kind === "folder" && (flags & (flag.O_WRONLY | flag.O_RDWR)) !== 0) fail("EISDIR", "open", path);
  if (node?.kind === "file" && (flags & flag.O_DIRECTORY) !== 0) fail("ENOTDIR", "open", path);
  if (node === undefined) {
    const { folder, name } = entryAt(on, path, "open");
    const made = { kind: "file", ino: on.disk.nextIno, mode: mode & ~0o022 } as const;
    on.apply({ type: "make", folder: folder.ino, name, node: made });
    node = on.disk.nodes.get(made.ino);
  }
  const ino = node?.ino ?? fail("ENOENT", "open", path);
  if ((flags & flag.O_TRUNC) !== 0) {
    on.apply({ type: "data", file: ino, change: { type: "cut", offset: 0, bytes: new Uint8Array(0), state: "dirty" } });
  }
  const fd = 1000 + on.state.operations;
  on.open.set(fd, { ino, path, flags, position: 0 });
  return fd;
}

function writeFile(on: Calls, fd: number, bytes: Uint8Array): number {
  const fault = on.faults.get(on.state.operations);
  const file = begin(on, "writeSync", fd);
  const part = fault === "short_write" ? bytes.slice(0, Math.ceil(bytes.length / 2)) : bytes;
  const offset = (file.flags & flag.O_APPEND) !== 0 ? contentOf(on, file).length : file.position;
  on.apply({ type: "data", file: file.ino, change: { type: "write", offset, bytes: part, state: "dirty" } });
  file.position = offset + part.length;
  return part.length;
}

function syncNode(on: Calls, fd: number): void {
  const file = openAt(on, fd);
  const node = openNode(on, file);
  try {
    begin(on, "fsyncSync", fd);
  } catch (error) {
    on.apply({ type: "failed_sync", node: file.ino });
    throw error;
  }
  const ignored = on.ignoreFsync === "all" || on.ignoreFsync === (node.kind === "file" ? "files" : "folders");
  if (!ignored) on.apply({ type: "sync", node: file.ino });
}

function contentOf(on: Calls, file: OpenFile): FileNode["content"] {
  const node = openNode(on, file);
  return node.kind === "file" ? node.content : fail("EISDIR", "read", file.path);
}
