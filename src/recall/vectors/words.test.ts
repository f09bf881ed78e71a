import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import fc from "fast-check";
import { nameWordVectors } from "../../open-models.ts";
import { cosines } from "./int8.ts";
import { openWordVectors } from "./words.ts";

const file = new URL("../../../tools/word-vectors.bin", import.meta.url);
const table = readFileSync(file);
const { dimensions, vectorOf } = openWordVectors(table);

const cosine = (one: string, other: string): number =>
  cosines(vectorOf(one), { dimensions, bytes: vectorOf(other) })[0] ?? 0;

test("another table has another id, since indexes keep its vectors", () => {
  const digest = createHash("sha256").update(table).digest("hex");
  expect([nameWordVectors(() => table).id, digest]).toEqual([
    "word-vectors-1",
    "a6c4a46594b4ce2fae4791eb87c82005c4c68e7607fd5f060fe1ff719cdc57d1",
  ]);
});

test("the vectors of a text are the same bytes on every machine", () => {
  const texts = ["We moved the stand-up to Friday.", "Die Küchenrenovierung 台所の改装 주방을 고쳤다", "車", ""];
  const digest = createHash("sha256");
  for (const text of texts) digest.update(vectorOf(text));
  expect(digest.digest("hex").slice(0, 16)).toBe("a40b1a628a900ea6");
});

test.each([
  ["sofa", "couch", "invoice"],
  ["doctor", "physician", "bridge"],
  ["The car is broken.", "vehicle damage", "a bakery in Rome"],
  ["Das Auto ist kaputt.", "vehicle damage", "a bakery in Rome"],
  ["자전거를 고쳤다", "bicycle repair", "a bakery in Rome"],
  ["車の修理", "vehicle repair", "a bakery in Rome"],
  ["Küchenrenovierung", "kitchen renovation", "tax return"],
  ["KITCHENS", "kitchen", "letter"],
])("%j is closer to %j than to %j", (text, near, far) => {
  expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2);
});

test("a text without known words has no direction", () => {
  for (const text of ["", "42", "qwzx", "🙂 — …", "ꙮ"])
    expect([...vectorOf(text)].some((part) => part !== 0)).toBe(false);
});

test("a vector does not depend on case, on the order of words or on how letters are composed", () => {
  expect(vectorOf("Grüße aus KÖLN")).toEqual(vectorOf("köln aus grüße"));
  expect(vectorOf("Köln".normalize("NFD"))).toEqual(vectorOf("Köln"));
});

test("any text has a vector", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(vectorOf(text)).toHaveLength(dimensions);
    }),
  );
});

test("a damaged table is an error that says what to do", () => {
  for (const bytes of [
    new Uint8Array(),
    table.subarray(0, 1000),
    Buffer.concat([Buffer.from("HWV2"), table.subarray(4)]),
  ])
    expect(() => openWordVectors(bytes)).toThrow("The table of word vectors is damaged; reinstall heartwood.");
});
