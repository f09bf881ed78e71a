import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { appendLedger, countWaits, ledgerPath, readLedgerFile, type LedgerEvent } from "./answer-store.ts";

const digest = "0123456789abcdef".repeat(4);
const asked: LedgerEvent = {
  event: "asked",
  kind: "daily",
  label: "2026-03-14",
  digest,
  model: "m",
  tokens: 100,
  requests: 1,
};
const answered: LedgerEvent = { ...asked, event: "answered", tokens: 60, requests: 2, outcome: "accepted" };

async function totals(test: TestMemory, day = "2026-03-15"): Promise<unknown> {
  return (await readLedgerFile(test.memory)).fold.totals(day);
}

describe("the ledger", () => {
  it("replaces the estimate with the actual cost when a request ends", async () => {
    const test = openTestMemory();
    await appendLedger(test.memory, [asked]);
    expect(await totals(test)).toMatchObject({ requests: 1, tokens: 100, accepted: 0 });
    await appendLedger(test.memory, [answered]);
    expect(await totals(test)).toMatchObject({ requests: 2, tokens: 60, accepted: 1 });
  });

  it("counts every attempt, and keeps the estimate when a failure reports no cost", async () => {
    const test = openTestMemory();
    await appendLedger(test.memory, [asked, { ...asked, requests: 2 }, { ...asked, requests: 3 }]);
    expect(await totals(test)).toMatchObject({ requests: 3, tokens: 300 });
    const { tokens: _tokens, ...failed } = { ...asked, event: "failed" as const, requests: 3 };
    await appendLedger(test.memory, [failed]);
    expect(await totals(test)).toMatchObject({ requests: 3, tokens: 300, failed: 1 });
  });

  it("keeps counting a request that never came back, even after a later answer", async () => {
    const test = openTestMemory();
    await appendLedger(test.memory, [asked]);
    test.setToday("2026-03-16");
    await appendLedger(test.memory, [asked, answered]);
    expect(await totals(test)).toMatchObject({ requests: 1, tokens: 100 });
    expect(await totals(test, "2026-03-16")).toMatchObject({ requests: 2, tokens: 60 });
  });

  it("counts an answer that comes after midnight on the day of its last attempt", async () => {
    const test = openTestMemory();
    await appendLedger(test.memory, [asked]);
    test.setToday("2026-03-16");
    await appendLedger(test.memory, [{ ...answered, requests: 1 }]);
    expect(await totals(test)).toMatchObject({ requests: 1, tokens: 60 });
    expect(await totals(test, "2026-03-16")).toMatchObject({ requests: 0, tokens: 0, accepted: 1 });
  });

  it("does not refund a day for the previous day's attempts", async () => {
    const test = openTestMemory();
    await appendLedger(test.memory, [asked]);
    test.setToday("2026-03-16");
    await appendLedger(test.memory, [
      { ...asked, requests: 2 },
      { ...answered, tokens: 60, requests: 2 },
    ]);
    expect(await totals(test)).toMatchObject({ requests: 0, tokens: 0 });
    expect(await totals(test, "2026-03-16")).toMatchObject({ requests: 2, tokens: 60 });
  });

  it("uses the days of the clock's time zone", async () => {
    const test = openTestMemory({ zone: "Pacific/Kiritimati", today: "2026-03-15" });
    test.passHours(11);
    await appendLedger(test.memory, [asked]);
    test.passHours(2);
    await appendLedger(test.memory, [asked]);
    expect((await readLedgerFile(test.memory)).fold.days().map(({ day }) => day)).toEqual(["2026-03-16", "2026-03-15"]);
    expect(test.read(ledgerPath)).toContain("+14:00");
  });

  it("skips and counts torn lines, and never appends to one", async () => {
    const test = openTestMemory();
    await appendLedger(test.memory, [asked]);
    const whole = test.read(ledgerPath) ?? "";
    for (const cut of [1, 40, whole.length - 1]) {
      test.write(ledgerPath, whole + whole.slice(0, cut));
      await appendLedger(test.memory, [answered]);
      const { fold, torn } = await readLedgerFile(test.memory);
      expect(fold.totals("2026-03-15")).toMatchObject({ accepted: 1 });
      expect(torn).toBe(cut === whole.length - 1 ? 0 : 1);
    }
  });

  it("skips foreign lines: not JSON, not an object, not UTF-8, endless", async () => {
    const test = openTestMemory();
    const bad = Buffer.concat([
      Buffer.from(`[]\n{}\nnull\n{"event":"asked"}\n`),
      Buffer.from([0xff, 0xfe, 10, 0, 10]),
      Buffer.from(`${"{".repeat(700_000)}\n`),
    ]);
    test.write(ledgerPath, bad);
    await appendLedger(test.memory, [asked]);
    const { fold, torn } = await readLedgerFile(test.memory);
    expect(torn).toBe(7);
    expect(fold.totals("2026-03-15").requests).toBe(1);
  });

  it("counts the runs in which a node waited, and records the day of the first", async () => {
    const test = openTestMemory();
    const name = { level: "weekly", period: "2026-W10", late: 1 } as const;
    await countWaits(test.memory, []);
    expect(test.read(ledgerPath)).toBeUndefined();
    await countWaits(test.memory, [name]);
    test.setToday("2026-03-17");
    await countWaits(test.memory, [name]);
    const { fold } = await readLedgerFile(test.memory);
    expect([...fold.waited()]).toEqual([["weekly 2026-W10.late-1", { runs: 2, since: "2026-03-15" }]]);
    test.setToday("2026-03-14");
    await countWaits(test.memory, [name]);
    const back = (await readLedgerFile(test.memory)).fold.waited();
    expect([...back.values()]).toEqual([{ runs: 3, since: "2026-03-14" }]);
  });
});
