import { describe, expect, it } from "vitest";
import { readStatus } from "../../src/operations/status.ts";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import {
  bodyAt,
  compact,
  expectSound,
  filesOf,
  keyAt,
  logOf,
  rawFiles,
  rootSection,
  textAt,
  writtenIn,
} from "./scenario.ts";

describe("late data", () => {
  it("week-late-log: a raw log added within the 7-day grace period reaches the weekly node", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": logOf("2026-03-10", ["Auth", "- tokens"]) }) });
    await compact(tree, "2026-03-15");
    tree.write("memory/2026-03-12.md", logOf("2026-03-12", ["Billing", "- found in an old branch"]));
    await compact(tree, "2026-03-20");
    const week = "memory/weekly/2026-W11.md";
    expect(keyAt(tree, week, "source-files")).toBe("[memory/daily/2026-03-10.md, memory/daily/2026-03-12.md]");
    expect(bodyAt(tree, week)).toContain("- found in an old branch");
    expect(keyAt(tree, week, "status")).toBe("tentative");
    expect(tree.list().filter((path) => path.includes(".late-"))).toEqual([]);
    await expectSound(tree);
  });

  it("late-append: the fixed daily keeps its bytes, an addendum contains the new lines, and the week takes them in", async () => {
    const raw = logOf("2026-03-14", ["Auth [project]", "- decisions: tokens"]);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-14": raw }) });
    await compact(tree, "2026-03-14");
    await compact(tree, "2026-03-15");
    const daily = "memory/daily/2026-03-14.md";
    const fixed = textAt(tree, daily);
    tree.write("memory/2026-03-14.md", `${raw}- after midnight: sessions\n\n## Night shift [user]\n- works late\n`);
    const result = await compact(tree);
    const addendum = "memory/daily/2026-03-14.late-1.md";
    expect(writtenIn(result)).toEqual([
      `${addendum} tentative`,
      "memory/weekly/2026-W11.md tentative",
      "memory/monthly/2026-03.md tentative",
      "memory/ROOT.md tentative",
    ]);
    expect(textAt(tree, daily)).toBe(fixed);
    expect(bodyAt(tree, addendum)).toBe(
      "## Auth [project]\n- after midnight: sessions\n\n## Night shift [user]\n- works late\n",
    );
    expect(keyAt(tree, addendum, "since")).toBe("2026-03-15");
    expect(keyAt(tree, addendum, "topics")?.split(", ").toSorted()).toEqual(["Auth [project]", "Night shift [user]"]);
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain(
      "# 2026-03-14.late-1\n\n## Auth [project]\n- after midnight: sessions",
    );
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("Night shift [user, 1d]");
    expect((await runVerify(tree.memory, {})).findings.map(({ code, path }) => `${code} ${path}`)).toContain(
      "late_source memory/2026-03-14.md",
    );
    expect((await readStatus(tree.memory)).late).toEqual([
      { path: "memory/2026-03-14.md", period: "2026-03-14", code: "late_source", addendum },
    ]);
    await expectSound(tree);
    await compact(tree, "2026-03-16");
    expect(keyAt(tree, addendum, "status")).toBe("fixed");
    await expectSound(tree);
  });

  it("late-append: lines added after the addendum is fixed go into the next one, and nothing is repeated", async () => {
    const raw = logOf("2026-03-10", ["Auth", "- one"]);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": raw }) });
    await compact(tree, "2026-03-11");
    tree.write("memory/2026-03-10.md", `${raw}- two\n`);
    await compact(tree, "2026-03-12");
    const first = textAt(tree, "memory/daily/2026-03-10.late-1.md");
    tree.write("memory/2026-03-10.md", `${raw}- two\n- three\n`);
    await compact(tree, "2026-03-12");
    expect(bodyAt(tree, "memory/daily/2026-03-10.late-1.md")).toBe("## Auth\n- two\n- three\n");
    expect(textAt(tree, "memory/daily/2026-03-10.late-1.md")).not.toBe(first);
    await compact(tree, "2026-03-13");
    tree.write("memory/2026-03-10.md", `${raw}- two\n- three\n- four\n`);
    await compact(tree, "2026-03-13");
    expect(bodyAt(tree, "memory/daily/2026-03-10.late-1.md")).toBe("## Auth\n- two\n- three\n");
    expect(bodyAt(tree, "memory/daily/2026-03-10.late-2.md")).toBe("## Auth\n- four\n");
    const week = bodyAt(tree, "memory/weekly/2026-W11.md");
    for (const item of ["one", "two", "three", "four"]) expect(week.split(`- ${item}\n`).length).toBe(2);
    await expectSound(tree);
  });

  it("late-day: a day from February that arrives in April reaches ROOT through addenda and is traced to its lines", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-02-10": logOf("2026-02-10", ["Auth", "- tokens"]) }) });
    await compact(tree, "2026-04-09");
    const [week, month] = ["memory/weekly/2026-W07.md", "memory/monthly/2026-02.md"];
    const before = filesOf(tree);
    for (const path of [week, month]) expect(keyAt(tree, path, "status")).toBe("fixed");
    tree.write(
      "memory/2026-02-12.md",
      logOf("2026-02-12", ["Beekeeping [project]", "- decisions: two hives behind the shed"]),
    );
    await compact(tree, "2026-04-10");
    expect(keyAt(tree, "memory/daily/2026-02-12.md", "status")).toBe("fixed");
    for (const path of [week, month, "memory/daily/2026-02-10.md"]) expect(textAt(tree, path)).toBe(before.get(path));
    const chain = [
      "memory/daily/2026-02-12.md",
      "memory/weekly/2026-W07.late-1.md",
      "memory/monthly/2026-02.late-1.md",
    ];
    for (const path of chain) expect(bodyAt(tree, path)).toContain("- decisions: two hives behind the shed");
    for (const path of chain.slice(1)) expect(bodyAt(tree, path)).not.toContain("tokens");
    expect(keyAt(tree, "memory/monthly/2026-02.late-1.md", "weeks")).toBe("2026-W07");
    const trace = await readTrace(tree.memory, { text: "Beekeeping [project" });
    expect([...new Set(trace.chain.map((entry) => entry.path))]).toEqual(["memory/ROOT.md", ...chain.toReversed()]);
    expect(trace.raw.map(({ path, lines, state }) => [path, lines, state])).toEqual([
      ["memory/2026-02-12.md", [3, 4], "found"],
    ]);
    await expectSound(tree);
    await compact(tree, "2026-04-11");
    for (const path of chain) expect(keyAt(tree, path, "status")).toBe("fixed");
    await expectSound(tree);
  });

  it("edited-past: a line changed by hand is in an addendum with only its section, and verify reports it", async () => {
    const raw = logOf(
      "2026-03-10",
      ["Auth", "- tokens"],
      ["Billing", "- invoices by mail", "- due in 30 days"],
      ["Roof", "- leak"],
    );
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": raw }) });
    await compact(tree, "2026-03-11");
    const daily = "memory/daily/2026-03-10.md";
    const fixed = textAt(tree, daily);
    tree.write("memory/2026-03-10.md", raw.replace("30 days", "14 days"));
    const found = await runVerify(tree.memory, {});
    expect(found.findings.map(({ code, severity, path, line }) => [code, severity, path, line])).toContainEqual([
      "source_edited",
      "warning",
      "memory/2026-03-10.md",
      6,
    ]);
    expect(found.ok).toBe(false);
    await compact(tree, "2026-03-12");
    expect(textAt(tree, daily)).toBe(fixed);
    expect(bodyAt(tree, "memory/daily/2026-03-10.late-1.md")).toBe(
      "## Billing\n- invoices by mail\n- due in 14 days\n",
    );
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain("due in 14 days");
    expect((await runVerify(tree.memory, {})).findings.map(({ code, path }) => `${code} ${path}`)).toContain(
      `source_edited ${daily}`,
    );
    await expectSound(tree);
  });

  it("raw-missing: if a raw log is deleted, its node stays unchanged, and verify reports source_missing", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-03-09": logOf("2026-03-09", ["Auth", "- tokens"]),
        "2026-03-15": logOf("2026-03-15", ["Roof", "- leak"]),
      }),
    });
    await compact(tree, "2026-03-15");
    const daily = "memory/daily/2026-03-09.md";
    const node = textAt(tree, daily);
    tree.remove("memory/2026-03-09.md");
    tree.remove("memory/2026-03-15.md");
    await compact(tree, "2026-03-23");
    expect(textAt(tree, daily)).toBe(node);
    expect(bodyAt(tree, "memory/daily/2026-03-15.md")).toContain("- leak");
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain("- tokens");
    const { findings, ok } = await runVerify(tree.memory, {});
    expect(findings.map(({ code, severity, path }) => `${code} ${severity} ${path}`)).toContain(
      `source_missing warning ${daily}`,
    );
    expect(findings.filter(({ code, path }) => code === "source_missing" && path === daily)).toHaveLength(1);
    expect(ok).toBe(false);
    const trace = await readTrace(tree.memory, { text: "Auth [" });
    expect(trace.raw.map(({ path, state }) => [path, state])).toEqual([["memory/2026-03-09.md", "missing"]]);
    expect((await readStatus(tree.memory)).late.map(({ period, code }) => `${period} ${code}`)).toEqual([
      "2026-03-09 source_missing",
      "2026-03-15 source_missing",
    ]);
    await expectSound(tree, ["source_missing"]);
  });
});
