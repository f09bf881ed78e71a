import { ifMemoryError, MemoryError, type Warning } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import type { FileChange } from "../../platform/files.ts";
import { replaceCompactionRoot, type RootDocument } from "../root/root-format.ts";
import { archiveBytes } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";
import { encode } from "../run/tree-files.ts";
import type { DueNode } from "../run/idle.ts";

const memoryFile = "MEMORY.md";

/**
 * Updates the section `## Compaction Root` of MEMORY.md, which OpenClaw loads, from ROOT.md. No byte outside the
 * section changes. If the section has lines that heartwood did not write, the whole file is archived first. `before`:
 * ROOT.md before the run.
 */
export async function syncMemoryFile(
  memory: TreeMemory,
  now: RootDocument | undefined,
  before: RootDocument | undefined,
): Promise<readonly Warning[]> {
  if (now === undefined) return [];
  const warning = (code: string, message: string): Warning => ({ code, path: memoryFile, message });
  try {
    const change = await planSync(memory, now);
    if (change === undefined) return [];
    if (change === "not_utf8")
      return [warning("not_utf8", `${memoryFile} is not UTF-8, so its Compaction Root was left unchanged`)];
    const kept = await keepForeign(memory, change, [now, before]);
    const [outcome] = await memory.files.commit([change.file]);
    if (outcome?.outcome === "written") return kept;
    return [
      warning(
        "changed_by_other",
        `${memoryFile} was changed by another program in the meantime, so it was left unchanged`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [warning(error.code, error.message)];
  }
}

/** MEMORY.md is due if a run was interrupted between writing ROOT.md and MEMORY.md, or if the section was edited. */
export async function syncDue(memory: TreeMemory, document: RootDocument | undefined): Promise<readonly DueNode[]> {
  if (document === undefined) return [];
  const change = await planSync(memory, document).catch(ifMemoryError(() => undefined));
  if (change === undefined || change === "not_utf8") return [];
  const detail = "its Compaction Root section differs from ROOT.md";
  return [{ path: memoryFile, level: "root", period: "ROOT", reason: "changed", detail }];
}

/** The current and the new content of MEMORY.md. */
async function planSync(memory: TreeMemory, document: RootDocument) {
  const read = await memory.files.read(memoryFile);
  const text = read === undefined ? "" : decodeText(read.bytes);
  if (text === undefined) return "not_utf8";
  const bom = read?.bytes[0] === 0xef ? "\uFEFF" : "";
  const next = replaceCompactionRoot(text, document.body);
  if (next === text) return undefined;
  const expect = read === undefined ? "absent" : { stamp: read.stamp };
  const file: FileChange = { path: memoryFile, bytes: encode(bom + next), expect };
  return { file, old: read && { text, bytes: read.bytes }, next };
}

/** Archives MEMORY.md if a line to be removed is in none of the documents that heartwood may have written there. */
async function keepForeign(
  memory: TreeMemory,
  { old, next }: Exclude<Awaited<ReturnType<typeof planSync>>, string | undefined>,
  documents: readonly (RootDocument | undefined)[],
): Promise<readonly Warning[]> {
  if (old === undefined) return [];
  const written = documents.filter((document) => document !== undefined);
  const ours = new Set(written.flatMap(({ body }) => linesOf(replaceCompactionRoot("", body))));
  const kept = new Set(linesOf(next));
  const lost = linesOf(old.text).filter((line) => line.trim() !== "" && !kept.has(line) && !ours.has(line));
  if (lost.length === 0) return [];
  const archived = await archiveBytes(memory.files, memoryFile, old.bytes);
  const message = `the Compaction Root section of ${memoryFile} had ${lost.length} line(s) that heartwood did not write: it was replaced and the old file is in ${archived}`;
  return [{ code: "section_replaced", path: memoryFile, message }];
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => line.replace(/\r$/u, ""));
}

/** Timeout for one command of the search tool, in milliseconds. */
const timeLimit = 120_000;

/**
 * Tells qmd about changed files, as the user's settings request. A failure, or a missing qmd, is only a warning,
 * because the tree is already written. Call it without a lock.
 */
export async function refreshQmd(memory: TreeMemory): Promise<readonly Warning[]> {
  const program = await memory.commands.find("qmd");
  if (program === undefined) {
    const message = "your settings use qmd, but it is not on PATH; its index was not updated";
    return [{ code: "qmd_missing", message }];
  }
  for (const command of memory.user.qmd === "update-and-embed" ? ["update", "embed"] : ["update"]) {
    const { status } = await memory.commands.run(program, [command], { timeoutMs: timeLimit });
    if (status === 0) continue;
    const whys = { timeout: `took longer than ${timeLimit / 1000} s`, not_started: "could not be started" };
    const why = typeof status === "string" ? whys[status] : `exited with status ${status}`;
    const message = `qmd ${command} ${why}; the tree was written, but the search index is out of date`;
    return [{ code: "qmd_failed", message }];
  }
  return [];
}
