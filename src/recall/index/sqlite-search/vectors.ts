import type { IndexFilter, VectorTable } from "../search-index.ts";
import { passingRanges, type Session } from "./schema.ts";

export const noVectors: VectorTable = {
  dimensions: 0,
  ids: new Int32Array(),
  sections: new Int32Array(),
  vectors: new Int8Array(),
};

interface Blob {
  readonly dimensions: number;
  readonly ids: Uint8Array;
  readonly vectors: Uint8Array;
}

/** All vectors, by id; of those of several lengths, as a model leaves them that was changed under its name, the newest. */
export function loadVectors(session: Session): VectorTable {
  const all = session.statement("SELECT dimensions, ids, vectors FROM vector ORDER BY source").all() as readonly Blob[];
  const dimensions = all.at(-1)?.dimensions ?? 0;
  const blobs = all.filter((blob) => blob.dimensions === dimensions);
  const rows = blobs.reduce((sum, blob) => sum + blob.ids.length / 4, 0);
  const table = {
    dimensions,
    ids: new Int32Array(rows),
    sections: new Int32Array(rows),
    vectors: new Int8Array(rows * dimensions),
  };
  let row = 0;
  for (const blob of blobs) {
    const ids = int32(blob.ids);
    table.ids.set(ids, row);
    table.vectors.set(
      new Int8Array(blob.vectors.buffer, blob.vectors.byteOffset, blob.vectors.length),
      row * dimensions,
    );
    row += ids.length;
  }
  fillSections(session, table);
  return table;
}

function fillSections(session: Session, table: { readonly ids: Int32Array; readonly sections: Int32Array }): void {
  const sections = session.statement("SELECT id, statement_to AS past FROM section ORDER BY id").all() as readonly {
    readonly id: number;
    readonly past: number;
  }[];
  let at = 0;
  table.ids.forEach((id, row) => {
    while ((sections[at]?.past ?? Number.POSITIVE_INFINITY) <= id) at += 1;
    table.sections[row] = sections[at]?.id ?? 0;
  });
}

/** The rows that pass the filter; the very same table when all do. */
export function filteredVectors(session: Session, table: VectorTable, filter: IndexFilter): VectorTable {
  const ranges = passingRanges(session, "statement", filter);
  if (ranges === undefined) return table;
  const { dimensions, ids, sections, vectors } = table;
  const rows: number[] = [];
  let range = 0;
  ids.forEach((id, row) => {
    while ((ranges[range]?.to ?? Number.POSITIVE_INFINITY) <= id) range += 1;
    if (id >= (ranges[range]?.from ?? Number.POSITIVE_INFINITY)) rows.push(row);
  });
  if (rows.length === ids.length) return table;
  const passing = new Int8Array(rows.length * dimensions);
  rows.forEach((row, at) => passing.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions));
  return {
    dimensions,
    ids: Int32Array.from(rows, (row) => ids[row] ?? 0),
    sections: Int32Array.from(rows, (row) => sections[row] ?? 0),
    vectors: passing,
  };
}

function int32(bytes: Uint8Array): Int32Array {
  return bytes.byteOffset % 4 === 0
    ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    : new Int32Array(bytes.slice().buffer);
}
