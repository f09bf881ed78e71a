import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { redact } from "../../text/redact/redact.ts";
import { isBlank } from "../model/line-key.ts";
import { readText, type MemoryText } from "../model/memory-text.ts";

/** What a rotated log keeps of itself: a function of its bytes, its path and the path it moved to. */
export function rotationSummary(log: {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly part: string;
}): Uint8Array {
  const text = readText(log);
  const lines = [
    `# ${(log.path.split("/").at(-1) ?? "").replace(/\.md$/u, "")}`,
    "",
    `> This log was moved to ${log.part} by heartwood audit.`,
    `> size: ${log.bytes.length} bytes`,
    `> sha256: ${sha256(log.bytes)}`,
    ">",
    "> It begins:",
    ">",
    ...beginningOf(text).map((line) => `> ${line}`),
  ];
  const firstEnd = log.bytes.indexOf(10);
  const lineEnd = firstEnd > 0 && log.bytes[firstEnd - 1] === 13 ? "\r\n" : "\n";
  const mark = (text.lines[0]?.from ?? 0) > 0 ? "\uFEFF" : "";
  return Buffer.from(`${mark}${lines.join(lineEnd)}${log.bytes.at(-1) === 10 ? lineEnd : ""}`);
}

const previewLines = 10;
const previewCharacters = 200;

/** The first lines that are not blank, without secrets. What is not UTF-8 cannot be shown and is passed over. */
function beginningOf({ lines }: MemoryText): readonly string[] {
  const shown = lines.flatMap((line, index) =>
    line.reading === "not-utf-8" || isBlank(line) || line.text.trim() === "" ? [] : [index],
  );
  const last = shown[previewLines - 1] ?? lines.length - 1;
  // Secrets are known by the lines around them as well: a private key by its last line.
  const redacted = redact(
    lines
      .slice(0, last + redactedBehind)
      .map((line) => line.text)
      .join("\n"),
  ).text.split("\n");
  return shown.slice(0, previewLines).map((index) => cutTo(redacted[index] ?? "", previewCharacters));
}

const redactedBehind = 200;

function cutTo(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join("");
}
