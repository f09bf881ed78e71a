import { describe, expect, it } from "vitest";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import {
  bodyAt,
  compact,
  expectSound,
  filesOf,
  keyAt,
  logOf,
  longLog,
  rawFiles,
  textAt,
  writtenIn,
} from "./scenario.ts";

describe("the calendar", () => {
  it("week-fixed-early: W11 is tentative on its last day, on 16 and 22 March, and fixed on 23 March", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-03-09": logOf("2026-03-09", ["Auth", "- decisions: tokens"]),
        "2026-03-15": logOf("2026-03-15", ["Billing", "- invoices by mail"]),
      }),
    });
    const statuses: string[] = [];
    for (const day of ["2026-03-15", "2026-03-16", "2026-03-22", "2026-03-23"]) {
      await compact(tree, day);
      statuses.push(`${day} ${keyAt(tree, "memory/weekly/2026-W11.md", "status") ?? ""}`);
      await expectSound(tree);
    }
    expect(statuses).toEqual([
      "2026-03-15 tentative",
      "2026-03-16 tentative",
      "2026-03-22 tentative",
      "2026-03-23 fixed",
    ]);
  });

  it("tentative-becomes-fixed: yesterday's summarised daily becomes fixed today although no source changed", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": longLog("2026-03-15", "Import", 260) }) });
    await compact(tree);
    const path = "memory/daily/2026-03-15.md";
    const body = bodyAt(tree, path);
    expect([keyAt(tree, path, "status"), keyAt(tree, path, "made-by")]).toEqual(["tentative", "built-in-4"]);
    const result = await compact(tree, "2026-03-16");
    expect(writtenIn(result)).toEqual([`${path} fixed`, "memory/ROOT.md tentative"]);
    expect([keyAt(tree, path, "status"), bodyAt(tree, path)]).toEqual(["fixed", body]);
    await expectSound(tree);
  });

  it("week-waits-for-children: a week whose older raw logs have no daily yet is not fixed on any day", async () => {
    const days = ["2026-03-09", "2026-03-10", "2026-03-11"];
    const tree = openTestMemory({
      files: rawFiles(Object.fromEntries(days.map((day) => [day, logOf(day, [`Topic of ${day}`, "- one thing"])]))),
    });
    const week = "memory/weekly/2026-W11.md";
    const seen: (string | undefined)[] = [];
    for (let cycle = 0; cycle < 3; cycle++) {
      await compact(tree, "2026-03-30", { cycles: 1 });
      seen.push(keyAt(tree, week, "status"));
    }
    expect(seen).toEqual(["tentative", "tentative", "fixed"]);
    for (const day of days) expect(bodyAt(tree, week)).toContain(`Topic of ${day}`);
    await compact(tree);
    await expectSound(tree);
  });

  it("week-waits-for-children: a week with a tentative child waits one day longer, although its own grace period is over", async () => {
    const raw = logOf("2026-03-10", ["Auth", "- decisions: tokens"]);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": raw }) });
    await compact(tree, "2026-03-22");
    tree.write("memory/2026-03-10.md", `${raw}\n## Later\n- came on the 23rd\n`);
    await compact(tree, "2026-03-23");
    expect(keyAt(tree, "memory/daily/2026-03-10.late-1.md", "status")).toBe("tentative");
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "status")).toBe("tentative");
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain("came on the 23rd");
    await compact(tree, "2026-03-24");
    expect(keyAt(tree, "memory/daily/2026-03-10.late-1.md", "status")).toBe("fixed");
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "status")).toBe("fixed");
    expect(tree.list()).not.toContain("memory/weekly/2026-W11.late-1.md");
    await expectSound(tree);
  });

  it("month-waits-for-last-week: April 2026 waits on 8 May for W18 and is fixed with it on 11 May", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-04-07": logOf("2026-04-07", ["Roof", "- leak found"]),
        "2026-04-30": logOf("2026-04-30", ["Roof", "- outcome: shipped"]),
      }),
    });
    const seen: string[] = [];
    for (const day of ["2026-05-03", "2026-05-08", "2026-05-10", "2026-05-11"]) {
      await compact(tree, day);
      seen.push(
        `${day} ${keyAt(tree, "memory/weekly/2026-W18.md", "status")} ${keyAt(tree, "memory/monthly/2026-04.md", "status")}`,
      );
      await expectSound(tree);
    }
    expect(seen).toEqual([
      "2026-05-03 tentative tentative",
      "2026-05-08 tentative tentative",
      "2026-05-10 tentative tentative",
      "2026-05-11 fixed fixed",
    ]);
  });

  it("future-log: a log dated tomorrow is tentative today and tomorrow, and fixed the day after", async () => {
    const tree = openTestMemory({
      files: rawFiles({ "2026-03-16": logOf("2026-03-16", ["Tokyo [project]", "- landed"]) }),
    });
    const path = "memory/daily/2026-03-16.md";
    await compact(tree, "2026-03-15");
    expect([keyAt(tree, path, "status"), keyAt(tree, "memory/weekly/2026-W12.md", "status")]).toEqual([
      "tentative",
      "tentative",
    ]);
    await expectSound(tree);
    tree.write("memory/2026-03-16.md", `${textAt(tree, "memory/2026-03-16.md")}- and slept\n`);
    await compact(tree, "2026-03-16");
    expect([keyAt(tree, path, "status"), bodyAt(tree, path).includes("and slept")]).toEqual(["tentative", true]);
    await compact(tree, "2026-03-17");
    expect(keyAt(tree, path, "status")).toBe("fixed");
    await expectSound(tree);
  });

  it("month-of-week: W18 of 2023 belongs to May, W18 of 2026 to April", async () => {
    const tree = openTestMemory({
      today: "2026-06-20",
      files: rawFiles({
        "2023-05-01": logOf("2023-05-01", ["May day", "- a walk"]),
        "2026-05-03": logOf("2026-05-03", ["Sunday in May", "- still the week of Thursday 30 April"]),
      }),
    });
    await compact(tree);
    expect(tree.list().filter((path) => /^memory\/(?:weekly|monthly)\//u.test(path))).toEqual([
      "memory/monthly/2023-05.md",
      "memory/monthly/2026-04.md",
      "memory/weekly/2023-W18.md",
      "memory/weekly/2026-W18.md",
    ]);
    expect(bodyAt(tree, "memory/monthly/2023-05.md")).toContain("a walk");
    expect(bodyAt(tree, "memory/monthly/2026-04.md")).toContain("Sunday in May");
    expect(keyAt(tree, "memory/monthly/2026-04.md", "weeks")).toBe("2026-W18");
    await expectSound(tree);
  });

  it("iso-week: 2027-03-10 is in 2027-W10, and 2026-12-31 and 2027-01-01 are in 2026-W53", async () => {
    const days = ["2026-12-31", "2027-01-01", "2027-03-10"];
    const tree = openTestMemory({
      today: "2027-03-10",
      files: rawFiles(Object.fromEntries(days.map((day) => [day, logOf(day, [`On ${day}`, "- a thing"])]))),
    });
    await compact(tree);
    expect(keyAt(tree, "memory/weekly/2026-W53.md", "source-files")).toBe(
      "[memory/daily/2026-12-31.md, memory/daily/2027-01-01.md]",
    );
    expect(keyAt(tree, "memory/weekly/2026-W53.md", "dates")).toBe("2026-12-28 to 2027-01-03");
    expect(keyAt(tree, "memory/weekly/2027-W10.md", "source-files")).toBe("[memory/daily/2027-03-10.md]");
    expect(keyAt(tree, "memory/monthly/2026-12.md", "weeks")).toBe("2026-W53");
    await expectSound(tree);
  });

  it("bad-date: memory/2026-02-30.md and memory/2026-13-45.md are skipped with a message and create no period", async () => {
    const tree = openTestMemory({
      files: {
        ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }),
        "memory/2026-02-30.md": "## Ghost of February\n- boo\n",
        "memory/2026-13-45.md": "## Ghost of nowhen\n- boo\n",
      },
    });
    const { skipped } = await compact(tree);
    expect(skipped.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "memory/2026-02-30.md bad_name",
      "memory/2026-13-45.md bad_name",
    ]);
    for (const { message } of skipped) expect(message).toMatch(/not a valid date/u);
    expect(tree.list().filter((path) => /2026-02|2026-13/u.test(path))).toEqual([
      "memory/2026-02-30.md",
      "memory/2026-13-45.md",
    ]);
    expect(textAt(tree, "memory/ROOT.md")).not.toContain("Ghost");
    await expectSound(tree, ["bad_name"]);
  });

  it("bad-date: names with a date that are neither a log's nor a node's are reported; other names are ignored", async () => {
    const bad = [
      "memory/daily/2026-02-31.md",
      "memory/daily/2026-03-01.late-99999.md",
      "memory/weekly/2026-W54.md",
      "memory/2026-03-01 notes.md",
      "memory/2026-03-01.late-1.md",
      "memory/2026-03-01.notes.md",
      "memory/2026-03-01_notes.md",
      "memory/2026-03-03.MD",
      "memory/20260301.md",
      "memory/2026-3-1.md",
      "memory/2026-03-01.txt",
    ];
    const others = ["memory/20260301123000.md", "memory/notes.md", "memory/2026-03-01-receipt.txt"];
    const tree = openTestMemory({
      files: {
        ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }),
        ...Object.fromEntries([...bad, ...others].map((path) => [path, "## Ghost\n- boo\n"])),
      },
    });
    const { skipped } = await compact(tree);
    expect(skipped.map(({ path }) => path).toSorted()).toEqual(bad.toSorted());
    expect(skipped.every(({ code }) => code === "bad_name")).toBe(true);
    expect(textAt(tree, "memory/ROOT.md")).not.toContain("Ghost");
    await expectSound(tree, ["bad_name"]);
  });

  it("own-zone: an entry's time and its file's date are in the memory's zone", async () => {
    const places = [
      ["Pacific/Auckland", "+13:00"],
      ["America/Los_Angeles", "-07:00"],
      ["Asia/Kathmandu", "+05:45"],
    ] as const;
    for (const [zone, offset] of places) {
      const tree = openTestMemory({ zone, today: "2026-03-15" });
      tree.passHours(-11.5);
      const early = await appendEntry(tree.memory, { topic: "Early", body: "just after midnight" });
      tree.passHours(23);
      const late = await appendEntry(tree.memory, { topic: "Late", body: "just before midnight" });
      expect([early.path, late.path, early.date, late.date]).toEqual([
        "memory/2026-03-15.md",
        "memory/2026-03-15.md",
        "2026-03-15",
        "2026-03-15",
      ]);
      const log = textAt(tree, "memory/2026-03-15.md");
      expect(log).toMatch(/^# 2026-03-15\n/u);
      expect([...log.matchAll(/ at=(\S+) /gu)].map((match) => match[1])).toEqual([
        `2026-03-15T00:30:00${offset}`,
        `2026-03-15T23:30:00${offset}`,
      ]);
      const { today } = await compact(tree);
      expect(today).toBe("2026-03-15");
      expect(keyAt(tree, "memory/daily/2026-03-15.md", "status")).toBe("tentative");
      expect(keyAt(tree, "memory/ROOT.md", "last-updated")).toBe("2026-03-15");
    }
  });

  it("clock-back: if today is earlier than the last run, nothing is unfixed or fixed early, and there is a warning", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": logOf("2026-03-10", ["Auth", "- tokens"]) }) });
    await compact(tree, "2026-03-30");
    const fixed = ["memory/daily/2026-03-10.md", "memory/weekly/2026-W11.md"];
    const before = filesOf(tree);
    for (const path of fixed) expect(keyAt(tree, path, "status")).toBe("fixed");
    tree.write("memory/2026-03-12.md", logOf("2026-03-12", ["Billing", "- new under the turned clock"]));
    const { warnings } = await compact(tree, "2026-03-20");
    expect(warnings.map((warning) => warning.code)).toContain("clock_back");
    for (const path of fixed) expect(textAt(tree, path)).toBe(before.get(path));
    expect(keyAt(tree, "memory/daily/2026-03-12.md", "status")).toBe("tentative");
    expect(textAt(tree, "memory/ROOT.md")).toContain("Billing");
    await expectSound(tree);
    await compact(tree, "2026-04-01");
    expect(keyAt(tree, "memory/daily/2026-03-12.md", "status")).toBe("fixed");
    expect((await runVerify(tree.memory, {})).ok).toBe(true);
    await expectSound(tree);
  });
});
