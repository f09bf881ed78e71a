import { printUuid7 } from "../base/digest.ts";
import type { Clock, Ids, Random } from "./clock.ts";

/** UUIDs of version 7 in increasing order within the process: within a millisecond, and when the clock goes back, 12 bits count up (RFC 9562, 6.2). */
export function createUuid7Ids(options: { readonly clock: Pick<Clock, "now">; readonly random: Random }): Ids {
  let last = 0;
  let count = 0;
  let pool = new Uint8Array(0);
  let used = 0;
  return {
    id: "uuid7-ids-1",
    next: () => {
      const now = options.clock.now();
      if (now > last) [last, count] = [now, 0];
      else if (count < 0xfff) count += 1;
      else [last, count] = [last + 1, 0];
      if (used + 10 > pool.length) [pool, used] = [options.random.bytes(4000).slice(), 0];
      const random = pool.subarray(used, used + 10);
      used += 10;
      random[0] = count >> 8;
      random[1] = count & 0xff;
      return printUuid7(last, random);
    },
  };
}
