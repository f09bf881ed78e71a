import { createHash } from "node:crypto";

/** SHA-256 of the given parts, one after the other, as 64 lower-case hexadecimal digits (FIPS 180-4). */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** A digest that is fed piece by piece. `hex()` may be read once. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** The digest of all bytes so far; feeding may go on afterwards. */
  peek(): string;
}

export function createDigest(): RunningDigest {
  const hash = createHash("sha256");
  return {
    update: (bytes) => void hash.update(bytes),
    peek: () => hash.copy().digest("hex"),
  };
}

/** The first 16 hexadecimal digits: enough to tell parts of one document apart, short enough to be read. */
export function shortDigest(hex: string): string {
  return hex.slice(0, 16);
}

/**
 * A UUID of version 7 (RFC 9562): 48 bits of milliseconds, then random ones. `random` has 10 bytes. Ids of one millisecond are ordered by the first
 * 12 bits of `random`, which a maker may count up (method 1 of section 6.2).
 */
export function printUuid7(milliseconds: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 5, rest = milliseconds; index >= 0; index -= 1, rest = Math.floor(rest / 256))
    bytes[index] = rest % 256;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Buffer.from(bytes.buffer).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A UUID of version 8 (RFC 9562) of the first 16 bytes of a digest in hexadecimal digits, version and variant set. */
export function printUuid8(digest: string): string {
  const variant = (0x8 | (Number.parseInt(digest.charAt(16), 16) & 0x3)).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** HMAC-SHA256 (RFC 2104, FIPS 180-4) as 64 hexadecimal digits. For short texts on the way to an answer within milliseconds: to load `node:crypto` takes five. */
export function keyedDigest(key: Uint8Array, message: Uint8Array): string {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? digest(key) : key);
  const inner = digest(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return Buffer.from(
    digest(
      joined(
        block.map((byte) => byte ^ 0x5c),
        inner,
      ),
    ),
  ).toString("hex");
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
const roundConstants = fractions(64, 1 / 3);
const startState = fractions(8, 1 / 2);

function fractions(count: number, power: number): Uint32Array {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    let divisor = 2;
    while (number % divisor !== 0) divisor += 1;
    if (divisor === number) found.push((number ** power % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

function digest(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = Uint32Array.from(startState);
  for (let at = 0; at < padded.length; at += 64) mix(state, wordsAt(view, at));
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => result.setUint32(index * 4, word));
  return new Uint8Array(result.buffer);
}

function wordsAt(view: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64);
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [words[index - 15] ?? 0, words[index - 2] ?? 0];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
  return words;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen;
    const one = (first + (roundConstants[index] ?? 0) + (words[index] ?? 0)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index] ?? 0) + word));
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
