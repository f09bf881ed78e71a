import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";

/** A key of the settings file. */
export interface Place {
  readonly path: string;
  /** What holds the key. Default `summaries`. */
  readonly under?: string;
  /** The empty one is what holds it. */
  readonly key: string;
}

/** `invalid_config` that tells the value. */
export function fault(place: Place, seen: unknown, allowed: string): MemoryError {
  const says = seen === undefined ? "is missing" : `is ${shown(JSON.stringify(seen) ?? "no value", 60)}`;
  return hiddenFault(place, `${says}; it must be ${allowed}`);
}

/** `invalid_config` without the value, which may be a key or a password. */
export function hiddenFault({ path, under = "summaries", key }: Place, says: string): MemoryError {
  const name = key === "" ? under : `${under}.${shown(key, 60)}`;
  return new MemoryError("invalid_config", `${name} in your settings ${path} ${says}: change it there.`, {
    path,
    key: name,
  });
}
