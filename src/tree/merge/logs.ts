import { Buffer } from "node:buffer";
import { sha256, shortDigest } from "../../base/digest.ts";
import { compareTexts } from "../../base/lists.ts";
import { scanLines } from "../../base/markdown.ts";
import { parseEntryComment, printEntryComment, type EntryComment } from "../../base/memory-type.ts";
import { shortestNeedle, wordsOfLine } from "../../text/folded.ts";
import { rotatedMark } from "../model/moved-format.ts";
import { forgottenNothing, type Forgotten } from "../model/records-format.ts";
import { choose, mergeLines, mergeLists, mergeUnited, type Versions } from "./sequences.ts";

/** Three versions of a file; `undefined`: it does not exist. */
export type FileVersions = Versions<Uint8Array | undefined>;

/**
 * Merges a raw log, entry by entry: what a side added stays, what one side removed and the other left alone is gone, and
 * of an entry that both changed, the lines of both stay. An entry occurs once. Entries that were added in the same place
 * are in the order of their time; other sections stay below the entry that they were written after. The same whichever
 * side is called ours. `forgotten`: entries to leave out, and lines that only one side has.
 */
export function mergeLogs({ base, ours, theirs }: FileVersions, forgotten: Forgotten = forgottenNothing): Uint8Array {
  const root = readLog(base);
  const [one, other] = [withKeysOf(root, readLog(ours)), withKeysOf(root, readLog(theirs))];
  const isGone = goneFrom({ base: root, ours: one, theirs: other }, forgotten);
  const kept = new Map<string, Section>();
  for (const key of new Set([...root.byKey.keys(), ...one.byKey.keys(), ...other.byKey.keys()])) {
    const [was, left, right] = [root, one, other].map(({ byKey }) => byKey.get(key));
    const section = sectionOf({ base: was, ours: left, theirs: right });
    const whole = section !== undefined && (section.id === "" || !forgotten.ids.has(section.id)) ? section : undefined;
    const rest = whole && withoutLines(whole, (line) => isGone(line, key));
    if (rest !== undefined) kept.set(key, rest);
  }
  // A side removed the whole log, because everything in it was forgotten; what the other side added needs its title.
  const title = titleOf(ours === undefined ? other : theirs === undefined ? one : undefined);
  if (title !== undefined && kept.size > 0 && !kept.has(title.key)) kept.set(title.key, title);
  const keys = ({ byKey }: Log): readonly string[] => [...byKey.keys()].filter((key) => kept.has(key));
  const order = mergeLists(
    { base: keys(root), ours: keys(one), theirs: keys(other) },
    (left, right) => joined(left, right, kept),
    (key, side) => !(side === "ours" ? one : other).byKey.has(key),
  );
  const mark = chosen({ base: root.mark, ours: one.mark, theirs: other.mark });
  const tail = chosen({ base: root.tail, ours: one.tail, theirs: other.tail });
  return Buffer.from(mark + printed([...new Set(order)].flatMap((key) => kept.get(key) ?? [])) + tail, "latin1");
}

/**
 * Whether an audit may have moved to the archive on one side what the other changed or removed, so that the notes cannot be
 * merged without it. Rotation leaves its mark; a cut only takes lines, and not from comments, which forgetting counts again.
 */
export function isPerhapsMoved({ base, ours, theirs }: FileVersions, forgotten: Forgotten): boolean {
  const root = readLog(base);
  const [one, other] = [withKeysOf(root, readLog(ours)), withKeysOf(root, readLog(theirs))];
  const isRotated = ({ byKey }: Log): boolean => byKey.get("beginning")?.plain.includes(`\n${rotatedMark}`) === true;
  const sections = [...root.byKey.values()];
  const of = (log: Log, { key }: Section): string | undefined => log.byKey.get(key)?.plain;
  const isGone = (log: Log, was: Section): boolean => of(log, was) === undefined && !forgotten.ids.has(was.id);
  const isMoved = (moving: Log, changing: Log): boolean => {
    if (isRotated(moving) && !isRotated(root) && !isRotated(changing))
      return sections.some((was) => of(changing, was) !== was.plain);
    const isChanged = (was: Section): boolean => {
      const now = of(changing, was);
      return now !== was.plain && now !== of(moving, was) && (now !== undefined || isGone(changing, was));
    };
    return sections.some((was) => isGone(moving, was) || isCut(was, of(moving, was))) && sections.some(isChanged);
  };
  return isMoved(one, other) || isMoved(other, one);
}

/** Whether a text is that of a section without some of its lines. */
function isCut({ plain }: Section, now = plain): boolean {
  const [lines, left] = [plain.split("\n"), now.split("\n")];
  let at = 0;
  for (const line of lines) if (line === left[at]) at += 1;
  return at === left.length && left.length < lines.length;
}

/** Removes conflict markers from a log and keeps the entries of both sides, each once. */
export function mergeConflicts(bytes: Uint8Array, forgotten: Forgotten = forgottenNothing): Uint8Array {
  const lines = rawLines(textOf(bytes));
  const { conflicts } = scanLines(lines.map(withoutEnd));
  const sides = { base: [] as string[], ours: [] as string[], theirs: [] as string[] };
  let from = 0;
  for (const [first, last] of conflicts) {
    for (const side of Object.values(sides)) side.push(lines.slice(from, first).join(""));
    let side: keyof typeof sides = "ours";
    for (const line of lines.slice(first + 1, last)) {
      if (side === "ours" && /^\|{7}(?: |\r?\n?$)/u.test(line)) side = "base";
      else if (side !== "theirs" && /^={7}\r?\n?$/u.test(line)) side = "theirs";
      else sides[side].push(line);
    }
    from = last + 1;
  }
  for (const side of Object.values(sides)) side.push(lines.slice(from).join(""));
  const version = (parts: readonly string[]): Uint8Array => Buffer.from(parts.join(""), "latin1");
  return mergeLogs({ base: version(sides.base), ours: version(sides.ours), theirs: version(sides.theirs) }, forgotten);
}

/** A part of a log that starts at a level-2 heading; the first one may have none. Its text has one character per byte. */
interface Section {
  readonly key: string;
  /** The id of its entry; empty for any other section. */
  readonly id: string;
  /** When the entry was written, in milliseconds. */
  readonly at: number;
  /** Its first line; empty before the first heading. */
  readonly heading: string;
  /** The blank lines before it. */
  readonly lead: string;
  readonly text: string;
  /** The text without its last line end, with LF. */
  readonly plain: string;
  readonly isFirst: boolean;
}

interface Log {
  /** The byte order mark. */
  readonly mark: string;
  readonly byKey: ReadonlyMap<string, Section>;
  /** The blank lines at the end. */
  readonly tail: string;
}

function readLog(bytes: Uint8Array | undefined): Log {
  const whole = textOf(bytes);
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : "";
  const lines = rawLines(whole.slice(mark.length));
  const kinds = scanLines(lines.map(withoutEnd)).lines;
  const starts = kinds.flatMap(({ kind, level }, index) => (kind === "heading" && level === 2 ? [index] : []));
  const found: Section[] = [];
  let blank = "";
  let begin = 0;
  for (const end of [...starts, lines.length]) {
    let last = end;
    while (last > begin && withoutEnd(lines[last - 1] ?? "").trim() === "") last -= 1;
    if (last > begin) found.push(asSection(lines.slice(begin, last), blank, found.length));
    blank = (last > begin ? "" : blank) + lines.slice(last, end).join("");
    begin = end;
  }
  const byKey = new Map<string, Section>();
  for (const section of eachOnce(found)) byKey.set(section.key, section);
  return { mark, byKey, tail: blank };
}

const byteOrderMark = "\u00EF\u00BB\u00BF";

function asSection(lines: readonly string[], lead: string, index: number): Section {
  const text = lines.join("");
  const plain = text.replace(/\r\n/gu, "\n").replace(/\n$/u, "");
  const first = withoutEnd(lines[0] ?? "");
  const heading = first.startsWith("## ") ? first : "";
  const comment = heading === "" ? undefined : parseEntryComment(withoutEnd(lines[1] ?? ""));
  const at = comment === undefined ? 0 : Date.parse(comment.at) || 0;
  const id = comment?.id ?? "";
  const key = id !== "" ? `id ${id}` : heading === "" && index === 0 ? "beginning" : "";
  return { key, id, at, heading, lead, text, plain, isFirst: index === 0 };
}

function titleOf(log: Log | undefined): Section | undefined {
  const section = log?.byKey.get("beginning");
  const [line = ""] = section?.plain.split("\n", 1) ?? [];
  return section === undefined || !line.startsWith("# ") ? undefined : withLines(section, [line], endOf(section.text));
}

/** Gives each section its key. Of the occurrences of an entry, the last counts (docs/formats/tree.md); one that a crash cut off is dropped. */
function eachOnce(sections: readonly Section[]): readonly Section[] {
  const last = new Map(sections.map((section) => [section.key, section]));
  const counts = new Map<string, number>();
  return sections.flatMap((section): readonly Section[] => {
    const entry = section.id === "" ? undefined : last.get(section.key);
    if (entry === section || section.key === "beginning") return [section];
    if (entry?.plain.startsWith(section.plain) === true) return [];
    const digest = shortDigest(sha256(Buffer.from(section.plain, "latin1")));
    const count = counts.get(digest) ?? 0;
    counts.set(digest, count + 1);
    return [{ ...section, key: `text ${digest} ${count}` }];
  });
}

/** Recognizes sections without an id that a side edited, by their heading, and gives them the keys that they have in the base. */
function withKeysOf(base: Log, side: Log): Log {
  const edited = new Map<string, string[]>();
  for (const { key, id, heading } of base.byKey.values())
    if (id === "" && !side.byKey.has(key)) edited.set(heading, [...(edited.get(heading) ?? []), key]);
  if (edited.size === 0) return side;
  const byKey = [...side.byKey.values()].map((section) => {
    const isNew = section.id === "" && !base.byKey.has(section.key);
    const key = (isNew ? edited.get(section.heading)?.shift() : undefined) ?? section.key;
    return [key, { ...section, key }] as const;
  });
  return { ...side, byKey: new Map(byKey) };
}

/** `undefined`: it is gone, because a side removed what the other left alone. */
function sectionOf(versions: Versions<Section | undefined>): Section | undefined {
  const { base, ours, theirs } = versions;
  const section = choose(versions, (a, b) => a?.plain === b?.plain);
  // Removed by one side and changed by the other: the change stays.
  if (section === "conflict") return ours === undefined || theirs === undefined ? (ours ?? theirs) : bothOf(versions);
  if (section === undefined || ours === undefined || theirs === undefined) return section;
  // Equal but for line ends and the blank lines before it.
  const same = ours.plain === theirs.plain ? { base, ours, theirs } : { base: section, ours: section, theirs: section };
  return {
    ...section,
    lead: chosen({ base: base?.lead ?? "", ours: ours.lead, theirs: theirs.lead }),
    text: chosen({ base: same.base?.text ?? "", ours: same.ours.text, theirs: same.theirs.text }),
    isFirst: ours.isFirst && theirs.isFirst,
  };
}

/** Both sides changed it: their lines are merged. */
function bothOf({ base, ours, theirs }: Versions<Section | undefined>): Section | undefined {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  const [first] = [ours, theirs].toSorted((a, b) => compareTexts(a.plain, b.plain)) as [Section, Section];
  const comment = commentOf(first);
  const linesOf = (section: Section | undefined): readonly string[] =>
    section?.plain.split("\n").filter((line, index) => index !== 1 || comment === undefined) ?? [];
  const [heading = "", ...body] = mergeLines({ base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) });
  const end = chosen({ base: endOf(base?.text ?? ""), ours: endOf(ours.text), theirs: endOf(theirs.text) });
  const lead = chosen({ base: base?.lead ?? "", ours: ours.lead, theirs: theirs.lead });
  const lines = comment === undefined ? [heading, ...body] : [heading, sized(comment, body), ...body];
  return { ...withLines(first, lines, end), lead, isFirst: ours.isFirst && theirs.isFirst };
}

function withLines(section: Section, lines: readonly string[], end: string): Section {
  return { ...section, text: lines.join(end) + end, plain: lines.join("\n") };
}

function commentOf({ id, plain }: Section): EntryComment | undefined {
  return id === "" ? undefined : parseEntryComment(plain.split("\n", 2)[1] ?? "");
}

/** The comment of an entry with another body. */
function sized(comment: EntryComment, body: readonly string[]): string {
  const bytes = body.join("\n").replace(/[\t\n\r ]+$/u, "").length;
  return printEntryComment({ ...comment, bytes: comment.bytes === undefined ? undefined : bytes });
}

/**
 * Which lines do not come back: those that were forgotten here, unless both sides have them; and what an entry that one side
 * edited still has of lines that the other side removed.
 */
function goneFrom({ base, ours, theirs }: Versions<Log>, forgotten: Forgotten): (line: string, key: string) => boolean {
  const [was, left, right] = [base, ours, theirs].map(
    ({ byKey }) => new Set([...byKey.values()].flatMap(({ plain }) => plain.split("\n"))),
  );
  return (line, key) => {
    const [isLeft, isRight] = [left?.has(line) ?? false, right?.has(line) ?? false];
    if (isLeft && isRight) return false;
    const isCopied = key.startsWith("id edit-") && !base.byKey.has(key) && (was?.has(line) ?? false);
    const isLong = isCopied && wordsOfLine(utf8(line)).length >= shortestNeedle;
    return isLong || forgotten.has(utf8(line));
  };
}

function withoutLines(section: Section, isGone: (line: string) => boolean): Section | undefined {
  const lines = section.plain.split("\n");
  const comment = commentOf(section);
  // The heading of an entry stays with its comment.
  const head = comment === undefined ? 0 : 2;
  const body = lines.slice(head).filter((line) => !isGone(line));
  if (head + body.length === lines.length) return section;
  if (comment === undefined && body.join("").trim() === "") return undefined;
  const heading = comment === undefined ? [] : [section.heading, sized(comment, body)];
  return withLines(section, [...heading, ...body], endOf(section.text));
}

function utf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

function chosen(versions: Versions<string>): string {
  const found = choose(versions, (a, b) => a === b);
  return found === "conflict"
    ? compareTexts(versions.ours, versions.theirs) < 0
      ? versions.ours
      : versions.theirs
    : found;
}

/** Orders what both sides added in one place. What both have keeps its order. */
function joined(
  ours: readonly string[],
  theirs: readonly string[],
  sections: ReadonlyMap<string, Section>,
): readonly string[] {
  return mergeUnited(ours, theirs, (left, right) => sorted(left, right, sections));
}

function sorted(
  ours: readonly string[],
  theirs: readonly string[],
  sections: ReadonlyMap<string, Section>,
): readonly string[] {
  const [one, other] = [byEntry(ours, sections), byEntry(theirs, sections)];
  const entries = [...new Set([...one.keys(), ...other.keys()])].filter((key) => key !== "");
  const timeOf = (key: string): number => sections.get(key)?.at ?? 0;
  const order = ["", ...entries.toSorted((a, b) => timeOf(a) - timeOf(b) || compareTexts(a, b))];
  const textOf = (key: string): string => sections.get(key)?.plain ?? "";
  return order.flatMap((entry) => {
    const [left, right] = [one.get(entry) ?? [], other.get(entry) ?? []];
    const isOne = left.length === 0 || right.length === 0 || left.join("\n") === right.join("\n");
    const below = isOne ? (left.length === 0 ? right : left) : [...new Set([...left, ...right])];
    const inOrder = isOne ? below : below.toSorted((a, b) => compareTexts(textOf(a), textOf(b)) || compareTexts(a, b));
    return entry === "" ? inOrder : [entry, ...inOrder];
  });
}

/** The sections without an id by the entry before them; `""`: before the first entry. */
function byEntry(
  keys: readonly string[],
  sections: ReadonlyMap<string, Section>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  let entry = "";
  for (const key of keys) {
    const isEntry = sections.get(key)?.id !== "";
    if (isEntry) entry = key;
    const group = groups.get(entry) ?? [];
    if (!isEntry) group.push(key);
    groups.set(entry, group);
  }
  return groups;
}

function printed(sections: readonly Section[]): string {
  const lineEnd = endOf(sections.find(({ text }) => text.includes("\n"))?.text ?? "");
  let text = "";
  for (const { lead, text: own, isFirst, heading } of sections) {
    if (text !== "" && !text.endsWith("\n")) text += lineEnd;
    text += text !== "" && lead === "" && isFirst && heading !== "" ? lineEnd : lead;
    text += own;
  }
  return text;
}

function endOf(text: string): string {
  return /^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n";
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function rawLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$/u, "");
}
