import { randomBytes } from "node:crypto";
import type { Random } from "../ports/clock.ts";

/** The operating system's random bytes. */
export const systemRandom: Random = {
  bytes: (count) => new Uint8Array(randomBytes(count)),
};
