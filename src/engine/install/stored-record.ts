import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import type { ClientFiles } from "../../ports/client-files.ts";
import { pathIn, type ClientPlaces } from "./places.ts";
import type { Edit } from "./plan.ts";
import type { Installing } from "./prepared.ts";
import { emptyRecord, parseInstallRecord, printInstallRecord, type InstallRecord } from "./record-format.ts";

export function recordPath(places: ClientPlaces): string {
  return pathIn(places, places.state, "installed.json");
}

export interface StoredRecord {
  readonly record: InstallRecord;
  readonly bytes: Uint8Array | undefined;
}

export async function readRecord({ files, places }: Installing): Promise<StoredRecord> {
  const path = recordPath(places);
  const bytes = await files.read(path);
  if (bytes === undefined) return { record: emptyRecord, bytes };
  return { record: parseInstallRecord(path, Buffer.from(bytes).toString("utf8")), bytes };
}

export async function writeRecord(
  { files, places }: Installing,
  record: InstallRecord,
  expect: Uint8Array | undefined,
): Promise<Uint8Array> {
  const bytes = Buffer.from(printInstallRecord(record, places.version));
  if (expect !== undefined && bytes.equals(expect)) return expect;
  const path = recordPath(places);
  if ((await files.replace(path, { bytes, expect, mode: "private" })) === "changed") throw changedMeanwhile(path);
  return bytes;
}

export async function removeRecord({ files, places }: Installing, bytes: Uint8Array): Promise<void> {
  if ((await files.remove(recordPath(places), bytes)) === "changed") throw changedMeanwhile(recordPath(places));
}

export async function writeEdit(files: ClientFiles, { path, before, after, mode }: Edit): Promise<void> {
  const outcome =
    after !== undefined
      ? await files.replace(path, { bytes: after, expect: before, mode })
      : before === undefined
        ? "removed"
        : await files.remove(path, before);
  if (outcome === "changed") throw changedMeanwhile(path);
}

function changedMeanwhile(path: string): MemoryError {
  return new MemoryError(
    "changed_by_other",
    `${path} was changed by another program meanwhile, and nothing of theirs was overwritten; run the command again, and it goes on from here.`,
    { path },
  );
}
