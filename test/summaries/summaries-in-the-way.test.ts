import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import { readStatus } from "../../src/operations/status.ts";
import { openMemory } from "../../src/open.ts";
import { longDay } from "../fixtures/long-days.ts";

/** Anything in the place of records and the ledger, such as from a cloned repository, never stops the tree. */
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const node = "memory/daily/2026-03-14.md";
const ledger = ".heartwood/summaries/ledger.jsonl";
const answers = ".heartwood/artifacts/answers";

function wait(day: string): string {
  return `${JSON.stringify({ at: "x", day, event: "waited", kind: "daily", label: "2026-03-14" })}\n`;
}

type Bring = (at: (path: string) => string, outside: string) => void;

const cases: readonly (readonly [string, Bring])[] = [
  ["a link in the place of all records", (at, outside) => symlinkSync(outside, at(answers))],
  ["a link in the place of the records of ROOT.md", (at, outside) => symlinkSync(outside, at(`${answers}/root`))],
  ["a link in the place of the records of days", (at, outside) => symlinkSync(outside, at(`${answers}/daily`))],
  ["a file in the place of the records of days", (at) => writeFileSync(at(`${answers}/daily`), "x")],
  ["a folder in the place of the ledger", (at) => mkdirSync(at(ledger))],
  ["a link in the place of the ledger", (at, outside) => symlinkSync(join(outside, "ledger"), at(ledger))],
  ["a ledger with an invalid day", (at) => writeFileSync(at(ledger), wait("9999-99-99"))],
  ["a ledger with the last possible day", (at) => writeFileSync(at(ledger), wait("9999-12-31"))],
];

test.each(cases)("%s", async (_name, bring) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-way-")));
  folders.push(base);
  const [dir, outside, config] = [join(base, "project"), join(base, "outside"), join(base, "config")];
  for (const folder of [join(dir, "memory"), outside, join(config, "heartwood")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(dir, "memory/2026-03-14.md"), longDay("2026-03-14"));
  writeFileSync(join(dir, "heartwood.config.json"), JSON.stringify({ summaries: { adapter: "pull" } }));
  bring((path) => {
    const whole = join(dir, path);
    mkdirSync(join(whole, ".."), { recursive: true });
    return whole;
  }, outside);
  for (let run = 0; run < 5; run += 1) {
    const memory = await openMemory({ dir, today: "2026-03-15", timeZone: "UTC" });
    await compactMemory(memory, {}, {});
    const { summaries } = await readStatus(memory);
    expect(summaries.adapter).toBe("pull");
    await memory.close();
  }
  expect(readFileSync(join(dir, node), "utf8")).toContain("status: fixed");
});
