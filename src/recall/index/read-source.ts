import { Buffer, isUtf8 } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { longestLineBytes, splitLines, type FileLine } from "../../base/lines.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import type { Files } from "../../platform/files.ts";
import type { IndexedSection } from "./search-index.ts";
import { cutSection, sectionsIn, type WholeSection } from "../passages/cut-document.ts";
import { clearedText } from "../../tree/compose/cleared.ts";
import { parseNode } from "../../tree/model/node-format.ts";
import { ownDays, parseNodeFile } from "../../tree/model/period.ts";
import type { RecallMemory } from "../memory.ts";
import { indexedSection } from "./indexed-section.ts";
import { linesAt, nothingLeftOut, type LeftOut } from "./left-out.ts";
import { readThreadPart } from "./read-thread.ts";
import type { SourceRead } from "./source-read.ts";
import type { Source } from "./sources.ts";

/** Bytes of one file that are indexed: a longer one is no notes, and all of it would have to be held. */
const mostBytes = 64 * 1024 * 1024;

/** What is known of a source from before. */
export interface KnownSource {
  /** Of its bytes. */
  readonly digest: string | undefined;
  /** What was indexed of it, by the same rules: a section that is the same is not cut again, which takes most of the time. */
  readonly sections: () => Promise<readonly IndexedSection[]>;
}

/** Reads one source, redacts it as a whole and cuts it. Errors: those of reading. */
export async function readSource(
  from: { readonly memory: RecallMemory; readonly files: Files; readonly secrets: SecretValues },
  source: Source,
  known: KnownSource,
): Promise<SourceRead> {
  if ("thread" in source.read) return readThreadPart(from, source, source.read);
  const read = await from.files.read(source.read.path, { from: 0, to: mostBytes });
  if (read === undefined) return { is: "gone" };
  const digest = sha256(read.bytes, ` ${read.size}`);
  if (digest === known.digest) return { is: "unchanged", stamp: read.stamp };
  const isCut = read.size > mostBytes;
  const { text, left } = textOf(isCut ? wholeLinesOf(read.bytes) : read.bytes);
  // Redacted as a whole: no line is added or removed.
  const lines = clearedText(text, from.secrets).split("\n");
  const before = new Map((await known.sections()).map((section) => [section.digest, section]));
  const days = daysOf(source, text);
  const day = dayOf(from.memory, days);
  const sections = sectionsIn(lines).map((section): IndexedSection => {
    const own = digestOf(section);
    const same = before.get(own);
    return same === undefined ? indexedSection(cutSection(section), day, own) : { ...same, day };
  });
  const { kind, level } = source;
  return {
    is: "read",
    content: { kind, level, ...days, stamp: read.stamp, digest, sections },
    left: isCut ? { ...left, end: lines.length } : left,
  };
}

function digestOf({ heading, origin, lines }: WholeSection): string {
  return sha256([heading, origin, ...lines.map(({ number, text }) => `${number} ${text}`)].join("\n"));
}

/** Of half a line nobody knows whether it ends in half a secret. Of a single huge one only the beginning is looked at anyway. */
function wholeLinesOf(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(lineFeed);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

const lineFeed = 10;
const carriageReturn = 13;

interface SourceText {
  readonly text: string;
  readonly left: LeftOut;
}

function textOf(bytes: Uint8Array): SourceText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = isUtf8(buffer) && !buffer.includes(carriageReturn) ? buffer.toString("utf8") : undefined;
  if (text === undefined || hasHugeLine(text)) {
    const lines = splitLines(bytes);
    return { text: withoutMark(lines.map((line) => line.text).join("\n")), left: leftOutOf(lines) };
  }
  return { text: withoutMark(text.endsWith("\n") ? text.slice(0, -1) : text), left: nothingLeftOut };
}

function leftOutOf(lines: readonly FileLine[]): LeftOut {
  const numbersOf = (isLeft: (line: FileLine) => boolean): readonly number[] =>
    lines.flatMap((line, at) => (isLeft(line) ? [at + 1] : []));
  return {
    ...nothingLeftOut,
    foreign: linesAt(numbersOf(({ encoding }) => encoding === "not-utf-8")),
    long: linesAt(numbersOf(({ reading }) => reading === "beginning")),
  };
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

/** A node that heartwood did not make has no weeks, so it is of its calendar month. */
function daysOf({ key, from, to, level }: Source, text: string): Days {
  const name = level === "monthly" ? parseNodeFile(level, key.slice(key.lastIndexOf("/") + 1)) : undefined;
  if (name === undefined || parseNode(name, text).state !== "unknown") return { from, to };
  const { first, last } = ownDays(name.level, name.period);
  return { from: first, to: last };
}

type Days = Pick<Source, "from" | "to">;

/** A node that covers days to come tells of today at the latest. */
function dayOf(memory: RecallMemory, { to }: Days): string {
  const today = memory.clock.today();
  return to > today ? today : to;
}
