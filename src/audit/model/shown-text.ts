import { Buffer } from "node:buffer";
import type { MemoryText, Section } from "./memory-text.ts";
import { createFinding, type AuditFinding, type FindingCode } from "./finding.ts";
import { parseHeading } from "../../base/markdown.ts";
import { redact, type SecretFound } from "../../text/redact/redact.ts";
import { visibleLine } from "../../text/visible.ts";

/** Decodes bytes without the byte order mark, with U+FFFD where they are not UTF-8. For measuring and showing, not for writing. */
export function decodeLoosely(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The redacted lines in a file. Redacting the whole file also finds secrets of several lines, such as private keys. Cached per text. */
export function shownLines(text: MemoryText): readonly string[] {
  const known = shownOf.get(text);
  if (known !== undefined) return known;
  const redacted = redact(decodeLoosely(text.bytes));
  const shown = redacted.text.split("\n");
  shownOf.set(text, shown);
  secretsOf.set(text.bytes, redacted.found);
  return shown;
}

/** Safe to cache: a `MemoryText` never changes. */
const shownOf = new WeakMap<MemoryText, readonly string[]>();
/** The secrets of files whose lines were shown, by their bytes. */
const secretsOf = new WeakMap<Uint8Array, readonly SecretFound[]>();

/** The secrets in a file. */
export function secretsIn(bytes: Uint8Array): readonly SecretFound[] {
  return secretsOf.get(bytes) ?? redact(decodeLoosely(bytes)).found;
}

/** A section's redacted heading, on one line of at most 120 characters; `header` for lines before the first heading. */
export function shownHeading(text: MemoryText, section: Section): string {
  if (section.level === 0) return section.heading;
  const line = (shownLines(text)[section.from] ?? "").trimEnd();
  return oneLine([parseHeading(line)?.text ?? line], 120);
}

/** Longer pieces are cut before redaction. The limit is long enough for any secret. */
const longestPiece = 16 * 1024;

/** Joins lines into one: redacted, with hidden characters made visible, cut to `most` characters (code points). */
export function oneLine(texts: readonly string[], most: number): string {
  const flat = texts
    .filter((text) => text.trim() !== "")
    .slice(0, most)
    .map((text) => text.slice(0, longestPiece).trim())
    .join(" ")
    .slice(0, longestPiece);
  // Lines joined together may form a secret.
  const shown = visibleLine(redact(flat).text);
  return shown.length <= most ? shown : Array.from(shown).slice(0, most).join("").trimEnd();
}

const mostShown = 8;

/** Line numbers for a sentence: `3, 7 and 9`. Only the first few of a long list are named. */
export function listNumbers(numbers: readonly number[]): string {
  if (numbers.length > mostShown)
    return `${numbers.slice(0, mostShown).join(", ")} and ${numbers.length - mostShown} more`;
  return numbers.length < 2 ? numbers.join("") : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

/** A finding about a whole file, from reading or writing it. The message is redacted, because it may quote other text. */
export function fileFinding(code: FindingCode, path: string, message: string): AuditFinding {
  return createFinding(code, path, redact(message).text);
}
