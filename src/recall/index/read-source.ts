import { sha256 } from "../../base/digest.ts";
import { splitLines, type FileLine } from "../../base/lines.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import type { Files } from "../../platform/files.ts";
import type { IndexedSection, SourceContent } from "./search-index.ts";
import { cutSection, sectionsIn, cutMessages, type WholeSection, type Message } from "../passages/sections.ts";
import { sectionsOfProfile } from "../passages/profile.ts";
import { clearedText } from "../../tree/compose/secrets.ts";
import { parseNode } from "../../tree/model/node-format.ts";
import { ownDays, parseNodeFile } from "../../tree/model/period.ts";
import type { RecallMemory, ThreadSize } from "../memory.ts";
import type { Source } from "./sources.ts";
import { localDay } from "../../base/calendar.ts";
import type { Warning } from "../../base/errors.ts";

/** At most this many bytes of a file are indexed, because they are all in memory at once. */
const mostBytes = 64 * 1024 * 1024;

interface KnownSource {
  /** Digest of the bytes that were indexed. */
  readonly digest: string | undefined;
  /** Sections indexed by the same rules. Unchanged ones are reused, because cutting takes most of the time. */
  readonly sections: () => Promise<readonly IndexedSection[]>;
}

/** Reads a source, redacts it as a whole and cuts it into sections. Errors: any from reading the source. */
export async function readSource(
  from: { readonly memory: RecallMemory; readonly files: Files; readonly secrets: SecretValues },
  source: Source,
  known: KnownSource,
): Promise<SourceRead> {
  if (source.part !== undefined) return readThreadPart(from, source, source.part);
  const read = await from.files.read(source.key, { from: 0, to: mostBytes });
  if (read === undefined) return { is: "gone" };
  const digest = sha256(read.bytes, ` ${read.size}`);
  if (digest === known.digest) return { is: "unchanged", stamp: read.stamp };
  const isCut = read.size > mostBytes;
  // A partial line could end in half a secret, so the text is cut at the last line end. `splitLines` cuts a single huge line.
  const end = isCut ? read.bytes.lastIndexOf(10) + 1 : 0;
  const { text, left } = textOf(end > 0 ? read.bytes.subarray(0, end) : read.bytes, source.key);
  // Redaction does not add or remove lines.
  const lines = clearedText(text, from.secrets).split("\n");
  const before = new Map((await known.sections()).map((section) => [section.digest, section]));
  const days = daysOf(source, text);
  const day = dayOf(from.memory, days);
  const isProfile = source.kind === "memory";
  const whole = isProfile ? sectionsOfProfile(lines, from.memory.clock.today()) : sectionsIn(lines);
  const sections = whole.map((section): IndexedSection => {
    const own = digestOf(section);
    const same = before.get(own);
    const said = section.day ?? day;
    return same === undefined ? { ...cutSection(section), day: said, digest: own } : { ...same, day: said };
  });
  const { kind, level } = source;
  return {
    is: "read",
    content: { kind, level, ...days, stamp: read.stamp, digest, sections },
    left: isCut ? [...left, sourceCut(source.key, lines.length)] : left,
  };
}

function digestOf({ heading, origin, type, lines }: WholeSection): string {
  return sha256(
    [heading, [origin, type].join(" ").trim(), ...lines.map(({ number, text }) => `${number} ${text}`)].join("\n"),
  );
}

/** The text of a file, and warnings about what is not indexed. */
function textOf(bytes: Uint8Array, path: string): { readonly text: string; readonly left: readonly Warning[] } {
  const lines = splitLines(bytes);
  const left = [
    ...linesLeft("not_utf8", path, lines, ({ encoding }) => encoding === "not-utf-8"),
    ...linesLeft("line_cut", path, lines, ({ reading }) => reading === "beginning"),
  ];
  const text = lines.map((line) => line.text).join("\n");
  return { text: text.replace(/^\uFEFF/u, ""), left };
}

function linesLeft(
  code: keyof typeof reasons,
  path: string,
  lines: readonly FileLine[],
  isLeft: (line: FileLine) => boolean,
): readonly Warning[] {
  const line = lines.findIndex(isLeft) + 1;
  if (line === 0) return [];
  const count = lines.filter(isLeft).length;
  const which = count === 1 ? `line ${line} of ${path} is` : `${count} lines of ${path} (first: line ${line}) are`;
  return [{ code, path, line, message: `${which} ${reasons[code]}` }];
}

function sourceCut(path: string, line: number): Warning {
  return { code: "source_cut", path, line, message: `${path} is longer than 64 MiB; it is indexed up to line ${line}` };
}

const reasons = {
  not_utf8: "not UTF-8 and cannot be searched; save the file as UTF-8",
  line_cut: "longer than 64 KiB; only the beginning is indexed",
} as const;

/** The days a source covers. A month node not made by heartwood covers its calendar month instead of whole weeks. */
function daysOf({ key, from, to, level }: Source, text: string): Days {
  const name = level === "monthly" ? parseNodeFile(level, key.slice(key.lastIndexOf("/") + 1)) : undefined;
  if (name === undefined || parseNode(name, text).state !== "unknown") return { from, to };
  const { first, last } = ownDays(name.level, name.period);
  return { from: first, to: last };
}

type Days = Pick<Source, "from" | "to">;

/** The last day a source covers, or today if that is in the future. */
function dayOf(memory: RecallMemory, { to }: Days): string {
  const today = memory.clock.today();
  return to > today ? today : to;
}

/** Reads the messages of one part of a thread. Errors: any from the store. */
async function readThreadPart(
  { memory, secrets }: { readonly memory: RecallMemory; readonly secrets: SecretValues },
  source: Source,
  part: { readonly thread: ThreadSize; readonly seqs: readonly [number, number] },
): Promise<SourceRead> {
  const { thread, seqs } = part;
  const read = await memory.threadReader.messages(thread.thread_id, seqs);
  const messages = read.map(({ seq, time_ms, role, content }): Message => {
    return { seq, day: localDay(time_ms, memory.clock.zone), role, text: clearedText(content, secrets) };
  });
  const heading = thread.title === null ? "" : clearedText(thread.title, secrets);
  const sections = cutMessages(messages, heading);
  const days = messages.map(({ day }) => day).toSorted();
  return {
    is: "read",
    left: [],
    content: {
      name: `thread:${thread.thread_id}`,
      kind: "thread",
      level: "none",
      from: days[0] ?? "",
      to: days.at(-1) ?? "",
      stamp: source.stamp,
      digest: sha256(JSON.stringify(read)),
      sections,
    },
  };
}

/** A source as read. `unchanged`: its bytes are already indexed; `left`: warnings about what is not indexed. */
type SourceRead =
  | { readonly is: "gone" }
  | { readonly is: "unchanged"; readonly stamp: string }
  | { readonly is: "read"; readonly content: SourceContent; readonly left: readonly Warning[] };
