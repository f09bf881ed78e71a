import { archiveBytes } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";
import { ancestorsOf, nodePath, parseLogFile, parseNodePath, memoryFolder, type Place } from "../model/period.ts";
import type { ChangeRecord } from "../model/records-format.ts";
import type { TreeState } from "../model/tree-state.ts";
import { isForeign } from "../plan/late-parts.ts";
import { writeApplied } from "./applied.ts";
import { plannedDrops, removeNodes } from "./reopen.ts";

/** The nodes that records of another clone, or of an edit, change: they are removed and built again. */
export function planApply(state: TreeState, unapplied: readonly ChangeRecord[]): readonly string[] {
  const all = state.late?.all ?? [];
  const byId = new Map(all.map((record) => [record.id, record]));
  const touched = unapplied.map((record) => (record.kind === "undone" ? (byId.get(record.of) ?? record) : record));
  const days = touched.flatMap(logsTouched).flatMap((log) => {
    const name = parseLogFile(log.slice(memoryFolder.length + 1));
    return name.state === "log" ? [name.day] : [];
  });
  const late = touched.flatMap((record): readonly Place[] => {
    const name = record.kind === "late" ? parseNodePath(record.node) : undefined;
    return name === undefined ? [] : [name, ...ancestorsOf(name.level, name.period)];
  });
  const own = late
    .flatMap(({ level, period }) => state.nodes.of(level, period))
    // What a person wrote gives way only to a change of what it was made from.
    .filter((node) => node.reading === "ours" && !isForeign(node))
    .map(({ name }) => nodePath(name));
  return [...new Set([...plannedDrops(state, days), ...own])].toSorted();
}

function logsTouched(record: ChangeRecord): readonly string[] {
  if (record.kind === "removed") return [record.log];
  if (record.kind === "renamed") return record.logs;
  return record.kind === "forgotten" ? [record.place] : [];
}

/** Removes the nodes that do not follow the records yet, for the run to build them again. Call it with the `tree` lock held. */
export async function applyRecords(
  memory: TreeMemory,
  state: TreeState,
  unapplied: readonly ChangeRecord[],
): Promise<"dropped" | "none"> {
  if (unapplied.length === 0) return "none";
  const paths = planApply(state, unapplied);
  const forgotten = new Set(
    planApply(
      state,
      unapplied.filter(({ kind }) => kind === "forgotten"),
    ),
  );
  for (const path of paths) {
    const node = state.nodes.get(path);
    if (node === undefined || forgotten.has(path) || !isForeign(node)) continue;
    const read = await memory.files.read(path);
    if (read !== undefined) await archiveBytes(memory.files, path, read.bytes);
  }
  await removeNodes(memory, paths);
  await writeApplied(
    memory.files,
    (state.late?.all ?? []).map(({ id }) => id),
  );
  return paths.length === 0 ? "none" : "dropped";
}
