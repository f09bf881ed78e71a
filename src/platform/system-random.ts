import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Random } from "./clock.ts";

/** The operating system's random bytes. From its device where there is one: loading web crypto or `node:crypto` costs five milliseconds. */
export const systemRandom: Random = {
  bytes: (count) => fromDevice(count) ?? globalThis.crypto.getRandomValues(new Uint8Array(count)),
};

/** What is at the path must be a device: `undefined` for anything else. */
function fromDevice(count: number): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openSync("/dev/urandom", constants.O_RDONLY);
    const bytes = new Uint8Array(count);
    return fstatSync(fd).isCharacterDevice() && readSync(fd, bytes) === count ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
