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
