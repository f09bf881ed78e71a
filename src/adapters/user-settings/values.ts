import { isAbsolute } from "node:path";
import { fault, hiddenFault, type Place } from "./fault.ts";

/** Where a key lies. It is read when a request is about to go out, and not before. */
export type KeySource = { readonly env: string } | { readonly file: string };

export type Values = Readonly<Record<string, unknown>>;

/** What `keyEnv` and `keyFile` say; `undefined` without either. */
export function keySource(under: Place, values: Values): KeySource | undefined {
  const { keyEnv, keyFile } = values;
  const isFile = { ...under, key: "keyFile" };
  if (keyEnv !== undefined && keyFile !== undefined)
    throw hiddenFault(isFile, "stands beside keyEnv; keep the one that holds");
  if (keyFile !== undefined) {
    // What is no path may be the key itself.
    if (typeof keyFile === "string" && isAbsolute(keyFile)) return { file: keyFile };
    throw hiddenFault(isFile, "must be the absolute path of a file that holds the key alone");
  }
  if (keyEnv === undefined) return undefined;
  if (typeof keyEnv === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u.test(keyEnv)) return { env: keyEnv };
  throw hiddenFault(
    { ...under, key: "keyEnv" },
    "must be the name of an environment variable, letters, digits and _, and not the key itself",
  );
}

export function absolute(place: Place, value: unknown, of: string): string {
  if (typeof value === "string" && isAbsolute(value)) return value;
  throw fault(place, value, `the absolute path of ${of}`);
}

export function modelName(place: Place, value: unknown): string {
  const allowed = "the model's name, 1 to 128 printable ASCII characters without spaces";
  return matching(place, value, { pattern: /^[!-~]{1,128}$/u, allowed });
}

export function matching(
  place: Place,
  value: unknown,
  rule: { readonly pattern: RegExp; readonly allowed: string },
): string {
  if (typeof value === "string" && rule.pattern.test(value)) return value;
  throw fault(place, value, rule.allowed);
}

type ReadNumber = (
  key: string,
  rule: { readonly fallback: number; readonly min: number; readonly max: number },
) => number;

export function numbersOf(under: Place, values: Values): ReadNumber {
  return (key, { fallback, min, max }) => {
    const value = values[key] ?? fallback;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw fault({ ...under, key }, value, `a whole number from ${min} to ${max}`);
  };
}
