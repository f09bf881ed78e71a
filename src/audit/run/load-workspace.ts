import type { AuditFinding } from "../model/finding.ts";
import { thresholds } from "../model/thresholds.ts";
import type { FileAsRead, NoteAsRead, Workspace } from "../model/workspace.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileBytes, FileStamp } from "../../platform/files.ts";
import { builtInSummarizer } from "../../tree/extract/built-in-summarizer.ts";
import { lateSourcesOf } from "../../tree/logs/late-sources.ts";
import { loadTree } from "../../tree/run/load.ts";
import { withLogicalLogs } from "../../tree/logs/logical-logs.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { type ListedFile, listMemoryFiles } from "./list-files.ts";
import { stateNotes } from "./shortened-notes.ts";
import { sourceChanged, tooLarge, unreadable } from "./reading-findings.ts";

/** A workspace as read, and what writing needs to know of it. */
export interface LoadedWorkspace {
  readonly workspace: Workspace;
  /** Of every file that was read. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** Bytes of MEMORY.md on the disk, also when it was not read; 0 when there is none. */
  readonly memoryBytes: number;
}

/** Reads all that an audit judges. Follows no link, waits for nothing; what cannot be read is a finding. Writes nothing. */
export async function loadWorkspace(memory: TreeMemory): Promise<LoadedWorkspace> {
  const listing = await listMemoryFiles(memory.files);
  const reader = new Reader(memory);
  for (const file of listing.files) await reader.take(file);
  const stated = await stateNotes(memory, reader.notes.toSorted(byPath), reader.others);
  const late = listing.tree === "some" ? await changedSources(memory) : [];
  const entry = listing.files.find(({ role }) => role.kind === "memory")?.entry;
  return {
    workspace: {
      today: memory.clock.today(),
      memory: reader.memoryFile,
      notes: stated.notes,
      others: reader.others.toSorted(byPath),
      knowledge: listing.knowledge,
      findings: [...listing.findings, ...reader.findings, ...stated.findings, ...late],
    },
    stamps: reader.stamps,
    memoryBytes: reader.memoryFile?.bytes.length ?? (entry?.kind === "file" ? entry.size : 0),
  };
}

class Reader {
  memoryFile: FileAsRead | undefined;
  readonly notes: NoteAsRead[] = [];
  readonly others: FileAsRead[] = [];
  readonly stamps = new Map<string, FileStamp>();
  readonly findings: AuditFinding[] = [];
  readonly #memory: TreeMemory;

  constructor(memory: TreeMemory) {
    this.#memory = memory;
  }

  async take({ path, entry, role }: ListedFile): Promise<void> {
    const read = await this.#read(path, entry.size);
    if (read === undefined) return;
    this.stamps.set(path, read.stamp);
    const file: FileAsRead = { path, bytes: read.bytes, sha256: sha256(read.bytes) };
    if (role.kind === "memory") this.memoryFile = file;
    else if (role.kind === "other") this.others.push(file);
    else this.notes.push({ ...file, day: role.day, state: "whole", ownFrom: 0 });
  }

  async #read(path: string, size: number): Promise<FileBytes | undefined> {
    if (size > thresholds.largestRead) {
      this.findings.push(tooLarge(path, size));
      return undefined;
    }
    try {
      // Bounded also when the file grows between the listing and the reading.
      const read = await this.#memory.files.read(path, { from: 0, to: thresholds.largestRead + 1 });
      if (read === undefined || read.bytes.length <= thresholds.largestRead) return read;
      this.findings.push(tooLarge(path, read.size));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.findings.push(unreadable(path, error.message));
    }
    return undefined;
  }
}

/** Fixed nodes whose logs were changed or are gone, by the logical logs. That the tree cannot be loaded does not end the audit. */
async function changedSources(memory: TreeMemory): Promise<readonly AuditFinding[]> {
  try {
    const { state, skipped } = await loadTree(await withLogicalLogs(memory), builtInSummarizer.id, { cache: "used" });
    const late = lateSourcesOf(state, new Set(skipped.map(({ path }) => path)));
    return late.filter(({ code }) => code === "source_edited" || code === "source_missing").map(sourceChanged);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [unreadable("memory", `the tree could not be loaded, so its sources were not compared: ${error.message}`)];
  }
}

function byPath(a: FileAsRead, b: FileAsRead): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
