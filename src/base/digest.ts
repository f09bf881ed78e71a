import { Buffer } from "node:buffer";
import type { Hash } from "node:crypto";
import { once } from "./lines.ts";

/** Loaded when first used: loading takes 6 ms, and most commands need a few short digests at most. */
const crypto = () => process.getBuiltinModule("node:crypto");

const blockBytes = 64;

/** So many bytes are digested without it: as long as that takes less than loading. */
let left = 6 * 1024;

/** SHA-256 of the concatenated parts as 64 lower-case hexadecimal digits (FIPS 180-4). */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  left -= Math.max(blockBytes, length);
  if (left >= 0) return hexOf(digestOf(Buffer.concat(parts.map((part) => Buffer.from(part as string)))));
  const hash = crypto().createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString("hex");
}

const wordsOf = (hex: string): Uint32Array => Uint32Array.from(hex.split(/\s+/u), (word) => Number.parseInt(word, 16));

const table = once(() => {
  const begin = wordsOf("6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19");
  const rounds =
    wordsOf(`428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174
e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967
27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070
19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2`);
  return { begin, rounds };
});

/** SHA-256 of bytes. Written out, because it runs before it is compiled. */
function digestOf(bytes: Uint8Array): Uint8Array {
  const { begin, rounds } = table();
  const state = Int32Array.from(begin);
  const words = new Int32Array(64);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const low = words[at - 15] ?? 0;
      const high = words[at - 2] ?? 0;
      const before = ((low >>> 7) | (low << 25)) ^ ((low >>> 18) | (low << 14)) ^ (low >>> 3);
      const after = ((high >>> 17) | (high << 15)) ^ ((high >>> 19) | (high << 13)) ^ (high >>> 10);
      words[at] = (words[at - 16] ?? 0) + before + (words[at - 7] ?? 0) + after;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let at = 0; at < 64; at++) {
      const end = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = h + end + ((e & f) ^ (~e & g)) + (rounds[at] ?? 0) + (words[at] ?? 0);
      const start = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      // As `start` plus the majority of `a`, `b` and `c`, before they move.
      const sum = one + start + ((a & b) ^ (a & c) ^ (b & c));
      c = b;
      b = a;
      a = sum | 0;
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 8; at++) digest.setInt32(4 * at, state[at] ?? 0);
  return new Uint8Array(digest.buffer);
}

/** An incremental digest. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** The digest of all bytes so far; more may follow. */
  peek(): string;
  /** A digest that goes on from here by itself. */
  fork(): RunningDigest;
}

export function createDigest(): RunningDigest {
  return running(crypto().createHash("sha256"));
}

function running(hash: Hash): RunningDigest {
  return {
    update: (bytes) => void hash.update(bytes),
    peek: () => hash.copy().digest("hex"),
    fork: () => running(hash.copy()),
  };
}

/** The first 16 hexadecimal digits: enough to distinguish parts of one document, and short enough to read. */
export function shortDigest(hex: string): string {
  return hex.slice(0, 16);
}

/**
 * A version 7 UUID (RFC 9562): 48 bits of milliseconds, then random bits. `random` has 10 bytes. Ids of the same millisecond are ordered by the first
 * 12 random bits, which the caller may use as a counter (section 6.2, method 1).
 */
export function printUuid7(milliseconds: number, random: Uint8Array): string {
  return printUuid(
    7,
    milliseconds.toString(16).padStart(12, "0") + Buffer.from(random.subarray(0, 10)).toString("hex"),
  );
}

/** A version 8 UUID (RFC 9562) made from the first 16 bytes of a hexadecimal digest. */
export function printUuid8(digest: string): string {
  return printUuid(8, digest);
}

/** Formats hexadecimal digits as a UUID and sets its version and variant. */
function printUuid(version: 7 | 8, hex: string): string {
  const variant = (0x8 | (Number.parseInt(hex.charAt(16), 16) & 0x3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** HMAC-SHA256 (RFC 2104) as 64 hexadecimal digits. */
export function keyedDigest(key: Uint8Array, message: Uint8Array): string {
  left -= 3 * blockBytes + message.length;
  if (left < 0) return crypto().createHmac("sha256", key).update(message).digest("hex");
  const padded = new Uint8Array(blockBytes);
  padded.set(key.length > blockBytes ? digestOf(key) : key);
  const inner = digestOf(Buffer.concat([padded.map((byte) => byte ^ 0x36), message]));
  return hexOf(digestOf(Buffer.concat([padded.map((byte) => byte ^ 0x5c), inner])));
}
