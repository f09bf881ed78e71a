import type { Hash } from "node:crypto";

/** Loaded when first used: loading takes 4 ms, and not every command needs a digest. */
const crypto = () => process.getBuiltinModule("node:crypto");

/** SHA-256 of the concatenated parts as 64 lower-case hexadecimal digits (FIPS 180-4). */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = crypto().createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
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

/** HMAC-SHA256 as 64 hexadecimal digits. */
export function keyedDigest(key: Uint8Array, message: Uint8Array): string {
  return crypto().createHmac("sha256", key).update(message).digest("hex");
}
