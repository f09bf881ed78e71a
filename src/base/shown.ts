import { redact } from "./redact/index.ts";

/** The beginning of a text that was given, fit for a message: without secrets. */
export function shown(text: string, most = 40): string {
  return redact(text).text.slice(0, most);
}
