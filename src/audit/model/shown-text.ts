import { Buffer } from "node:buffer";
import type { MemoryText, Section } from "./memory-text.ts";
import { createFinding, type AuditFinding, type FindingCode } from "./finding.ts";
import { parseHeading } from "../../base/markdown.ts";
import { redact } from "../../text/redact/redact.ts";
import { visibleLine } from "../../text/visible.ts";

/** The text of bytes without byte order mark, U+FFFD where they are not UTF-8: fit to be measured and shown, not to be written. */
export function decodeLoosely(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The lines of a file without secrets, also such as only the lines around them give away (a private key). Counted once a text. */
export function shownLines(text: MemoryText): readonly string[] {
  const known = shownOf.get(text);
  if (known !== undefined) return known;
  const shown = redact(decodeLoosely(text.bytes)).text.split("\n");
  shownOf.set(text, shown);
  return shown;
}

/** A text as read never changes. */
const shownOf = new WeakMap<MemoryText, readonly string[]>();

/** A section's heading without secrets, on one line of at most 120 characters; `header` for what is before the first. */
export function shownHeading(text: MemoryText, section: Section): string {
  if (section.level === 0) return section.heading;
  const line = (shownLines(text)[section.from] ?? "").trimEnd();
  return oneLine([parseHeading(line)?.text ?? line], 120);
}

/** Longer pieces are cut before they are looked at: long enough for any secret. */
const longestPiece = 16 * 1024;

/** Lines put together to one, visible and without secrets, spaces folded, cut to `most` characters (code points). */
export function oneLine(texts: readonly string[], most: number): string {
  const flat = texts
    .filter((text) => text.trim() !== "")
    .slice(0, most)
    .map((text) => text.slice(0, longestPiece).trim())
    .join(" ")
    .slice(0, longestPiece);
  // Lines that were apart can be a secret together.
  const shown = visibleLine(redact(flat).text);
  return shown.length <= most ? shown : Array.from(shown).slice(0, most).join("").trimEnd();
}

const mostShown = 8;

/** Line numbers for a sentence: `3, 7 and 9`; of many the first ones. */
export function listNumbers(numbers: readonly number[]): string {
  if (numbers.length > mostShown)
    return `${numbers.slice(0, mostShown).join(", ")} and ${numbers.length - mostShown} more`;
  return numbers.length < 2 ? numbers.join("") : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

/** A finding about a whole file, from reading or writing it. What the message quotes of others is redacted. */
export function fileFinding(code: FindingCode, path: string, message: string): AuditFinding {
  return createFinding(code, path, redact(message).text);
}
