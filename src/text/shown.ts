import { redact } from "./redact/index.ts";
import { visibleLine } from "./visible.ts";

/** The beginning of a foreign text as one line for a message: visible, without secrets, at most `most` characters. */
export function shown(text: string, most = 40): string {
  // Redacted before it is cut: half a secret is not seen to be one. Characters and not units, so that none is cut in half.
  const characters = Array.from(visibleLine(redact(text).text));
  return characters.length <= most ? characters.join("") : `${characters.slice(0, most).join("")}…`;
}
