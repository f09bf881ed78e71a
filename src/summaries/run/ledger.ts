import { addDays, isDay, localDay, localTimestamp } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { LedgerFold, type LedgerLine, parseLedgerLine, printLedgerLine } from "../request/ledger.ts";
import { printJobId } from "../request/record.ts";
import { nodeLabel, type NodeName } from "../../tree/model/period.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { LedgerInput } from "./inputs.ts";
import type { LedgerEntry, LedgerResult } from "./results.ts";
import { budgetsOf, effectiveSettings } from "./settings.ts";

export const ledgerPath = ".heartwood/summaries/ledger.jsonl";

/** Bytes read at a time. */
const chunkBytes = 256 * 1024;
/** A longer line is no line of ours. Bytes. */
const longestLine = 64 * 1024;
const newline = 10;

/** A line without its time, which the clock gives. */
export type LedgerEvent = Omit<LedgerLine, "at" | "day">;

/** Adds lines to the ledger, durable when returned; says which. Errors: `io`, `disk_full`, `link_outside`, `not_a_file`. */
export async function appendLedger(memory: TreeMemory, events: readonly LedgerEvent[]): Promise<readonly LedgerLine[]> {
  if (events.length === 0) return [];
  const now = memory.clock.now();
  const at = localTimestamp(now, memory.clock.zone);
  const day = localDay(now, memory.clock.zone);
  const lines = events.map((event): LedgerLine => ({ at, day, ...event }));
  const text = lines.map(printLedgerLine).join("");
  const gap = await endOfLedger(memory);
  await memory.files.append(ledgerPath, Buffer.from(gap === "torn" ? `\n${text}` : text, "utf8"));
  return lines;
}

/** `torn`: a crash left a line without its end, which the next one must not stand in. */
async function endOfLedger(memory: TreeMemory): Promise<"whole" | "torn"> {
  const size = (await memory.files.read(ledgerPath, { from: 0, to: 0 }))?.size ?? 0;
  if (size === 0) return "whole";
  const last = await memory.files.read(ledgerPath, { from: size - 1, to: size });
  return last?.bytes[0] === newline ? "whole" : "torn";
}

/** What the ledger says, folded, and how many of its lines could not be read. */
export interface ReadLedgerFile {
  readonly fold: LedgerFold;
  readonly torn: number;
}

/** Folds the ledger without holding it: one chunk and one line at a time. Linear in its size. `onLine` sees each line, the oldest first. */
export async function readLedgerFile(memory: TreeMemory, onLine?: (line: LedgerLine) => void): Promise<ReadLedgerFile> {
  const fold = new LedgerFold();
  let torn = 0;
  for await (const text of linesOfLedger(memory)) {
    const line = parseLedgerLine(text);
    if (line === undefined) torn += text === "" ? 0 : 1;
    else {
      fold.add(line);
      onLine?.(line);
    }
  }
  return { fold, torn };
}

/** The waits alone, for a look at the tree: other lines are not parsed. Reads the file all the same. */
export async function readWaits(memory: TreeMemory): Promise<LedgerFold> {
  const fold = new LedgerFold();
  for await (const text of linesOfLedger(memory)) {
    const line = text.includes(waitMark) ? parseLedgerLine(text) : undefined;
    if (line?.event === "waited") fold.add(line);
  }
  return fold;
}

/** As `printLedgerLine` writes it. */
const waitMark = '"event":"waited"';

async function* linesOfLedger(memory: TreeMemory): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for (let from = 0; ;) {
    const read = await memory.files.read(ledgerPath, { from, to: from + chunkBytes });
    if (read === undefined || read.bytes.length === 0) break;
    from += read.bytes.length;
    const bytes = Buffer.concat([rest, read.bytes]);
    const whole = bytes.lastIndexOf(newline) + 1;
    if (whole > 0) yield* bytes.toString("utf8", 0, whole - 1).split("\n");
    rest = bytes.subarray(whole);
    // Of a line that is too long the end will be no JSON either.
    rest = rest.length > longestLine ? rest.subarray(rest.length - longestLine) : rest;
  }
  if (rest.length > 0) yield rest.toString("utf8");
}

/** Notes that a run found these nodes waiting for an answer. */
export async function countWaits(memory: TreeMemory, waiting: readonly NodeName[]): Promise<void> {
  await appendLedger(
    memory,
    waiting.map((name): LedgerEvent => ({ event: "waited", kind: name.level, label: nodeLabel(name) })),
  );
}

const defaultDays = 30;

/** What was asked, and what it cost. Holds few more lines than it gives. Errors: `invalid_date`, `invalid_config`. */
export async function readLedger(memory: TreeMemory, input: LedgerInput): Promise<LedgerResult> {
  const today = localDay(memory.clock.now(), memory.clock.zone);
  const since = sinceDay(input.since, today);
  const limit = input.limit ?? 50;
  const { configuration } = await readConfiguration(memory);
  let lines: LedgerLine[] = [];
  const { fold, torn } = await readLedgerFile(memory, (line) => {
    if (line.day >= since) lines.push(line);
    if (lines.length === limit * 2) lines = lines.slice(limit);
  });
  const { requests, tokens } = fold.totals(today);
  return {
    days: fold.days().filter(({ day }) => day >= since),
    lines: lines.slice(-limit).toReversed().map(entryOf),
    spent: { requests, tokens },
    budgets: budgetsOf(effectiveSettings(memory, configuration)),
    torn,
  };
}

function entryOf(line: LedgerLine): LedgerEntry {
  const { kind, label, digest } = line;
  // A choice is nobody's job.
  if (digest === undefined || kind === "choice") return line;
  return { ...line, job_id: printJobId({ kind, label, digest }) };
}

function sinceDay(given: string | undefined, today: string): string {
  if (given === undefined) return today > "0001-02-01" ? addDays(today, 1 - defaultDays) : "0001-01-01";
  if (isDay(given)) return given;
  throw new MemoryError("invalid_date", `since is ${JSON.stringify(shown(given, 40))}; give a day as 2026-03-15.`, {
    field: "since",
  });
}
