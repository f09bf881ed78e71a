import { isDay, type Day } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { splitLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import { mergeRefs } from "../../base/refs.ts";
import { type Origin, parseEntryComment, parseHeadingTopic } from "../../base/memory-type.ts";
import type { SourceLine } from "../../base/passage.ts";
import { withoutNoise } from "../../text/extract/noise.ts";
import { speakerOf, toldByUser, withoutSpeaker } from "../../text/extract/said.ts";
import { contentWords } from "../../text/extract/words.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { isIdLike } from "../extract/passages.ts";
import type { LogPromoteInput } from "../inputs.ts";
import { withLogicalLogs, type TreeMemory } from "../memory.ts";
import { spanAt } from "../model/node-format.ts";
import { readPassages } from "../model/node-passages.ts";
import { type LineRange, rangesOf } from "../root-run/root.ts";
import { readNodeFile } from "../run/tree-files.ts";
import { memoryFolder, parseLogFile, parseNodePath } from "../model/period.ts";
import { contentId } from "./append.ts";
import { appendEntry, type LogAddResult } from "./log-add.ts";

export interface LogPromoteResult extends LogAddResult {
  /** The lines containing the sentence, such as `memory/2026-03-12.md:181`. */
  readonly source: string;
  /** The verbatim sentence, without secrets. */
  readonly text: string;
}

/**
 * Adds what the user said at a place as an entry: as the rule of a `feedback` entry, or a line of a `user` entry.
 * Refuses text from a tool's entry or an assistant's turn. The same sentence of a log is added only once. Errors:
 * `invalid_path`, `not_found`, `not_traceable`, `invalid_body`, and any from `appendEntry`.
 */
export async function promoteLine(opened: TreeMemory, input: LogPromoteInput): Promise<LogPromoteResult> {
  const memory = await withLogicalLogs(opened);
  const { type = "feedback", date } = input;
  const { path, lines, text, topic, origin } = await saidAt(memory, input.place.trim());
  const entry = { topic: input.topic ?? topic, type, origin, id: contentId("said", `${path}\n${text}`) };
  const body = type === "feedback" ? { rule: text } : { body: `- ${text}` };
  const from = parseLogFile(path.slice(memoryFolder.length + 1));
  const days = from.state === "log" ? await loggedDays(memory, from.day) : [];
  const result = await appendEntry(opened, { ...entry, ...body, ...(date === undefined ? {} : { date }) }, days);
  return {
    ...result,
    source: `${path}:${lines[0] === lines[1] ? lines[0] : lines.join("-")}`,
    text: redact(text).text,
  };
}

/** The days from `first` on that have a log: any earlier promotion is in one of them. */
async function loggedDays(memory: TreeMemory, first: Day): Promise<readonly Day[]> {
  const days = (await memory.files.list(memoryFolder)).map(({ name }) => parseLogFile(name));
  return days.flatMap((log) => (log.state === "log" && log.slug === "" && log.day >= first ? [log.day] : []));
}

interface SaidAt {
  readonly path: string;
  readonly lines: readonly [number, number];
  readonly text: string;
  readonly topic: string;
  readonly origin: Origin;
}

async function saidAt(memory: TreeMemory, place: string): Promise<SaidAt> {
  const pattern = /^(?:memory\/)?([^\s:]+?)(?:\.md)?:(\d{1,7})(?:-(\d{1,7}))?$/u;
  const [, named = "", from = "0", to = from] = pattern.exec(place) ?? [];
  if (parseLogFile(`${named}.md`).state === "log") {
    const path = `${memoryFolder}/${named}.md`;
    const section = await sectionAt(memory, { path, lines: [Number(from), Number(to)] });
    const said = saidIn(section);
    const text = said.length > 0 ? said.map((told) => told.text).join(" ") : section.own.join(" ");
    const others = `${path}:${from} was said by an assistant or a tool; pass a line that the user said.`;
    if (text !== "" && said.length === 0 && section.speaker === "other")
      throw new MemoryError("invalid_origin", others, { path });
    if (text !== "") return { ...section, text };
    const none = `No sentence at ${path}:${from}; pass a line that contains one.`;
    throw new MemoryError("invalid_body", none, { path });
  }
  const { text: shownLine, sources } = await readTraced(memory, place, named, Number(from));
  const found = new Map<string, SaidAt>();
  for (const source of sources) {
    const section = await sectionAt(memory, source);
    const [number, to] = source.lines;
    const whole = section.speaker === "other" ? [] : section.own.map((text) => ({ text, number, to }));
    const told = [...saidIn(section), ...whole].find(
      (one) => one.text !== "" && shownLine.includes(redact(one.text).text),
    );
    if (told !== undefined) found.set(told.text, { ...section, lines: [told.number, told.to], text: told.text });
  }
  const [one] = found.values();
  if (one !== undefined && found.size === 1) return one;
  const message = `"${shown(place, 80)}" does not lead to a single sentence said by the user; pass a line of a log, such as memory/2026-03-12.md:181.`;
  throw new MemoryError("not_traceable", message, { place: shown(place, 80) });
}

/** A line of ROOT.md or of a node, with its existing source lines. Errors: `not_found`, `not_traceable`. */
async function readTraced(
  memory: TreeMemory,
  place: string,
  named: string,
  number: number,
): Promise<{ readonly text: string; readonly sources: readonly LineRange[] }> {
  const name = parseNodePath(`memory/${named}.md`);
  if (name === undefined) {
    const { isStanding, readTrace } = await import("../inspect/trace.ts");
    const { line, raw } = await readTrace(memory, { text: place });
    return { text: line.text, sources: raw.filter(isStanding) };
  }
  const file = await readNodeFile(memory.files, name);
  const line = number - (file?.bodyLine ?? 0) + 1;
  const text = file?.node?.body[line - 1];
  const at = shown(place, 80);
  if (file?.node === undefined || text === undefined)
    throw new MemoryError("not_found", `${at} is not a line in this memory.`, { place: at });
  const span = spanAt(file.node.spans, line);
  const read = readPassages(file.node).filter(({ at: [from, to] }) => from <= line && line <= to);
  const refs = mergeRefs(span === undefined ? read.flatMap((passage) => passage.refs) : [span]);
  return { text, sources: rangesOf(refs).filter(({ lines }) => lines[0] > 0) };
}

interface SectionAt extends Omit<SaidAt, "text"> {
  readonly all: readonly SourceLine[];
  /** Whose turn contains the first line. */
  readonly speaker: "person" | "other" | undefined;
  readonly own: readonly string[];
}

async function sectionAt(memory: TreeMemory, { path, lines }: Pick<SaidAt, "path" | "lines">): Promise<SectionAt> {
  const bytes = (await memory.files.read(path))?.bytes ?? new Uint8Array(0);
  const texts = splitLines(bytes).map(({ text }) => text);
  if (lines[0] < 1 || lines[1] < lines[0] || lines[1] > texts.length) {
    const asked = lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines.join("-")}`;
    const has = texts.length === 1 ? "1 line" : `${texts.length} lines`;
    throw new MemoryError("not_found", `${path} has no ${asked}; it has ${has}.`, { path });
  }
  const scanned = scanLines(texts).lines;
  const isHead = (at: number): boolean => scanned[at]?.kind === "heading" && (scanned[at]?.level ?? 9) <= 2;
  let [start, end] = [lines[0] - 1, lines[1]];
  while (start > 0 && !isHead(start)) start -= 1;
  while (end < texts.length && !isHead(end)) end += 1;
  const all = texts
    .slice(start, end)
    .map((text, at) => ({ number: start + at + 1, text, kind: scanned[start + at]?.kind ?? "text" }));
  const before = all.filter(({ number }) => number <= lines[0]);
  const speaker = before.map(({ text }) => speakerOf(text)).findLast((one) => one !== undefined);
  const within = all.filter(({ number }) => number >= lines[0] && number <= lines[1]);
  const own = within.filter(({ text, kind }) => kind !== "heading" && !text.startsWith("<!--"));
  const recorded = parseEntryComment(all[1]?.text ?? "")?.origin ?? "user";
  const isOther = recorded === "tool" || recorded === "file" || speaker === undefined;
  const heading = isHead(start) ? parseHeadingTopic((texts[start] ?? "").replace(/^#+\s+/u, "")).name : "";
  const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/u;
  const bare = own.map(({ text }) => withoutSpeaker(text).replace(item, "").trim()).filter((text) => text !== "");
  const words = contentWords(bare.join(" ")).slice(0, 4);
  const isNamed = heading !== "" && !isIdLike(heading) && !isDay(heading);
  const topic = isNamed ? heading : words.map((word) => word.shown).join(" ") || "Said by the user";
  return { path, lines, all, speaker, own: bare, topic, origin: isOther ? recorded : "user" };
}

function saidIn({ all, lines }: SectionAt): ReturnType<typeof toldByUser> {
  const kept = withoutNoise(all).filter(({ text }) => text.trim() !== "");
  return toldByUser(kept).filter(({ number, to }) => number <= lines[1] && to >= lines[0]);
}
