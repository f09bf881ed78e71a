/** Whether a value is a JSON object: not an array and not `null`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON with comments (`//`, `/* … * /`) and trailing commas, as editors write configuration files. Throws the
 * `SyntaxError` of `JSON.parse` if the rest is not JSON. Replaces removed text with spaces, so positions in error
 * messages stay correct.
 */
export function parseJsonWithComments(text: string): unknown {
  const outside = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu;
  const bare = text.replaceAll(outside, (part) => (part.startsWith('"') ? part : part.replaceAll(/[^\n]/gu, " ")));
  const commas = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/gu;
  return JSON.parse(bare.replaceAll(commas, (part) => (part.startsWith('"') ? part : " ")));
}

/** Parses a JSON object; `undefined` for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** A predicate on a JSON value. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";

/** Whether a value is a SHA-256 digest as 64 lower-case hexadecimal digits. */
export const isDigest: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/u.test(value);

export function optionally(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

export function oneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

/** Checks the given fields of an object; other fields are allowed. */
export function fields(shape: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(shape);
  return (value) => isObject(value) && checks.every(([key, check]) => check(value[key]));
}
