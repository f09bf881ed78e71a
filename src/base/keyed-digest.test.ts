import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { keyedDigest } from "./digest.ts";

test("a keyed digest is the HMAC-SHA256 that Node computes, for keys and messages of every length around a block", () => {
  for (const keyLength of [0, 1, 31, 32, 63, 64, 65, 200])
    for (let length = 0; length < 200; length += 1) {
      const key = new Uint8Array(keyLength).map((_, index) => (index * 7 + length) % 256);
      const message = new Uint8Array(length).map((_, index) => (index * 13 + keyLength) % 256);
      expect(keyedDigest(key, message)).toBe(createHmac("sha256", key).update(message).digest("hex"));
    }
});
