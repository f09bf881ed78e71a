import { decodeText, textLines } from "../../base/lines.ts";
import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import {
  mostCorrected,
  parseCorrected,
  placeCorrectedBy,
  placesCorrected,
  repeats,
  sentencesSaid,
  type CorrectedPlace,
  type Said,
} from "../../text/corrected.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import type { LogAddInput } from "../../tree/inputs.ts";
import type { LogAddResult } from "../../tree/logs/log-add.ts";
import { readLines } from "../../tree/logs/raw-logs.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { parseLogFile } from "../../tree/model/period.ts";
import { findChunks, prepareIndex } from "../index/prepare.ts";
import { recallSources, type IndexFilter, type SearchIndex, type StoredRow } from "../index/search-index.ts";
import type { PreparedIndex, RecallMemory } from "../memory.ts";

/** What an entry corrects. */
interface Correction extends CorrectedPlace {
  /** Where the entry is. What was said after it is not corrected by it. */
  readonly by: { readonly source: string; readonly line: number; readonly day: string };
  /** The corrected sentences (`sentencesSaid`). */
  readonly said: readonly Said[];
}

/** The place of the entry that corrects a row, or a copy of what it corrects: the same words are in a log and in a thread. */
export type CorrectedBy = (row: StoredRow) => string | undefined;

const logs: IndexFilter = { kinds: ["raw"] };
const marks = ["corrects memory", "corrects thread"].map((text) => ({ kind: "phrase", text }) as const);
/** How long an entry that corrects another may wait for the index, in milliseconds. */
const patience = { ms: 250 };
/** How much of the logs that changed since they were indexed is read. */
const mostBehind = { logs: 14, bytes: 64 * 1024 };

/** Finds what later entries correct, from the index and from the logs it lacks. Errors: `io`. */
export async function correctionsIn(memory: RecallMemory, { index, behind = [] }: PreparedIndex): Promise<CorrectedBy> {
  // The same sections as for the message, so that they are read once.
  const { terms } = await index.sectionHits(marks, recallSources);
  const rows = await index.rowsOfSections(
    "chunk",
    terms.flatMap(({ ids }) => [...ids]),
  );
  const indexed = rows.flatMap((row) => {
    const place = row.kind === "raw" ? placeCorrectedBy(row.text, row.origin) : undefined;
    return place === undefined ? [] : [{ ...place, by: { source: row.source, line: row.lines[0], day: row.day } }];
  });
  const later = await Promise.all(behind.slice(0, mostBehind.logs).map((path) => correctedIn(memory, path)));
  // Where an indexed one is in its log is known.
  const isIndexed = (one: CorrectedPlace & Pick<Correction, "by">): boolean =>
    indexed.some(({ source, lines: [from, to], by }) => {
      return source === one.source && from === one.lines[0] && to === one.lines[1] && by.source === one.by.source;
    });
  const all = [...indexed, ...later.flat().filter((one) => !isIndexed(one))];
  if (all.length === 0) return () => undefined;
  const said = await saidAt(memory, index, all);
  const corrections = all.map((one, at): Correction => ({ ...one, said: said[at] ?? [] }));
  return (row) => {
    const found = corrections.find((one) => isCorrected(row, one));
    if (found === undefined) return undefined;
    const { source, line } = found.by;
    return Number.isFinite(line) ? `${source}:${line}` : source;
  };
}

function isCorrected(row: StoredRow, { source, lines, by, said }: Correction): boolean {
  if (row.source === source && row.lines[0] <= lines[1] && lines[0] <= row.lines[1]) return true;
  const isLater = row.source === by.source ? row.lines[1] >= by.line : row.day > by.day;
  return !isLater && repeats(row.text, said);
}

/** What the end of a log corrects that the index lacks. */
async function correctedIn(memory: RecallMemory, path: string): Promise<readonly Omit<Correction, "said">[]> {
  const readPart = (from: number, to: number) =>
    memory.files.read(path, { from, to }).catch(ifMemoryError(() => undefined));
  const size = (await readPart(0, 0))?.size ?? 0;
  const read = await readPart(Math.max(0, size - mostBehind.bytes), size);
  const log = parseLogFile(path.replace(/^memory\//u, ""));
  if (read === undefined || log.state !== "log") return [];
  const by = { source: path, line: Number.POSITIVE_INFINITY, day: log.day };
  return placesCorrected(textLines(decodeText(read.bytes) ?? "")).map(({ source, lines }) => ({ source, lines, by }));
}

/** The sentences at places. */
async function saidAt(
  memory: RecallMemory,
  index: SearchIndex,
  places: readonly CorrectedPlace[],
): Promise<readonly (readonly Said[])[]> {
  const ofLogs = places.filter(({ source }) => !source.startsWith("thread:"));
  const chunks = Map.groupBy(await index.rowsAt("chunk", ofLogs), ({ source }) => source);
  return Promise.all(
    places.map(async ({ source, lines: [from, to] }) => {
      if (source.startsWith("thread:")) return sentencesSaid(await messagesAt(memory, source.slice(7), [from, to]));
      const own = (chunks.get(source) ?? []).flatMap(linesOf);
      const texts = own.filter(({ number }) => from <= number && number <= to).map(({ text }) => text);
      return sentencesSaid(texts.join("\n"));
    }),
  );
}

/** The sentences at a place (`sentencesSaid`), without the index; none if it cannot be read. */
export async function sentencesAt(memory: RecallMemory, { source, lines }: CorrectedPlace): Promise<readonly Said[]> {
  if (source.startsWith("thread:")) return sentencesSaid(await messagesAt(memory, source.slice(7), lines));
  const { files } = await withLogicalLogs(memory);
  const span = { from: lines[0], to: lines[1] };
  const [read] = await readLines(files, source, [span], "kept").catch(ifMemoryError(() => []));
  return sentencesSaid(read?.text ?? "");
}

async function messagesAt(memory: RecallMemory, thread: string, seqs: readonly [number, number]): Promise<string> {
  const read = await memory.threadReader.messages(thread, seqs).catch(ifMemoryError(() => []));
  return read.map(({ content }) => redact(content).text).join("\n");
}

/**
 * Appends an entry, which may correct an earlier one: its first line then names the place, and its type (and topic, if empty) are by default those of the
 * corrected entry. Errors: `invalid_path`, `not_found`, `invalid_origin`, any from `appendEntry`.
 */
export async function logEntry(memory: RecallMemory, input: LogAddInput): Promise<LogAddResult> {
  // Imported lazily, here and below: a prompt only reads corrections.
  const { appendEntry } = await import("../../tree/logs/log-add.ts");
  if (input.corrects === undefined) return appendEntry(memory, input);
  const { origin = "agent" } = input;
  if (origin !== "agent" && origin !== "user") {
    const message = `The origin is ${origin}, but only the user and agents can correct an entry: omit corrects, or use --origin user for something the user said.`;
    throw new MemoryError("invalid_origin", message, { origin });
  }
  const { place, topic, type } = await correctedAt(memory, input.corrects.trim());
  // Feedback has parts that other types do not take.
  const isFeedback = [input.rule, input.why, input.how_to_apply].some((part) => part !== undefined);
  const given = isFeedback || input.type !== undefined ? {} : { type };
  const result = await appendEntry(memory, { ...given, ...input, topic: input.topic || topic, corrects: place });
  // The next prompt does not wait for the index. Without it, the prompt gets neither what was wrong nor what is right.
  await prepareIndex(memory, patience);
  return result;
}

interface CorrectedEntry {
  /** As the entry names it. */
  readonly place: string;
  readonly topic: string;
  readonly type: MemoryType;
}

const correctable = `lines of a log (memory/2026-03-15.md:12-18) or messages of a thread (thread:ID:5), as recall and search print them`;

/** Reads a place that is to be corrected. Errors: `invalid_path`, `not_found`, `thread_not_found`, `io`. */
async function correctedAt(memory: RecallMemory, given: string): Promise<CorrectedEntry> {
  const text = memory.kind === "personal" ? given.replace(/^personal:/u, "") : given;
  const [layer] = /^(?:above|personal):/u.exec(text) ?? [];
  if (layer !== undefined) {
    const [whose, there] = layer === "personal:" ? ["the user's own", "--personal"] : ["another", "-C DIR"];
    const seen = shown(text, 80);
    const message = `The place to correct is "${seen}", in ${whose} memory; correct it there: on the command line, with \`heartwood log add ${there}\` and the place without "${layer}".`;
    throw new MemoryError("invalid_path", message, { place: seen });
  }
  const [{ parsePlace, readPlace }, { contentWords }, { isIdLike }] = await Promise.all([
    import("../read/read.ts"),
    import("../../text/extract/words.ts"),
    import("../../tree/extract/passages.ts"),
  ]);
  const place = parsePlace(text);
  const name = place.is === "thread" ? `thread:${place.thread_id}` : place.path;
  const corrected = parseCorrected(`${name}:${[place.from, place.to ?? Number.MAX_SAFE_INTEGER].join("-")}`);
  const isLog = place.is === "thread" || parseLogFile(name.replace(/^memory\//u, "")).state === "log";
  if (corrected === undefined || !isLog) {
    const seen = shown(text, 80);
    const message = `The place to correct is "${seen}"; it must be up to ${mostCorrected} ${correctable}. Edit other files yourself.`;
    throw new MemoryError("invalid_path", message, { place: seen });
  }
  if (place.is === "file" && (await memory.files.read(name, { from: 0, to: 0 })) === undefined)
    throw new MemoryError("not_found", `${name} does not exist; pass ${correctable}.`, { path: name });
  const { text: said, source } = await readPlace(memory, { place: text });
  const [from, to] = corrected.lines;
  const isThere = sentencesSaid(said).length > 0 && (place.is === "thread" || source === `${name}:${from}-${to}`);
  if (!isThere) {
    const seen = shown(text, 80);
    const message = `There is nothing to correct at ${seen}; pass the lines of what is wrong.`;
    throw new MemoryError("not_found", message, { place: seen });
  }
  const { index } = await prepareIndex(memory, patience);
  const logged = place.is === "thread" ? await inLog(index, said) : corrected;
  const [row] = logged === undefined ? [] : await index.rowsAt("chunk", [logged]);
  const words = contentWords(said)
    .slice(0, 4)
    .map((word) => word.shown);
  const heading = row === undefined || isIdLike(row.heading) ? "" : row.heading;
  return {
    place: printPlace(logged ?? corrected),
    topic: heading || words.join(" ") || "Correction",
    type: row?.type ?? "project",
  };
}

function printPlace({ source, lines: [from, to] }: CorrectedPlace): string {
  return `${source}:${from === to ? from : `${from}-${to}`}`;
}

/** The lines of the log with the same words as a message: the tree is made from logs only. */
async function inLog(index: SearchIndex, message: string): Promise<CorrectedPlace | undefined> {
  const said = sentencesSaid(message);
  const all = said.map(({ words }) => ({ kind: "phrase", text: words.trim() }) as const);
  const found = await findChunks(index, { ...logs, any: [], all, limit: 1 });
  const places = found.flatMap(({ row }) => {
    const own = linesOf(row).filter(({ text }) => repeats(text, said));
    const [first, last] = [own[0], own.at(-1)];
    const place = first && last && { source: row.source, lines: [first.number, last.number] as const };
    return place === undefined ? [] : (parseCorrected(printPlace(place)) ?? []);
  });
  return places[0];
}

/** The lines of a chunk of a log. Numbered from the end, because the comment below a heading is not in the text. */
function linesOf(row: StoredRow): readonly { readonly number: number; readonly text: string }[] {
  const lines = row.text.split("\n");
  return lines.map((text, at) => ({ number: row.lines[1] - (lines.length - 1 - at), text }));
}
