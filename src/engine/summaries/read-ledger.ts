import { addDays, isDay, localDay } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";
import type { LedgerLine } from "../../summarize/answers/ledger.ts";
import { printJobId } from "../../summarize/answers/record.ts";
import { readConfiguration } from "../configuration.ts";
import type { Memory } from "../memory.ts";
import type { LedgerInput } from "./inputs.ts";
import { readLedgerFile } from "./ledger.ts";
import type { LedgerEntry, LedgerResult } from "./results.ts";
import { budgetsOf, effectiveSettings } from "./settings.ts";

const defaultDays = 30;
const defaultLimit = 50;

/** What was asked, and what it cost. Holds no more lines than it gives. Errors: `invalid_date`, `invalid_config`. */
export async function readLedger(memory: Memory, input: LedgerInput): Promise<LedgerResult> {
  const today = localDay(memory.clock.now(), memory.clock.zone);
  const since = sinceDay(input.since, today);
  const limit = input.limit ?? defaultLimit;
  const { configuration } = await readConfiguration(memory);
  const lines = new Newest<LedgerLine>(limit);
  const { fold, torn } = await readLedgerFile(memory, (line) => {
    if (line.day >= since) lines.add(line);
  });
  const { requests, tokens } = fold.totals(today);
  return {
    days: fold.days().filter(({ day }) => day >= since),
    lines: lines.newestFirst().map(entryOf),
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

/** The last so many of what is added. */
class Newest<Item> {
  readonly #limit: number;
  readonly #ring: Item[] = [];
  #next = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(item: Item): void {
    this.#ring[this.#next] = item;
    this.#next = (this.#next + 1) % this.#limit;
  }

  newestFirst(): readonly Item[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].toReversed();
  }
}
