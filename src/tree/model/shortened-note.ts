import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { splitLines, type FileLine } from "../../base/lines.ts";
import { redact } from "../../text/redact/redact.ts";

/** A range of bytes, `[from, to)`. */
export type ByteSpan = readonly [from: number, to: number];

/** The bytes without the ranges. */
export function cutBytes(bytes: Uint8Array, spans: readonly ByteSpan[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [from, to] of spans) {
    pieces.push(bytes.subarray(at, from));
    at = to;
  }
  pieces.push(bytes.subarray(at));
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let put = 0;
  for (const piece of pieces) {
    whole.set(piece, put);
    put += piece.length;
  }
  return whole;
}

/** What a rotated log keeps of itself: a function of its bytes, its path and the path it moved to. */
export function rotationSummary(log: {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly part: string;
}): Uint8Array {
  const mark = log.bytes[0] === 0xef && log.bytes[1] === 0xbb && log.bytes[2] === 0xbf ? "\uFEFF" : "";
  const isEmpty = log.bytes.length === Buffer.byteLength(mark);
  const lines = [
    `# ${(log.path.split("/").at(-1) ?? "").replace(/\.md$/u, "")}`,
    "",
    `> This log was moved to ${log.part} by heartwood audit.`,
    `> size: ${log.bytes.length} bytes`,
    `> sha256: ${sha256(log.bytes)}`,
    ">",
    "> It begins:",
    ">",
    ...beginningOf(isEmpty ? [] : splitLines(log.bytes)).map((line) => `> ${line}`),
  ];
  const firstEnd = log.bytes.indexOf(10);
  const lineEnd = firstEnd > 0 && log.bytes[firstEnd - 1] === 13 ? "\r\n" : "\n";
  return Buffer.from(`${isEmpty ? "" : mark}${lines.join(lineEnd)}${log.bytes.at(-1) === 10 ? lineEnd : ""}`);
}

const previewLines = 10;
const previewCharacters = 200;

/** The first lines that are not blank, without secrets. What is not UTF-8 cannot be shown and is passed over. */
function beginningOf(lines: readonly FileLine[]): readonly string[] {
  const texts = lines.map(({ text }, index) => (index === 0 ? text.replace(/^\uFEFF/u, "") : text));
  const shown = lines.flatMap(({ encoding }, index) =>
    encoding === "not-utf-8" || texts[index]?.trim() === "" ? [] : [index],
  );
  const last = shown[previewLines - 1] ?? lines.length - 1;
  // Secrets are known by the lines around them as well: a private key by its last line.
  const redacted = redact(texts.slice(0, last + redactedBehind).join("\n")).text.split("\n");
  return shown.slice(0, previewLines).map((index) => cutTo(redacted[index] ?? "", previewCharacters));
}

const redactedBehind = 200;

function cutTo(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join("");
}
