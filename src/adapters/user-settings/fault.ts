import { MemoryError } from "../../base/errors.ts";
import { visible } from "../../base/visible.ts";

/** A key of `summaries` in the settings file; the empty one is `summaries` itself. */
export interface Place {
  readonly path: string;
  readonly key: string;
}

/** `invalid_config` that tells the value. */
export function fault(place: Place, seen: unknown, allowed: string): MemoryError {
  const says = seen === undefined ? "is missing" : `is ${visible(JSON.stringify(seen) ?? "no value", 60)}`;
  return hiddenFault(place, `${says}; it must be ${allowed}`);
}

/** `invalid_config` without the value, which may be a key or a password. */
export function hiddenFault({ path, key }: Place, says: string): MemoryError {
  const name = key === "" ? "summaries" : `summaries.${visible(key, 60)}`;
  return new MemoryError("invalid_config", `${name} in your settings ${path} ${says}: change it there.`, {
    path,
    key: name,
  });
}
