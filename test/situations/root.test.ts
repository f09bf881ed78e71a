import { describe, expect, it } from "vitest";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import {
  bodyAt,
  compact,
  expectSound,
  keyAt,
  logOf,
  longLog,
  rawFiles,
  rootSection,
  textAt,
  writtenIn,
} from "./scenario.ts";

const rootPath = "memory/ROOT.md";

describe("ROOT.md", () => {
  it("root-day-one: after the first run on the first day, ROOT.md lists what was logged and can be traced to it", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-03-15": logOf(
          "2026-03-15",
          ["Auth [project]", "- decisions: tokens, since sessions are lost on restart"],
          ["Short answers [feedback]", "- rule: three sentences", "- why: reads on a phone", "- how-to-apply: chat"],
        ),
      }),
    });
    const result = await compact(tree);
    expect(writtenIn(result)).toEqual([
      "memory/daily/2026-03-15.md tentative",
      "memory/weekly/2026-W11.md tentative",
      "memory/monthly/2026-03.md tentative",
      "memory/ROOT.md tentative",
    ]);
    expect(rootSection(tree, "Active Context").join("\n")).toContain(
      "Auth: tokens, since sessions are lost on restart",
    );
    expect(rootSection(tree, "Topics Index").join("\n")).toMatch(/^- Short answers \[feedback, 0d\]: .*sentences/mu);
    expect(rootSection(tree, "Topics Index").join("\n")).toMatch(/^- Auth \[project, 0d\]$/mu);
    const trace = await readTrace(tree.memory, { text: "Auth: tokens" });
    expect(trace.raw.map(({ path, lines, text }) => [path, lines, text.trimEnd()])).toEqual([
      ["memory/2026-03-15.md", [4, 4], "- decisions: tokens, since sessions are lost on restart"],
    ]);
    await expectSound(tree);
  });

  it("root-content: an existing ROOT.md gets a new topic and keeps the old ones", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-14": logOf("2026-03-14", ["Auth", "- tokens"]) }) });
    await compact(tree, "2026-03-14");
    tree.write(
      "memory/2026-03-15.md",
      logOf("2026-03-15", ["Billing [reference]", "- see https://billing.example.org/docs"]),
    );
    await compact(tree, "2026-03-15");
    const index = rootSection(tree, "Topics Index").join("\n");
    expect(index).toContain("- Auth [project, 1d]");
    expect(index).toMatch(/- Billing \[reference, 0d\].*https:\/\/billing\.example\.org\/docs/u);
    await expectSound(tree);
  });

  it("root-content: lines that a user added to ROOT.md are in today's log afterwards, and in ROOT again with their type", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-14": logOf("2026-03-14", ["Auth", "- tokens"]) }) });
    await compact(tree, "2026-03-14");
    tree.write(
      rootPath,
      `${textAt(tree, rootPath)}- Garden plan [user]: tomatoes on the south side\n- Boiler: serviced in May\n`,
    );
    const { warnings } = await compact(tree, "2026-03-15");
    expect(warnings.map(({ code }) => code)).toContain("root_lines");
    const log = textAt(tree, "memory/2026-03-15.md");
    expect(log).toMatch(
      /^## From ROOT\.md \[user\]\n<!-- hw id=\S+ at=\S+ origin=user bytes=\d+ -->\n- Garden plan: tomatoes on the south side$/mu,
    );
    expect(log).toMatch(/^## From ROOT\.md \[project\]\n<!-- .* -->\n- Boiler: serviced in May$/mu);
    const index = rootSection(tree, "Topics Index").join("\n");
    expect(index).toMatch(/^- Garden plan \[user, 0d\]: .*tomatoes/mu);
    expect(index).toMatch(/^- Boiler \[project, 0d\]$/mu);
    expect(rootSection(tree, "Active Context")).toContain("- Boiler: serviced in May");
    expect(textAt(tree, rootPath)).not.toContain("From ROOT.md");
    expect((await readTrace(tree.memory, { text: "Garden plan [user" })).raw.map(({ path }) => path)).toEqual([
      "memory/2026-03-15.md",
    ]);
    await expectSound(tree);
    await compact(tree, "2026-03-16");
    expect(textAt(tree, "memory/2026-03-15.md")).toBe(log);
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("- Garden plan [user, 1d]");
    await expectSound(tree);
  });

  it("root-ages: after 40 days without entries only ROOT.md is written, with today's ages, marks and Active Context", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-02-11": logOf("2026-02-11", ["Auth", "- tokens"]),
        "2026-02-25": logOf(
          "2026-02-25",
          ["Wiki [reference]", "- https://wiki.example.org/start"],
          ["Roof", "- leak over the stairs"],
        ),
      }),
    });
    await compact(tree, "2026-03-09");
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("- Wiki [reference, 12d]");
    const result = await compact(tree, "2026-04-18");
    expect(writtenIn(result)).toEqual(["memory/ROOT.md tentative"]);
    expect(keyAt(tree, rootPath, "last-updated")).toBe("2026-04-18");
    const index = rootSection(tree, "Topics Index").join("\n");
    expect(index).toContain("- Auth [project, 66d]");
    expect(index).toContain("- Wiki [reference, 52d, ?]");
    expect(index).toContain("- Roof [project, 52d]");
    expect(index).not.toMatch(/(?:project|user|feedback), \d+d, \?/u);
    const active = rootSection(tree, "Active Context").join("\n");
    expect(active).toContain("leak over the stairs");
    expect(active).not.toContain("tokens");
    await expectSound(tree);
  });

  it("snapshot-once: a task in WORKING.md is in today's log once after three runs; a changed task adds one more entry", async () => {
    const working = "# Working\n\n## Import rewrite\n\n### Next Steps\n- [ ] batch by hour\n";
    const tree = openTestMemory({
      files: {
        ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }),
        "WORKING.md": "# Working\n\n(no active tasks)\n<!-- template -->\n",
      },
    });
    const snapshots = (): number =>
      textAt(tree, "memory/2026-03-15.md").split("## Working State Snapshot [project]").length - 1;
    const grow = (line: string): void =>
      tree.write("memory/2026-03-15.md", `${textAt(tree, "memory/2026-03-15.md")}${line}\n`);
    await compact(tree);
    expect(snapshots()).toBe(0);
    tree.write("WORKING.md", working);
    grow("- more");
    const dry = await compact(tree, undefined, { dry_run: true });
    expect([snapshots(), dry.due.length > 0]).toEqual([0, true]);
    for (const line of ["- one", "- two", "- three"]) {
      grow(line);
      await compact(tree);
    }
    expect(snapshots()).toBe(1);
    expect(textAt(tree, "memory/2026-03-15.md")).toMatch(
      /^#### Import rewrite\n\n##### Next Steps\n- \[ \] batch by hour$/mu,
    );
    await expectSound(tree);
    tree.write("WORKING.md", `${working}- [ ] measure\n`);
    grow("- four");
    await compact(tree);
    expect(snapshots()).toBe(2);
    for (const path of ["memory/daily/2026-03-15.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"])
      expect(keyAt(tree, path, "topics")).toBe("Auth [project]");
    expect(rootSection(tree, "Topics Index").join("\n")).not.toMatch(/Snapshot|Import rewrite/u);
    expect(textAt(tree, "WORKING.md")).toBe(`${working}- [ ] measure\n`);
    await expectSound(tree);
    await compact(tree, "2026-03-16");
    expect(tree.list()).not.toContain("memory/2026-03-16.md");
    await expectSound(tree);
  });

  it("week-of-long-days: a week of five long days has a summarised weekly node, with something of every day", async () => {
    const days = ["2026-03-09", "2026-03-10", "2026-03-11", "2026-03-12", "2026-03-13"];
    const names = ["Import", "Export", "Search", "Backup", "Mail"];
    const tree = openTestMemory({
      files: rawFiles(Object.fromEntries(days.map((day, index) => [day, longLog(day, names[index] ?? "", 420)]))),
    });
    await compact(tree);
    const week = "memory/weekly/2026-W11.md";
    expect(keyAt(tree, week, "made-by")).toBe("built-in-4");
    const body = bodyAt(tree, week);
    expect(body).toMatch(/^# Weekly Summary: 2026-W11\n\n## Topics\n/u);
    expect(body.split("\n").length - 1).toBeLessThanOrEqual(300);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(24 * 1024);
    for (const [index, day] of days.entries()) {
      expect(body).toMatch(new RegExp(`^- ${names[index]} \\[project\\]: .+ \\(${day.slice(5)}:\\d`, "mu"));
      expect(body).toMatch(new RegExp(`^- ${names[index]}: .*step \\d+.* \\(${day.slice(5)}:\\d+`, "mu"));
    }
    expect(keyAt(tree, week, "topics")?.split(", ").toSorted()).toEqual(
      names.map((name) => `${name} [project]`).toSorted(),
    );
    for (const name of names) expect(rootSection(tree, "Topics Index").join("\n")).toContain(`- ${name} [project`);
    await expectSound(tree);
  });
});
