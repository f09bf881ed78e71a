import type { Edit } from "../model/edit.ts";
import { bytesAfter } from "../edits/apply-edit.ts";
import type { Workspace } from "../model/workspace.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileEntry, FileStamp } from "../../platform/files.ts";
import { dayOfNote, type BytesMark, type ShorteningStep } from "../../tree/model/moved-format.ts";
import { archiveFolder, memoryFolder } from "../../tree/model/period.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { LoadedWorkspace } from "./load-workspace.ts";

/** One file that an apply changes: its bytes before and after, and the part that keeps a note as it was. */
export interface PlannedChange {
  readonly path: string;
  readonly edit: Edit;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly beforeMark: BytesMark;
  readonly afterMark: BytesMark;
  /** Of the bytes that were read. */
  readonly stamp: FileStamp;
  readonly part: PlannedPart | undefined;
}

export interface PlannedPart {
  readonly path: string;
  /** `there`: the same bytes stand there already. */
  readonly state: "to make" | "there";
}

/** What the edits make of the bytes that were read, in their order. An edit that was made for other bytes, or changes none, is left out. */
export async function planChanges(
  memory: TreeMemory,
  edits: readonly Edit[],
  { workspace, stamps }: LoadedWorkspace,
): Promise<readonly PlannedChange[]> {
  const taken = new Map((await memory.files.list(archiveFolder)).map((entry) => [entry.name, entry]));
  const changes: PlannedChange[] = [];
  for (const edit of edits) {
    const file = fileOf(workspace, edit.path);
    const stamp = stamps.get(edit.path);
    if (file === undefined || stamp === undefined || file.sha256 !== edit.before) continue;
    const day = dayOfNote(edit.path);
    const part = day === undefined ? undefined : await choosePart(memory, { day, bytes: file.bytes, taken });
    const after = bytesAfter(edit, file.bytes, part?.path ?? "");
    const beforeMark = { bytes: file.bytes.length, sha256: file.sha256 };
    const afterMark = { bytes: after.length, sha256: sha256(after) };
    if (afterMark.sha256 === beforeMark.sha256) continue;
    changes.push({ path: edit.path, edit, before: file.bytes, after, beforeMark, afterMark, stamp, part });
  }
  return changes;
}

function fileOf(
  { memory, notes }: Workspace,
  path: string,
): { readonly bytes: Uint8Array; readonly sha256: string } | undefined {
  return memory?.path === path ? memory : notes.find((note) => note.path === path);
}

/** The name of a part: `number` is 1 for `.full.md`, 2 for `.full-2.md`. */
export function partPath(day: string, number: number): string {
  return `${archiveFolder}/${day}.full${number === 1 ? "" : `-${number}`}.md`;
}

/** The first name that is free or holds these bytes. */
async function choosePart(
  memory: TreeMemory,
  log: {
    readonly day: string;
    readonly bytes: Uint8Array;
    readonly taken: ReadonlyMap<string, FileEntry>;
  },
): Promise<PlannedPart> {
  for (let number = 1; ; number++) {
    const path = partPath(log.day, number);
    const entry = log.taken.get(path.slice(archiveFolder.length + 1));
    if (entry === undefined) return { path, state: "to make" };
    if (entry.kind !== "file" || entry.size !== log.bytes.length) continue;
    if (await holdsBytes(memory, path, log.bytes)) return { path, state: "there" };
  }
}

/** Whether a file can be read and holds these bytes. */
async function holdsBytes(memory: TreeMemory, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    const read = await memory.files.read(path);
    return read !== undefined && Buffer.compare(read.bytes, bytes) === 0;
  } catch (error) {
    // What cannot be read takes the name all the same.
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

/** The step that a change of a note is; `undefined` for MEMORY.md. */
export function stepOf({ edit, part, beforeMark, afterMark }: PlannedChange): ShorteningStep | undefined {
  if (part === undefined) return undefined;
  const { change } = edit;
  return {
    part: part.path,
    before: beforeMark,
    after: afterMark,
    change: change.kind === "rotate" ? { kind: "rotated" } : { kind: "cut", spans: change.spans },
  };
}

/** Whether `memory/archive/` has to be made. */
export async function lacksArchiveFolder(memory: TreeMemory): Promise<boolean> {
  return !(await memory.files.list(memoryFolder)).some(({ name }) => name === "archive");
}
