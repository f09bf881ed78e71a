import { isMarked, type SourceLine } from "../rank/speakers.ts";
import { parseEntryComment, type Origin, parseHeadingTopic, type MemoryType } from "../../base/memory-type.ts";
import type { Role } from "../../base/summary-line.ts";
import type { SourceLine as LogLine } from "../../base/passage.ts";
import { ownKeys } from "../../tree/model/node-format.ts";
import { SectionCutter } from "../../tree/model/section-cutter.ts";
import { readFrontMatter } from "../../base/front-matter.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";
import { partsOf } from "../../text/words/names-and-numbers.ts";
import { statementsOf } from "../rank/statements.ts";

/** A heading of level 1 or 2 and the lines below it. */
export interface IndexedSection {
  readonly heading: string;
  readonly type: MemoryType;
  /** Empty if not recorded. */
  readonly origin: Origin | "";
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  /** First and last line. All lines of its chunks and statements are in this range. */
  readonly lines: readonly [number, number];
  readonly chunks: readonly IndexedText[];
  readonly statements: readonly IndexedText[];
  /** Digest of everything its chunks and statements were made from; empty if not needed. */
  readonly digest: string;
}

export interface IndexedText {
  readonly lines: readonly [number, number];
  readonly text: string;
  /** For a chunk: extra words that find it (pairs of CJK letters, parts of identifiers), separated by spaces. */
  readonly parts: string;
  /** For a statement: how distinctive it is, 0 to 1. 0 for a chunk. */
  readonly weight: number;
}

export type SourceKind = "raw" | "node" | "knowledge" | "memory" | "thread";
export type SourceLevel = "raw" | "daily" | "weekly" | "monthly" | "root" | "none";

/** A chunk or a statement as stored in an index. */
export interface StoredRow
  extends Pick<IndexedSection, "heading" | "type" | "origin" | "day">, Pick<IndexedText, "lines" | "text" | "weight"> {
  readonly id: number;
  readonly section: number;
  readonly source: string;
  readonly kind: SourceKind;
  readonly level: SourceLevel;
  readonly sectionLines: readonly [number, number];
}

/** A section before it is cut into chunks and statements. */
export interface WholeSection {
  /** The text of its heading line; empty before the first heading. */
  readonly heading: string;
  /** From the comment right below its heading; empty without one. */
  readonly origin: Origin | "";
  /** Without blank lines at the beginning and end. */
  readonly lines: readonly SourceLine[];
  /** Default: the type in its heading. */
  readonly type?: MemoryType;
  /** The day that the section itself names. Default: the day of its source. */
  readonly day?: string;
}

/** The sections of a redacted Markdown document: one per heading of level 1 or 2 outside fences. Front matter keeps only keys that people write. Linear time. */
export function sectionsIn(texts: readonly string[]): readonly WholeSection[] {
  const front = readFrontMatter(texts);
  const skipped = front?.state === "read" ? front.front.lines : 0;
  const rest = texts.slice(skipped);
  const kinds = scanLines(rest).lines;
  const sections: WholeSection[] = [];
  let heading = "";
  let origin: WholeSection["origin"] = "";
  let lines: SourceLine[] = personalFrontMatter(texts.slice(0, skipped));
  const flush = (): void => {
    if (lines.some(({ text }) => text !== "")) sections.push({ heading, origin, lines: withoutBlankEnds(lines) });
    lines = [];
  };
  flush();
  const rows = rest.map((text, index): LogLine => ({ number: index, text, kind: kinds[index]?.kind ?? "text" }));
  // Lines where text starts that follows an entry but is not part of it; the tree cuts logs the same way.
  const notes = new Set(
    new SectionCutter("")
      .cut(rows)
      .filter((section) => section.heading === "" && section.lines[0]?.kind !== "heading")
      .map((section) => section.lines[0]?.number ?? 0),
  );
  rest.forEach((text, index) => {
    const kind = kinds[index];
    if (notes.has(index)) {
      flush();
      [heading, origin] = ["", ""];
    }
    if (kind?.kind === "heading" && kind.level <= 2) {
      flush();
      heading = parseHeading(text)?.text ?? "";
      origin = parseEntryComment(rest[index + 1] ?? "")?.origin ?? "";
    }
    if (parseEntryComment(text) !== undefined || kind?.kind === "mark") return;
    lines.push({ number: 1 + skipped + index, text: text.trim() === "" ? "" : text });
  });
  flush();
  return sections;
}

/** Cuts a section into chunks and statements. Deterministic; linear time. */
export function cutSection({ heading, origin, lines, type }: WholeSection) {
  const topic = parseHeadingTopic(heading.replace(/^\\/u, ""));
  return { heading: topic.name, type: type ?? topic.type, origin, ...cutLines(lines) };
}

function cutLines(
  lines: readonly SourceLine[],
  answers?: "none",
): Pick<IndexedSection, "lines" | "chunks" | "statements"> {
  return {
    lines: [lines[0]?.number ?? 1, lines.at(-1)?.number ?? 1],
    chunks: chunksOf(lines).map((chunk) => ({ ...chunk, parts: partsOf(chunk.text), weight: 0 })),
    statements: statementsOf(lines, answers).map(({ line, ...told }) => ({ lines: [line, line], ...told, parts: "" })),
  };
}

export function withoutBlankEnds(lines: readonly SourceLine[]): readonly SourceLine[] {
  const from = lines.findIndex(({ text }) => text !== "");
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex(({ text }) => text !== "") + 1);
}

/** A message of a thread, redacted. */
export interface Message {
  readonly seq: number;
  /** The local calendar day of the message. */
  readonly day: string;
  readonly role: Role;
  readonly text: string;
}

/** Once a run of messages is longer than this many characters, the next message starts a new run. */
const longestRun = 12_000;

/**
 * Groups the messages in a thread into sections, each within one day. The line numbers of these sections are seqs. Only what people said gives statements: an answer in a captured
 * conversation may repeat any text that the model has read.
 */
export function cutMessages(messages: readonly Message[], heading: string): readonly IndexedSection[] {
  const runs: Message[][] = [];
  let length = 0;
  for (const message of messages) {
    const run = runs.at(-1);
    const isNew = run?.[0]?.day !== message.day || length > longestRun;
    if (isNew) runs.push([message]);
    else run.push(message);
    length = message.text.length + (isNew ? 0 : length);
  }
  return runs.map((run) => sectionOf(run, heading));
}

function sectionOf(run: readonly Message[], heading: string): IndexedSection {
  const lines = run.flatMap(({ seq, role, text }): readonly SourceLine[] =>
    text.split(/\r?\n/u).map((line, index) => {
      // What a model quotes must not become what the user said.
      const quoted = role !== "user" && isMarked(line) ? ` ${line}` : line;
      const told = index === 0 ? `${role.charAt(0).toUpperCase()}${role.slice(1)}: ${line}` : quoted;
      return { number: seq, text: told.trim() === "" ? "" : told };
    }),
  );
  return { heading, type: "project", origin: "", day: run[0]?.day ?? "", ...cutLines(lines, "none"), digest: "" };
}

/** Front matter keys that only heartwood reads. */
const machineKeys: ReadonlySet<string> = new Set([...ownKeys, "answer", "model", "last-updated"]);

const key = /^["']?([^\s#"'][^:]*?)["']?\s*:/u;

/** The front matter lines under keys that people write. */
function personalFrontMatter(lines: readonly string[]): SourceLine[] {
  const told: SourceLine[] = [];
  let isOwn = true;
  lines.forEach((text, index) => {
    if (text.trimEnd() === "---") return;
    const found = /^\S/u.test(text) ? key.exec(text)?.[1] : undefined;
    if (found !== undefined) isOwn = found !== "topics" && machineKeys.has(found);
    if (!isOwn && text.trim() !== "") told.push({ number: index + 1, text });
  });
  return told;
}

/** Target size of a chunk in characters, and the size from which a blank line ends it. */
const wanted = 800;
const enough = 480;
/** A line longer than this, in characters, is cut on its own. */
const longestLine = 1000;

/** Cuts a section into chunks: runs of lines of about 800 characters that end at blank lines if possible. Linear time. */
export function chunksOf(lines: readonly SourceLine[]): readonly Pick<IndexedText, "lines" | "text">[] {
  const chunks: Pick<IndexedText, "lines" | "text">[] = [];
  let run: SourceLine[] = [];
  let size = 0;
  const take = (line: SourceLine): void => {
    run.push(line);
    size += line.text.length + 1;
  };
  const flush = (): void => {
    const own = withoutBlankEnds(run);
    const [first, last] = [own[0], own.at(-1)];
    if (first !== undefined && last !== undefined)
      chunks.push({ lines: [first.number, last.number], text: own.map(({ text }) => text).join("\n") });
    [run, size] = [[], 0];
  };
  for (const line of lines) {
    const { number, text } = line;
    if (text.trim() === "") {
      if (size >= enough) flush();
      else if (run.length > 0) take({ number, text: "" });
      continue;
    }
    if (size + text.length > wanted && size > 0) flush();
    if (text.length <= longestLine) take(line);
    else for (const part of sentenceParts(text, wanted)) chunks.push({ lines: [number, number], text: part });
  }
  flush();
  return chunks;
}

/** Sentence ends in all scripts. */
const sentenceEnd = /[.!?…]["'”’)\]]*(?=\s)|[。！？]["'”’」』）)]*/gu;

/** Cuts a long line into pieces of about `most` characters or less: after sentences, else at spaces, else between characters. Only white space is lost. */
export function sentenceParts(text: string, most: number): readonly string[] {
  const ends = [...text.matchAll(sentenceEnd)].map((match) => match.index + match[0].length);
  const parts: string[] = [];
  let next = 0;
  for (let from = 0; from < text.length;) {
    let to = text.length;
    if (to - from > most) {
      while ((ends[next] ?? Number.POSITIVE_INFINITY) <= from + most / 4) next += 1;
      let end = 0;
      for (; (ends[next] ?? Number.POSITIVE_INFINITY) <= from + most; next++) end = ends[next] ?? 0;
      to = end > 0 ? end : placeAtSpace(text, from, from + most);
    }
    const part = text.slice(from, to).trim();
    if (part !== "") parts.push(part);
    from = to;
  }
  return parts;
}

function placeAtSpace(text: string, from: number, to: number): number {
  const space = text.slice(from, to).lastIndexOf(" ");
  if (space > (to - from) / 2) return from + space;
  const code = text.charCodeAt(to);
  // Never between the two halves of a surrogate pair.
  return code >= 0xdc00 && code <= 0xdfff ? to + 1 : to;
}

/** What the vector of a statement is made of. */
export interface StatementContext {
  /** The statements of its line, up to `longestContext` characters, below the topic of its heading. */
  readonly line: string;
  /** The same with lines before and after it, up to `longestAround` characters in all. */
  readonly around: string;
}

/** Characters; chosen on dialogues and on notes with questions in other words (docs/decisions/0015-recall.md). */
const [longestContext, longestAround] = [400, 300];

/** The contexts of the statements of one section, in order. Linear time. */
export function contextsOf(
  heading: string,
  statements: readonly Pick<IndexedText, "lines" | "text">[],
): readonly StatementContext[] {
  const topic = parseHeadingTopic(heading.replace(timeOfHeading, "")).name;
  const title = topic === "" ? "" : `${topic}: `;
  const lines: { text: string; readonly number: number; readonly of: number[] }[] = [];
  for (const [at, { lines: place, text }] of statements.entries()) {
    const last = lines.at(-1);
    if (last?.number === place[0] && last.text.length + text.length <= longestContext) {
      last.text += ` ${text}`;
      last.of.push(at);
    } else lines.push({ text, number: place[0], of: [at] });
  }
  const contexts: StatementContext[] = [];
  for (let from = 0; from < lines.length;) {
    let [to, size] = [from, 0];
    while (to < lines.length && (to === from || size + (lines[to]?.text.length ?? 0) <= longestAround)) {
      size += lines[to]?.text.length ?? 0;
      to += 1;
    }
    const window = lines.slice(from, to);
    const around = title + window.map(({ text }) => text).join("\n");
    for (const { text, of } of window) for (const at of of) contexts[at] = { line: title + text, around };
    from = to;
  }
  return contexts;
}

/** `09:14 Login`: the time says nothing about the topic. */
const timeOfHeading = /^\d{1,2}:\d\d(?::\d\d)?\s*/u;
