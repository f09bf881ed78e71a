import { Buffer } from "node:buffer";
import { ifInTheWay } from "../../base/errors.ts";
import { isText, listOf, parseObject } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import type { Files } from "../../platform/files.ts";
import { appendRecords, type NewRecord } from "../logs/records.ts";
import type { TreeMemory } from "../memory.ts";
import type { ChangeRecord } from "../model/records-format.ts";
import { cacheFolder } from "./idle.ts";

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

export async function writeApplied(files: Files, ids: Iterable<string>): Promise<void> {
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
