import { readFileSync, statSync } from "node:fs";
import { MemoryError } from "../../base/errors.ts";
import type { KeySource } from "./section.ts";

/** A longer file is no key. */
const mostBytes = 16 * 1024;

/**
 * Reads a key, each time anew, so that a changed one counts at once. Errors: `model_refused`, since without it the model does not take the request;
 * what was read stands in no message.
 */
export function readKey(source: KeySource): string {
  return "env" in source ? keyFromEnvironment(source.env) : keyFromFile(source.file);
}

function keyFromEnvironment(name: string): string {
  const key = process.env[name]?.trim() ?? "";
  // A person may have written the key where its name belongs.
  const named = /^[A-Z][A-Z0-9_]{0,63}$/u.test(name) ? name : "that keyEnv names";
  if (key === "")
    throw refused(`The environment variable ${named} is not set or empty; put the key of the model there.`);
  return checked(key, `The environment variable ${named}`);
}

function keyFromFile(path: string): string {
  const says = `The key file ${path}`;
  let text: string;
  try {
    const { size, isFile } = lookAt(path);
    if (!isFile) throw refused(`${says} is no regular file; let keyFile name one that holds the key alone.`);
    if (size > mostBytes)
      throw refused(`${says} has ${size} bytes, which is too much for a key; let it hold the key alone.`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw refused(`${says} cannot be read (${code}); make it readable, or change keyFile in your settings.`);
  }
  const key = text.replace(/^\uFEFF/u, "").trim();
  if (key === "") throw refused(`${says} is empty; write the key of the model into it.`);
  return checked(key, says);
}

function lookAt(path: string): { readonly size: number; readonly isFile: boolean } {
  const stat = statSync(path);
  return { size: stat.size, isFile: stat.isFile() };
}

/** A header takes printable ASCII; anything else would fail later, with a message that may tell the key. */
function checked(key: string, says: string): string {
  if (/^[!-~]+$/u.test(key)) return key;
  throw refused(`${says} holds more than a key: it must be one line of printable ASCII without spaces.`);
}

function refused(message: string): MemoryError {
  return new MemoryError("model_refused", message, { requests: 0 });
}
