import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { headerBytes } from "./table-id.ts";
import { readTokenTable } from "./token-table.ts";

const shipped = readFileSync(new URL("../../../assets/minilm-256.bin", import.meta.url));

test("the shipped table is whole, within 12 MB, and its digest is that of its contents", () => {
  const table = readTokenTable(shipped);
  expect(shipped.length).toBeLessThanOrEqual(12_000_000);
  expect(table.digest).toBe(createHash("sha256").update(shipped.subarray(headerBytes)).digest("hex").slice(0, 16));
  expect(table.vectors.length).toBe((table.pieces.size + table.pairs.size) * table.dimensions);
  expect(table.scales.every((scale) => scale >= 0 && scale < 1)).toBe(true);
});

test("a table is read in place, wherever it begins in its buffer", () => {
  const moved = new Uint8Array(shipped.length + 3);
  moved.set(shipped, 3);
  const table = readTokenTable(moved.subarray(3));
  expect(table.vectors.buffer).toBe(moved.buffer);
  expect(table.scales).toEqual(readTokenTable(shipped).scales);
});

test("a table that was cut, lengthened, or has another beginning is `io`", () => {
  const broken = [new Uint8Array(0), shipped.subarray(0, 31), shipped.subarray(1), shipped.subarray(0, -1)];
  for (const bytes of [...broken, Buffer.concat([shipped, Buffer.alloc(1)])])
    expect(() => readTokenTable(bytes)).toThrow("The table of word vectors is damaged");
});

test("a header that says something else than the contents is `io`, whatever it says", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Uint8Array.from(shipped.subarray(0, 4096));
      bytes[at] = (bytes[at] ?? 0) ^ change;
      expect(() => readTokenTable(bytes)).toThrow("The table of word vectors is damaged");
    }),
  );
});
