import { Buffer } from "node:buffer";
import { ifInTheWay } from "../../base/errors.ts";
import { isText, listOf, parseObject } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import type { Files } from "../../platform/files.ts";
import { archiveBytes } from "../logs/archive.ts";
import { appendRecords, type NewRecord } from "../logs/records.ts";
import type { TreeMemory } from "../memory.ts";
import { ancestorsOf, nodePath, parseLogFile, parseNodePath, memoryFolder, type Place } from "../model/period.ts";
import type { ChangeRecord } from "../model/records-format.ts";
import type { TreeState } from "../model/tree-state.ts";
import { isForeign } from "../plan/late-parts.ts";
import { cacheFolder } from "./idle.ts";
import { plannedDrops, removeNodes } from "./reopen.ts";

/** The ids of the records that the nodes of this clone follow. Disposable: without it, their nodes are built once more. */
const appliedPath = `${cacheFolder}/records.json`;

/** The records that the nodes of this clone do not follow yet. */
export async function unappliedOf(files: Files, records: readonly ChangeRecord[]): Promise<readonly ChangeRecord[]> {
  if (records.length === 0) return [];
  const applied = await readApplied(files);
  return records.filter(({ id }) => !applied.has(id));
}

async function readApplied(files: Files): Promise<ReadonlySet<string>> {
  const read = await files.read(appliedPath).catch(ifInTheWay(() => undefined));
  const ids = parseObject(decodeText(read?.bytes ?? Buffer.alloc(0)) ?? "")?.["applied"];
  return new Set(areIds(ids) ? (ids as readonly string[]) : []);
}

const areIds = listOf(isText);

async function writeApplied(files: Files, ids: Iterable<string>): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ applied: [...ids] })}\n`);
  await files.commit([{ path: appliedPath, bytes, expect: "anything" }]).catch(ifInTheWay(() => undefined));
}

/**
 * Records what is late. The nodes of this clone follow these records from the start; that is noted first, so that a
 * crash in between does not make the run take them for those of another clone.
 */
export async function recordLate(memory: TreeMemory, added: readonly NewRecord[]): Promise<readonly ChangeRecord[]> {
  return appendRecords(memory, added, async (records) => {
    const applied = await readApplied(memory.files);
    await writeApplied(memory.files, [...applied, ...records.map(({ id }) => id)]);
  });
}

/** The nodes that records of another clone, or of an edit, change: they are removed and built again. */
export function planApply(
  state: TreeState,
  all: readonly ChangeRecord[],
  unapplied: readonly ChangeRecord[],
): readonly string[] {
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
  all: readonly ChangeRecord[],
  unapplied: readonly ChangeRecord[],
): Promise<"dropped" | "none"> {
  if (unapplied.length === 0) return "none";
  const paths = planApply(state, all, unapplied);
  const forgotten = new Set(
    planApply(
      state,
      all,
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
    all.map(({ id }) => id),
  );
  return paths.length === 0 ? "none" : "dropped";
}
