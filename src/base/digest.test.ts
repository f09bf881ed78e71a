import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyedDigest, sha256 } from "./digest.ts";

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

test("short digests, which are made without node:crypto, are those of node:crypto, and so are later ones", () => {
  for (const text of ["", "a", "ä".repeat(40), "b".repeat(55), "c".repeat(56), "d".repeat(64), "\ud800"])
    expect(sha256(text, "")).toBe(createHash("sha256").update(text).digest("hex"));
  fc.assert(
    fc.property(bytes(300), fc.string({ maxLength: 60 }), (a, b) => {
      expect(sha256(a, b)).toBe(createHash("sha256").update(a).update(b).digest("hex"));
    }),
  );
});

test("keyed digests are those of node:crypto", () => {
  fc.assert(
    fc.property(bytes(90), bytes(300), (key, message) => {
      expect(keyedDigest(key, message)).toBe(createHmac("sha256", key).update(message).digest("hex"));
    }),
  );
});
