import { shown } from "../text/shown.ts";
import { parseRecordName, recordFolder } from "../summaries/request/record.ts";
import { summaryKinds } from "../summaries/request/request.ts";
import { isTemporaryName } from "../base/known-paths.ts";
import type { Check } from "./doctor-fix.ts";
import { attempt, fine } from "./doctor-checks.ts";
import type { Memory } from "./memory.ts";
import { readRecord, ledgerPath, readLedgerFile } from "../tree/run/answer-store.ts";

/** Records that cannot be used, and a ledger that cannot be read. Says nothing where there are neither. */
export async function checkAnswers(memory: Memory): Promise<readonly Check[]> {
  return [
    ...(await attempt("answers", () => checkRecords(memory))),
    ...(await attempt("ledger", () => checkLedger(memory))),
  ];
}

async function checkRecords(memory: Memory): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let whole = 0;
  for (const kind of summaryKinds)
    for (const entry of await memory.files.list(recordFolder(kind))) {
      if (isTemporaryName(entry.name)) continue;
      const path = `${recordFolder(kind)}/${entry.name}`;
      const isNamed = entry.kind === "file" && parseRecordName(entry.name) !== undefined;
      const check = (state: Check["state"], what: string, fix: string): number =>
        checks.push({ name: "answers", state, message: `${shown(path, 300)} ${what}`, fix });
      if (/\.damaged-[0-9a-f]{8}$/u.test(entry.name))
        check("note", "was damaged and is kept; another answer stands in its place", "look at it, then move it away");
      else if (!isNamed) check("note", "is no record by its name and is not used", "move it away");
      else if ((await readRecord(memory, path)) === "damaged")
        check(
          "problem",
          "does not give its own checksum, or is not what its name says: it is not used",
          "restore it from a backup or from git, or delete it",
        );
      else whole += 1;
    }
  return whole > 0 && checks.length === 0 ? [fine("answers", `${whole} on record, all of them whole`)] : checks;
}

async function checkLedger(memory: Memory): Promise<readonly Check[]> {
  if ((await memory.files.read(ledgerPath, { from: 0, to: 0 })) === undefined) return [];
  const { torn } = await readLedgerFile(memory);
  if (torn === 0) return [fine("ledger", `${ledgerPath} can be read`)];
  const message = `${torn} of the lines of ${ledgerPath} are torn or not ours, and are passed over: budgets of the day may not know a request`;
  return [{ name: "ledger", state: "note", message, fix: null }];
}
