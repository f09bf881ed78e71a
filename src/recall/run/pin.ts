import { MemoryError } from "../../base/errors.ts";
import { mostCorrected, parseCorrected } from "../../text/corrected.ts";
import { shown } from "../../text/shown.ts";
import { readRecords, appendRecords, type NewRecord } from "../../tree/logs/records.ts";
import { realFilesOf } from "../../tree/memory.ts";
import { parseLogFile } from "../../tree/model/period.ts";
import { inForce, type PinnedRecord } from "../../tree/model/records-format.ts";
import { parsePlace, readPlace } from "../read/read.ts";
import type { IndexPlace } from "../index/search-index.ts";
import type { RecallMemory } from "../memory.ts";
import type { PinInput } from "../search/inputs-and-results.ts";
import { overlaps, placesOf, readLog } from "./pins.ts";

export interface PinResult {
  /** `unchanged`: it was pinned like this before. */
  readonly action: "pinned" | "unchanged";
  readonly use: "first" | "never";
  /** `memory/2026-03-15.md:12-13`, `thread:ID:5`. */
  readonly place: string;
  /** What is there, without secrets. */
  readonly text: string;
  readonly record: string;
  /** What was pinned there before, and is not any more. */
  readonly replaced: readonly PinRow[];
}

export interface UnpinResult {
  /** What is not pinned any more. */
  readonly removed: readonly PinRow[];
}

export interface PinRow {
  /** Where it is now. */
  readonly place: string;
  readonly use: "first" | "never";
  /** What is there, without secrets; empty if nothing is left. */
  readonly text: string;
  /** Local time with offset. */
  readonly at: string;
  readonly record: string;
}

export interface PinListResult {
  /** Newest first. */
  readonly pins: readonly PinRow[];
}

/** Gives a place first in recall, if it matches the message at all. Replaces the pins that overlap it. Errors: `invalid_path`, `not_found`, `thread_not_found`, `busy`, `io`. */
export function pinPlace(memory: RecallMemory, input: PinInput): Promise<PinResult> {
  return pin(memory, input, "first");
}

/** Leaves a place out of recall. Replaces the pins that overlap it. Errors: as for `pinPlace`. */
export function neverRecall(memory: RecallMemory, input: PinInput): Promise<PinResult> {
  return pin(memory, input, "never");
}

async function pin(memory: RecallMemory, { place: given }: PinInput, use: PinnedRecord["use"]): Promise<PinResult> {
  const place = await placeToPin(memory, given.trim());
  return locked(memory, async () => {
    // One mark a passage: recall may show fewer lines of it than were pinned.
    const others = await pinnedAt(memory, (one) => overlaps(one, place));
    const [only] = others;
    const told = { use, place: printPlace(place), text: place.text };
    const isSame = only?.record.use === use && only.lines.join() === place.lines.join();
    if (isSame && others.length === 1) return { action: "unchanged", ...told, record: only.record.id, replaced: [] };
    const over = others.map(({ record }): NewRecord => ({ kind: "undone", of: record.id }));
    const { source, lines } = place;
    const entry = source.startsWith("thread:") ? undefined : await entryAt(memory, place);
    const record = { kind: "pinned", use, source, lines, ...entry } as const;
    const added = await appendRecords(memory, [...over, record]);
    return { action: "pinned", ...told, record: added.at(-1)?.id ?? "", replaced: others.map(rowOf) };
  });
}

/** Takes back every pin that overlaps a place. Errors: `invalid_path`, `not_found`, `busy`, `io`. */
export async function unpinPlace(memory: RecallMemory, { place: given }: PinInput): Promise<UnpinResult> {
  const place = parsedPlace(given.trim());
  return locked(memory, async () => {
    const found = await pinnedAt(memory, (one) => overlaps(one, place));
    if (found.length === 0) {
      const seen = shown(given.trim(), 80);
      const message = `Nothing is pinned at ${seen}; heartwood pin list lists what is.`;
      throw new MemoryError("not_found", message, { place: seen });
    }
    await appendRecords(
      memory,
      found.map(({ record }): NewRecord => ({ kind: "undone", of: record.id })),
    );
    return { removed: found.map(rowOf) };
  });
}

/** Lists what recall gives first or never. Errors: `io`. */
export async function listPins(memory: RecallMemory): Promise<PinListResult> {
  return { pins: (await pinnedAt(memory, () => true)).toReversed().map(rowOf) };
}

type Pinned = Awaited<ReturnType<typeof placesOf>>[number];

async function pinnedAt(memory: RecallMemory, isWanted: (place: IndexPlace) => boolean): Promise<readonly Pinned[]> {
  const records = inForce(await readRecords(realFilesOf(memory.files)));
  const pins = records.flatMap((one) => (one.kind === "pinned" ? [one] : []));
  return (await placesOf(memory, pins)).filter(isWanted);
}

function rowOf({ record, text, ...place }: Pinned): PinRow {
  const { use, at, id } = record;
  return { place: printPlace(place), use, text: shownText(text), at, record: id };
}

/** The entry that contains the lines, if one does: after a merge, the lines are found by it. */
async function entryAt(memory: RecallMemory, { source, lines: [from, to] }: IndexPlace) {
  const { entries } = await readLog(memory, source);
  const entry = entries.find(({ lines }) => lines[0] <= from && to <= lines[1]);
  return entry === undefined ? {} : { section: entry.key, entry: entry.lines };
}

async function locked<T>(memory: RecallMemory, act: () => Promise<T>): Promise<T> {
  const lease = await memory.locks.acquire("append", { holder: "pin", waitMs: 60_000 });
  return act().finally(() => lease.release());
}

const pinnable =
  "lines of a log (memory/2026-03-15.md:12-18) or messages of a thread (thread:ID:5), as recall and search print them";

function parsedPlace(text: string): IndexPlace {
  const refused = (): MemoryError => {
    const seen = shown(text, 80);
    const message = `The place is "${seen}"; it must be up to ${mostCorrected} ${pinnable}. Edit other files yourself.`;
    return new MemoryError("invalid_path", message, { place: seen });
  };
  if (/^(?:above|personal):/u.test(text)) {
    const seen = shown(text, 80);
    const message = `The place is "${seen}", in another memory; pin it there, with -C DIR or --personal and the place without its first word.`;
    throw new MemoryError("invalid_path", message, { place: seen });
  }
  const place = parsePlace(text);
  const name = place.is === "thread" ? `thread:${place.thread_id}` : place.path;
  const parsed = parseCorrected(`${name}:${place.from}-${place.to ?? Number.MAX_SAFE_INTEGER}`);
  const isLog = place.is === "thread" || parseLogFile(name.replace(/^memory\//u, "")).state === "log";
  if (parsed === undefined || !isLog) throw refused();
  return parsed;
}

/** A place with text. */
async function placeToPin(memory: RecallMemory, given: string): Promise<IndexPlace & { readonly text: string }> {
  const place = parsedPlace(given);
  const { text } = await readPlace(memory, { place: printPlace(place) });
  if (text.trim() !== "") return { ...place, text: shownText(text) };
  const seen = shown(given, 80);
  throw new MemoryError("not_found", `There is nothing at ${seen}; pass ${pinnable}.`, { place: seen });
}

/** Characters of a place that are shown. */
const mostShown = 400;

function shownText(text: string): string {
  return shown(text, mostShown);
}

function printPlace({ source, lines: [from, to] }: IndexPlace): string {
  return `${source}:${from === to ? from : `${from}-${to}`}`;
}
