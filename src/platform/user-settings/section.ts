import { isAbsolute } from "node:path";
import { MemoryError, systemCodeOf } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { didYouMean, shown } from "../../text/shown.ts";
import { readFileSync, statSync } from "node:fs";

/** Where a key is stored. It is read only when a request is about to be sent. */
export type KeySource = { readonly env: string } | { readonly file: string };

interface TextRule {
  readonly pattern: RegExp;
  /** A description of what the pattern allows. */
  readonly allowed: string;
  readonly fallback?: string;
}

const addressAllowed = "an http or https address such as http://127.0.0.1:11434/v1";

/**
 * One object of the settings file, whose keys are read one at a time. Errors: `invalid_config` with the key, its value and what is allowed. A value that
 * may be a key or a password is never quoted.
 */
export class Section {
  readonly path: string;
  /** Its key path in the file, such as `recall.chooser`. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;

  constructor(where: { readonly path: string; readonly name: string; readonly like: string }, value: unknown) {
    this.path = where.path;
    this.name = where.name;
    this.values = isObject(value) ? value : {};
    if (!isObject(value)) throw this.hiddenFault("", `must be ${where.like}`);
  }

  /** Refuses unknown keys. `adapter`: the adapter that the known keys belong to. */
  onlyKnows(known: readonly string[], adapter?: string): void {
    const other = Object.keys(this.values).find((key) => !known.includes(key));
    if (other === undefined) return;
    const says = adapter === undefined ? "is unknown; known keys are" : `is not a key of ${adapter}, whose keys are`;
    throw this.hiddenFault(other, `${says} ${known.join(", ")}${didYouMean(other, known)}`);
  }

  oneOf<Name extends string>(key: string, names: readonly Name[]): Name {
    const value = this.values[key];
    const found = names.find((name) => name === value);
    if (found !== undefined) return found;
    throw this.fault(key, `one of ${names.join(", ")}${didYouMean(value, names)}`);
  }

  number(
    key: string,
    { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
  ): number {
    const value = this.values[key] ?? fallback;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.fault(key, `a whole number from ${min} to ${max}`);
  }

  text(key: string, { pattern, allowed, fallback }: TextRule): string {
    const value = this.values[key] ?? fallback;
    if (typeof value === "string" && pattern.test(value)) return value;
    throw this.fault(key, allowed);
  }

  absolutePath(key: string, of: string): string {
    const value = this.values[key];
    if (typeof value === "string" && isAbsolute(value)) return value;
    throw this.fault(key, `the absolute path of ${of}`);
  }

  /** The source from `keyEnv` or `keyFile`; `undefined` if neither is set. */
  keySource(): KeySource | undefined {
    const { keyEnv, keyFile } = this.values;
    if (keyEnv !== undefined && keyFile !== undefined)
      throw this.hiddenFault("keyFile", "is set in addition to keyEnv; keep only one of them");
    if (keyFile !== undefined) {
      // Anything but a path may be the key itself.
      if (typeof keyFile === "string" && isAbsolute(keyFile)) return { file: keyFile };
      throw this.hiddenFault("keyFile", "must be the absolute path of a file that contains only the key");
    }
    if (keyEnv === undefined) return undefined;
    if (typeof keyEnv === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u.test(keyEnv)) return { env: keyEnv };
    throw this.hiddenFault(
      "keyEnv",
      "must be the name of an environment variable (letters, digits and _), not the key itself",
    );
  }

  /** `baseUrl` without a trailing slash. Refuses a user, query or fragment, which may contain a password, and sending a key over `http` to another machine. */
  baseUrl(key: KeySource | undefined): string {
    const value = this.values["baseUrl"];
    const url = typeof value === "string" ? URL.parse(value) : null;
    if (typeof value !== "string" || url === null || !["http:", "https:"].includes(url.protocol))
      // The part before an @ may be a password.
      throw String(value).includes("@")
        ? this.hiddenFault("baseUrl", `must be ${addressAllowed}`)
        : this.fault("baseUrl", addressAllowed);
    if (url.username !== "" || url.password !== "" || /[?#]/u.test(value))
      throw this.hiddenFault(
        "baseUrl",
        `contains a user name, a query or a fragment; it must be ${addressAllowed}, and a key belongs in keyEnv or keyFile`,
      );
    if (url.protocol === "http:" && key !== undefined && !isLoopback(url.hostname))
      throw this.hiddenFault(
        "baseUrl",
        `would send the key over http to ${url.hostname}; use https, or remove keyEnv and keyFile`,
      );
    return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
  }

  fault(key: string, allowed: string): MemoryError {
    const seen = this.values[key];
    const says = seen === undefined ? "is missing" : `is ${shown(JSON.stringify(seen) ?? "no value", 60)}`;
    return this.hiddenFault(key, `${says}; it must be ${allowed}`);
  }

  /** An error without the value, which may be a key or a password. An empty `key` means the object itself. */
  hiddenFault(key: string, says: string): MemoryError {
    const name = [this.name, shown(key, 60)].filter((part) => part !== "").join(".");
    const message = `${name} in your settings ${this.path} ${says}: change it there.`;
    return new MemoryError("invalid_config", message, { path: this.path, key: name });
  }
}

/** Expects a host from `URL`, which expands IPv4 addresses. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d+){3}$/u.test(host);
}

/** A longer file is not a key. */
const mostBytes = 16 * 1024;

/**
 * Reads a key from its source on each call, so changes take effect at once. Errors: `model_refused`, since the model would refuse a request without
 * the key. No error message contains what was read.
 */
export function readKey(source: KeySource): string {
  const isFile = "file" in source;
  // The user may have entered the key in place of the variable's name.
  const named = !isFile && /^[A-Z][A-Z0-9_]{0,63}$/u.test(source.env) ? source.env : "that keyEnv names";
  const where = isFile ? `The key file ${source.file}` : `The environment variable ${named}`;
  const key = (isFile ? textOfKeyFile(source.file, where) : (process.env[source.env] ?? "")).trim();
  const missing = isFile ? "empty; write the model's key into it" : "not set or empty; set it to the model's key";
  if (key === "") throw refused(`${where} is ${missing}.`);
  // A header accepts only printable ASCII; anything else would fail later with a message that may show the key.
  if (/^[!-~]+$/u.test(key)) return key;
  throw refused(`${where} contains more than a key: it must be one line of printable ASCII without spaces.`);
}

function textOfKeyFile(path: string, where: string): string {
  try {
    const stat = statSync(path);
    if (!stat.isFile())
      throw refused(`${where} is not a regular file; keyFile must be a file that contains only the key.`);
    if (stat.size > mostBytes)
      throw refused(`${where} has ${stat.size} bytes, too many for a key; leave only the key in it.`);
    return readFileSync(path, "utf8").replace(/^\uFEFF/u, "");
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const code = systemCodeOf(error) ?? "unknown error";
    throw refused(`${where} cannot be read (${code}); make it readable, or change keyFile in your settings.`);
  }
}

function refused(message: string): MemoryError {
  return new MemoryError("model_refused", message, { requests: 0 });
}
