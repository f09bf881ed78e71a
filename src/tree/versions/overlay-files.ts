import { compareTexts } from "../../base/lists.ts";
import type { FileBytes, FileChange, FileEntry, Files, FileStamp } from "../../platform/files.ts";

/** What is below an overlay; never written. */
export type ReadableFiles = Pick<Files, "id" | "list" | "names" | "read">;

export interface Seen {
  /** Whether a file is left out. */
  readonly isHidden: (path: string) => boolean;
  /** Files with other bytes. Default: none. */
  readonly replaced?: ReadonlyMap<string, Uint8Array>;
}

/** Files that show others in part, or with other bytes. What is written stays in memory. */
export function overlayFiles(below: ReadableFiles, { isHidden, replaced = new Map() }: Seen): Files {
  /** By path; `undefined`: removed. */
  const written = new Map<string, { readonly bytes: Uint8Array; readonly stamp: FileStamp } | undefined>();
  let writes = 0;
  const write = (path: string, bytes: Uint8Array | undefined): FileStamp => {
    const stamp = `overlay ${(writes += 1)}`;
    written.set(path, bytes === undefined ? undefined : { bytes, stamp });
    return stamp;
  };
  for (const [path, bytes] of replaced) write(path, bytes);

  const read = async (path: string, range?: Parameters<Files["read"]>[1]): Promise<FileBytes | undefined> => {
    if (!written.has(path)) return isHidden(path) ? undefined : below.read(path, range);
    const own = written.get(path);
    if (own === undefined) return undefined;
    const { bytes, stamp } = own;
    return { bytes: bytes.slice(range?.from ?? 0, range?.to ?? bytes.length), size: bytes.length, stamp };
  };
  const pathIn = (dir: string, name: string): string => (dir === "" ? name : `${dir}/${name}`);
  const list = async (dir: string): Promise<readonly FileEntry[]> => {
    const entries = new Map<string, FileEntry>();
    for (const entry of await below.list(dir))
      if (entry.kind === "folder" || !isHidden(pathIn(dir, entry.name))) entries.set(entry.name, entry);
    for (const [path, own] of written) {
      const [name = "", ...more] = path.slice(dir === "" ? 0 : dir.length + 1).split("/");
      if (path !== pathIn(dir, [name, ...more].join("/"))) continue;
      const known = { name, changedAt: 0, stamp: "" };
      if (more.length > 0 && own !== undefined && !entries.has(name))
        entries.set(name, { ...known, kind: "folder", size: 0 });
      if (more.length > 0) continue;
      if (own === undefined) entries.delete(name);
      else entries.set(name, { ...known, kind: "file", size: own.bytes.length, stamp: own.stamp });
    }
    return [...entries.values()].toSorted((a, b) => compareTexts(a.name, b.name));
  };
  const isExpected = async ({ path, expect }: FileChange): Promise<boolean> => {
    if (expect === "anything") return true;
    const now = await read(path, { from: 0, to: 0 });
    return expect === "absent" ? now === undefined : now?.stamp === expect.stamp;
  };
  return {
    id: `${below.id}+overlay`,
    list,
    names: async (dir) => (await list(dir)).map(({ name }) => name),
    read,
    append: async (path, bytes) => write(path, Buffer.concat([(await read(path))?.bytes ?? new Uint8Array(), bytes])),
    commit: async (changes) => {
      const outcomes = [];
      for (const change of changes) {
        const { path, bytes } = change;
        if (!(await isExpected(change))) outcomes.push({ path, outcome: "changed" as const });
        else if (bytes === undefined) outcomes.push({ path, outcome: "removed" as const, stamp: write(path, bytes) });
        else outcomes.push({ path, outcome: "written" as const, stamp: write(path, bytes) });
      }
      return outcomes;
    },
  };
}
