import { addDays, isDay, localDay } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { LedgerLine } from "../../tree/answers/ledger.ts";
import { readLedgerFile } from "../../tree/run/answer-store.ts";
import { printJobId } from "../../tree/answers/record.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { LedgerInput } from "./inputs.ts";
import type { LedgerEntry, LedgerResult } from "./results.ts";
import { budgetsOf, effectiveSettings } from "./settings.ts";

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
