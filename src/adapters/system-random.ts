import type { Random } from "../ports/clock.ts";

/** The operating system's random bytes. Web crypto, because loading `node:crypto` costs five milliseconds. */
export const systemRandom: Random = {
  bytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
};
