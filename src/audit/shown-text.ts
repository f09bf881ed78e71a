import { Buffer } from "node:buffer";
import { parseHeading } from "../base/markdown.ts";
import { redact, type Redaction } from "../base/redact/index.ts";
import type { MemoryText, Section } from "./memory-text.ts";

/** A file's text without byte order mark and secrets. What is not UTF-8 is U+FFFD in it: fit to be shown, not to be written. Counted once a file. */
export function redactionOf(bytes: Uint8Array): Redaction {
  const known = redactions.get(bytes);
  if (known !== undefined) return known;
  const redaction = redact(decodeLoosely(bytes));
  redactions.set(bytes, redaction);
  return redaction;
}

/** Bytes as read are values: what was looked through once holds. */
const redactions = new WeakMap<Uint8Array, Redaction>();

/** The text of bytes, U+FFFD where they are not UTF-8, without byte order mark. */
export function decodeLoosely(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The lines of a file as they can be shown: a secret that is known by the lines around it (a private key) is out as well. */
export function shownLines(text: MemoryText): readonly string[] {
  const known = lines.get(text);
  if (known !== undefined) return known;
  const shown = redactionOf(text.bytes).text.split("\n");
  lines.set(text, shown);
  return shown;
}

const lines = new WeakMap<MemoryText, readonly string[]>();

/** A section's heading without secrets, on one line of at most 120 characters; `header` for what stands before the first. */
export function shownHeading(text: MemoryText, section: Section): string {
  if (section.level === 0) return section.heading;
  return oneLine([parseHeading((shownLines(text)[section.from] ?? "").trimEnd())?.text ?? section.heading], 120);
}

/** Lines put together to one without secrets and control characters, spaces folded, cut to `most` characters (code points). */
export function oneLine(texts: readonly string[], most: number): string {
  const flat = texts
    .map((text) => text.slice(0, most * 16).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " "))
    .join(" ")
    .slice(0, most * 64)
    .replaceAll(/ {2,}/gu, " ")
    .trim();
  // Lines that were apart can be a secret together.
  const shown = redact(flat).text;
  return shown.length <= most ? shown : Array.from(shown).slice(0, most).join("").trimEnd();
}
