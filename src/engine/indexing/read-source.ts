import { Buffer, isUtf8 } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { longestLineBytes, splitLines } from "../../base/lines.ts";
import { redact } from "../../base/redact/index.ts";
import type { Files } from "../../ports/files.ts";
import { cutDocument } from "../../recall/passages/cut-document.ts";
import type { Memory } from "../memory.ts";
import { indexedSection } from "./indexed-section.ts";
import { readThreadPart } from "./read-thread.ts";
import type { SourceRead } from "./source-read.ts";
import type { Source } from "./sources.ts";

/** Bytes of one file that are indexed: a longer one is no notes, and all of it would have to be held. */
const mostBytes = 64 * 1024 * 1024;

/** Reads one source, redacts it as a whole and cuts it. Errors: those of reading. */
export async function readSource(
  from: { readonly memory: Memory; readonly files: Files },
  source: Source,
  known: string | undefined,
): Promise<SourceRead> {
  if ("thread" in source.read) return readThreadPart(from.memory, source, source.read);
  const read = await from.files.read(source.read.path, { from: 0, to: mostBytes });
  if (read === undefined) return { is: "gone" };
  const digest = sha256(read.bytes, ` ${read.size}`);
  if (digest === known) return { is: "unchanged", stamp: read.stamp };
  const sections = cutDocument(redactedLines(read.bytes)).map((section) =>
    indexedSection(section, dayOf(from.memory, source)),
  );
  const { kind, level, to } = source;
  return {
    is: "read",
    content: { kind, level, from: source.from, to, stamp: read.stamp, digest, sections },
    cut: read.size > mostBytes ? "beginning" : "whole",
  };
}

/** The lines of a file, redacted as a whole: no line is added or removed. */
function redactedLines(bytes: Uint8Array): readonly string[] {
  return redact(textOf(bytes)).text.split("\n");
}

const carriageReturn = 13;

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = isUtf8(buffer) && !buffer.includes(carriageReturn) ? buffer.toString("utf8") : undefined;
  if (text === undefined || hasHugeLine(text))
    return withoutMark(
      splitLines(bytes)
        .map((line) => line.text)
        .join("\n"),
    );
  return withoutMark(text.endsWith("\n") ? text.slice(0, -1) : text);
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function hasHugeLine(text: string): boolean {
  for (let from = 0; text.length - from > longestLineBytes / 4;) {
    const end = text.lastIndexOf("\n", from + longestLineBytes / 4);
    if (end < from) return true;
    from = end + 1;
  }
  return false;
}

/** A node that covers days to come tells of today at the latest. */
function dayOf(memory: Memory, { to }: Source): string {
  const today = memory.clock.today();
  return to > today ? today : to;
}
