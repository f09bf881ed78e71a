import { describe, expect, it } from "vitest";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import {
  bodyAt,
  compact,
  expectSound,
  filesOf,
  frontAt,
  keyAt,
  logOf,
  longLog,
  rawFiles,
  rootSection,
  textAt,
} from "./scenario.ts";

/** Rewrites a node's body as an agent would, and keeps its front matter. */
function rewriteBody(tree: TestMemory, path: string, body: string): void {
  tree.write(path, `---\n${frontAt(tree, path).join("\n")}\n---\n${body}`);
}

const summary =
  "## Topics\n- Import [project]: the whole day in one line\n\n## Key Decisions\n- Import: batch by hour\n";

function daily(day: string, body: string): string {
  return `---\ntype: daily\nstatus: fixed\nperiod: ${day}\nsource-files: [memory/${day}.md]\ntopics:\n---\n\n${body}`;
}

function front(type: string, period: string): string {
  return `---\ntype: ${type}\nstatus: fixed\nperiod: ${period}\ntopics:\n---\n`;
}

describe("files written by people and other programs", () => {
  it("summary-kept: an agent's summary of today's long log survives runs, is fixed as it is, and is replaced if sources change", async () => {
    const raw = longLog("2026-03-15", "Import", 260);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": raw }) });
    await compact(tree);
    const path = "memory/daily/2026-03-15.md";
    rewriteBody(tree, path, summary);
    await compact(tree);
    expect([bodyAt(tree, path), keyAt(tree, path, "made-by")]).toEqual([summary, "foreign"]);
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain("- Import: batch by hour");
    expect(textAt(tree, "memory/ROOT.md")).toContain("batch by hour");
    const { findings } = await runVerify(tree.memory, {});
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toEqual(["foreign_summary info"]);
    const trace = await readTrace(tree.memory, { text: "batch by hour" });
    expect(trace.raw.map(({ path: log, lines, state }) => [log, lines, state])).toEqual([
      ["memory/2026-03-15.md", [1, 260], "found"],
    ]);
    await expectSound(tree);
    await compact(tree, "2026-03-16");
    expect([bodyAt(tree, path), keyAt(tree, path, "status")]).toEqual([summary, "fixed"]);
    await expectSound(tree);
  });

  it("summary-kept: if the log grows on the same day, the node is rebuilt and the agent's summary is archived", async () => {
    const raw = longLog("2026-03-15", "Import", 260);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": raw }) });
    await compact(tree);
    const path = "memory/daily/2026-03-15.md";
    rewriteBody(tree, path, summary);
    tree.write("memory/2026-03-15.md", `${raw}\n## Evening\n- outcome: shipped\n`);
    await compact(tree);
    expect(keyAt(tree, path, "made-by")).toBe("built-in-4");
    expect(bodyAt(tree, path)).toContain("Evening");
    const kept = tree.list().filter((file) => file.startsWith("memory/archive/nodes/daily/2026-03-15."));
    expect(kept.map((file) => bodyAt(tree, file))).toEqual([summary]);
    await expectSound(tree);
  });

  it("week-summary-kept: an agent's summary of the week survives runs and is fixed as it is", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-03-09": longLog("2026-03-09", "Import", 190),
        "2026-03-10": longLog("2026-03-10", "Export", 190),
      }),
    });
    await compact(tree);
    const path = "memory/weekly/2026-W11.md";
    expect(keyAt(tree, path, "made-by")).toBe("built-in-4");
    const own = `# Weekly Summary: 2026-W11\n\n${summary}`;
    rewriteBody(tree, path, own);
    await compact(tree);
    expect([bodyAt(tree, path), keyAt(tree, path, "status")]).toEqual([own, "tentative"]);
    expect(bodyAt(tree, "memory/monthly/2026-03.md")).toContain("- Import: batch by hour");
    await expectSound(tree);
    await compact(tree, "2026-03-23");
    expect([bodyAt(tree, path), keyAt(tree, path, "status")]).toEqual([own, "fixed"]);
    await expectSound(tree);
  });

  it("slug-log: memory/2026-03-10-standup.md is part of the daily of 2026-03-10, in name order", async () => {
    const tree = openTestMemory({
      files: {
        "memory/2026-03-10-standup.md": logOf("2026-03-10", ["Standup", "- three blockers"]),
        "memory/2026-03-10.md": logOf("2026-03-10", ["Auth", "- tokens"]),
        "memory/2026-03-10-evening.md": logOf("2026-03-10", ["Evening", "- retro"]),
        "memory/2026-03-11-standup.md": logOf("2026-03-11", ["Standup", "- two blockers"]),
      },
    });
    await compact(tree, "2026-03-12");
    const path = "memory/daily/2026-03-10.md";
    expect(keyAt(tree, path, "source-files")).toBe(
      "[memory/2026-03-10.md, memory/2026-03-10-evening.md, memory/2026-03-10-standup.md]",
    );
    const body = bodyAt(tree, path);
    const places = ["- tokens", "- retro", "- three blockers"].map((item) => body.indexOf(item));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(bodyAt(tree, "memory/daily/2026-03-11.md")).toContain("- two blockers");
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("Standup [project, 1d]");
    await expectSound(tree);
  });

  it("upgrade: a fixed node made by an older rule is reported as rule_older and not rewritten; a tentative one is rebuilt", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-03-14": longLog("2026-03-14", "Import", 260),
        "2026-03-15": longLog("2026-03-15", "Export", 260),
      }),
    });
    await compact(tree);
    const [fixed, open] = ["memory/daily/2026-03-14.md", "memory/daily/2026-03-15.md"];
    for (const path of [fixed, open])
      tree.write(path, textAt(tree, path).replace("made-by: built-in-4", "made-by: built-in-0"));
    const before = filesOf(tree);
    const { findings, ok } = await runVerify(tree.memory, {});
    expect(findings.filter(({ path }) => path === fixed).map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      "rule_older info",
    ]);
    expect(ok).toBe(true);
    const { written } = await compact(tree);
    expect(written.map(({ path }) => path)).toEqual([open]);
    expect(keyAt(tree, open, "made-by")).toBe("built-in-4");
    expect(textAt(tree, fixed)).toBe(before.get(fixed));
    await expectSound(tree);
  });

  it("hipocampus-tree: a tree of hipocampus 0.5 is adopted: raw logs untouched, nodes rebuilt, the old ones archived or kept", async () => {
    const weekly =
      `---\ntype: weekly\nstatus: tentative\nperiod: 2026-W11\ndates: 2026-03-09 to 2026-03-15\nsource-files: [memory/daily/2026-03-10.md]\ntopics:\n---\n\n` +
      daily("2026-03-10", "# 2026-03-10\n\n## Auth\n- tokens\n");
    const raws = {
      "memory/2026-03-10.md": "# 2026-03-10\n\n## Auth\n- tokens\n",
      "memory/2026-03-11.md": longLog("2026-03-11", "Import", 300),
    };
    const tree = openTestMemory({
      files: {
        ...raws,
        "memory/daily/2026-03-10.md": daily("2026-03-10", raws["memory/2026-03-10.md"]),
        "memory/daily/2026-03-11.md": `---\ntype: daily\nstatus: needs-summarization\nperiod: 2026-03-11\nsource-files: [memory/2026-03-11.md]\ntopics:\n---\n\n<!-- needs summarization: 300 lines -->\n`,
        "memory/daily/2026-01-05.md": daily("2026-01-05", "## Lost [user]\n- its raw log is gone\n"),
        "memory/weekly/2026-W11.md": weekly,
        "memory/monthly/2026-03.md": `---\ntype: monthly\nstatus: tentative\nperiod: 2026-03\nweeks: 2026-W11\nsource-files: [memory/weekly/2026-W11.md]\ntopics:\n---\n\n${weekly}`,
        "memory/ROOT.md":
          "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-11\n---\n\n## Active Context (recent ~7 days)\n- auth: tokens\n\n## Topics Index\n- auth [project]: tokens\n",
        "memory/.compaction-state.json":
          '{"lastCompactionRun":"2026-03-11T10:00:00.000Z","rawLinesSinceLastCompaction":12,"checkpointsSinceLastCompaction":2}\n',
        "hipocampus.config.json": '{"platform":"claude-code","compaction":{"rootMaxTokens":2500}}',
      },
    });
    const before = filesOf(tree);
    const { warnings, root } = await compact(tree);
    expect(root?.cap).toBe(2500);
    expect(warnings.map(({ code }) => code)).toContain("root_replaced");
    for (const [path, text] of Object.entries(raws)) expect(textAt(tree, path)).toBe(text);
    const rebuilt = [
      "memory/daily/2026-03-10.md",
      "memory/daily/2026-03-11.md",
      "memory/weekly/2026-W11.md",
      "memory/monthly/2026-03.md",
    ];
    for (const path of rebuilt) {
      expect(textAt(tree, path)).not.toContain("needs-summarization");
      expect(bodyAt(tree, path)).not.toMatch(/^(?:type|status|source-files):/mu);
      expect(keyAt(tree, path, "topics")).toContain(path.includes("03-11") ? "Import [project]" : "Auth [project]");
    }
    const archived = tree
      .list()
      .filter((path) => path.startsWith("memory/archive/"))
      .map((path) => textAt(tree, path));
    for (const path of [...rebuilt, "memory/ROOT.md"]) expect(archived).toContain(before.get(path));
    expect(textAt(tree, "memory/daily/2026-01-05.md")).toBe(before.get("memory/daily/2026-01-05.md"));
    expect(bodyAt(tree, "memory/weekly/2026-W02.md")).toContain("- its raw log is gone");
    expect(textAt(tree, "memory/ROOT.md")).toContain("Lost [user");
    await expectSound(tree);
  });

  const weekOf = (files: string, body: string): string =>
    `---\ntype: weekly\nstatus: tentative\nperiod: 2026-W11\nsource-files: [${files}]\ntopics: Import [project]\nmood: calm\n---\n\n${body}`;
  const told = "# Weekly Summary: 2026-W11\n\n## Key Decisions\n- Import: batch by hour, the vendor asked for it\n";
  const twoDays = {
    "memory/2026-03-09.md": logOf("2026-03-09", ["Import", "- rows by the hour"]),
    "memory/2026-03-10.md": logOf("2026-03-10", ["Export", "- rows by the day"]),
  };
  const week = "memory/weekly/2026-W11.md";

  it("hipocampus-tree: a node written by a model is kept as it is, recorded, used, traced and replayed, and not written again", async () => {
    const day = "memory/daily/2026-03-10.md";
    const own = "## Topics\n- Export [project]: the customer wants CSV\n\n## Key Decisions\n- Export: semicolons\n";
    const tree = openTestMemory({
      files: {
        ...twoDays,
        [day]: daily("2026-03-10", own),
        [week]: weekOf("memory/daily/2026-03-09.md, memory/daily/2026-03-10.md", told),
      },
    });
    const before = filesOf(tree);
    const { written, warnings } = await compact(tree, "2026-03-12");
    expect(written.filter(({ action }) => action === "adopted").map(({ path }) => path)).toEqual([day, week]);
    expect(warnings).toEqual([]);
    expect([bodyAt(tree, day), keyAt(tree, day, "made-by"), keyAt(tree, day, "status")]).toEqual([
      `\n${own}`,
      "foreign",
      "fixed",
    ]);
    expect([bodyAt(tree, week), keyAt(tree, week, "status"), keyAt(tree, week, "mood")]).toEqual([
      `\n${told}`,
      "tentative",
      "calm",
    ]);
    const archived = tree.list().filter((path) => path.startsWith("memory/archive/nodes/"));
    expect(archived.map((path) => textAt(tree, path))).toEqual([before.get(day), before.get(week)]);
    expect(textAt(tree, "memory/ROOT.md")).toContain("the vendor asked for it");
    const { findings } = await runVerify(tree.memory, {});
    expect(findings.map(({ code, path }) => [code, path])).toEqual([
      ["foreign_summary", day],
      ["foreign_summary", week],
    ]);
    const { chain, raw } = await readTrace(tree.memory, { text: "the vendor asked for it" });
    expect(chain.map(({ path }) => path)).toContain(week);
    expect(raw.map(({ path }) => path)).toEqual(Object.keys(twoDays));
    const after = filesOf(tree);
    expect((await compact(tree, "2026-03-12")).written).toEqual([]);
    expect(filesOf(tree)).toEqual(after);
    await expectSound(tree);
  });

  it("hipocampus-tree: if a source changes, an open node is rebuilt and its bytes are archived; a fixed one gets an addendum", async () => {
    const day = "memory/daily/2026-03-10.md";
    const own = "## Export [project]\n- the customer wants CSV\n";
    const tree = openTestMemory({
      files: { ...twoDays, [day]: daily("2026-03-10", own), [week]: weekOf("", told) },
    });
    await compact(tree, "2026-03-10");
    expect([keyAt(tree, day, "status"), keyAt(tree, week, "made-by")]).toEqual(["tentative", "foreign"]);
    await compact(tree, "2026-03-11");
    const kept = textAt(tree, day);
    tree.write("memory/2026-03-10.md", `${twoDays["memory/2026-03-10.md"]}- and columns\n`);
    const { removed = [], ...result } = { ...(await compact(tree, "2026-03-11")) };
    expect(removed).toEqual([]);
    expect(result.written.map(({ path }) => path)).toEqual([
      "memory/daily/2026-03-10.late-1.md",
      week,
      "memory/monthly/2026-03.md",
      "memory/ROOT.md",
    ]);
    expect(textAt(tree, day)).toBe(kept);
    expect(bodyAt(tree, week)).toContain("- and columns");
    expect(bodyAt(tree, week)).toContain("the customer wants CSV");
    const archived = tree.list().filter((path) => path.startsWith("memory/archive/nodes/weekly/"));
    expect(archived.map((path) => bodyAt(tree, path)).every((body) => body.includes("the vendor asked for it"))).toBe(
      true,
    );
    await expectSound(tree);
  });

  it("hipocampus-tree: nodes that are not a model's summary of their period are rebuilt: a copy, a template, another period or source, a missing preference", async () => {
    const bodies = {
      copy: weekOf("", "# 2026-03-09\n\n## Import [project]\n- rows by the hour\n"),
      empty: weekOf("", "## Topics\n\n<!-- needs summarization: 300 lines -->\n"),
      waiting: weekOf("", told).replace("status: tentative", "status: needs-summarization"),
      other: weekOf("", told).replace("period: 2026-W11", "period: 2026-W10"),
      older: weekOf("memory/daily/2026-03-09.md", told),
      joined: weekOf("", `${told}\n${daily("2026-03-10", "- rows\n")}`),
      conflict: weekOf("", `${told}<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n`),
    };
    const logs = { ...twoDays, "memory/2026-03-11.md": logOf("2026-03-11", ["Answer length [feedback]", "- short"]) };
    for (const [name, text] of Object.entries({ ...bodies, silent: weekOf("", told) })) {
      const tree = openTestMemory({ files: { ...(name === "silent" ? logs : twoDays), [week]: text } });
      await compact(tree);
      expect([name, keyAt(tree, week, "made-by")]).toEqual([name, "concat-1"]);
      const archived = tree.list().filter((path) => path.startsWith("memory/archive/nodes/weekly/"));
      expect(archived.map((path) => textAt(tree, path))).toEqual([text]);
    }
  });

  it("hipocampus-tree: refs to other days in an adopted node are traced to its own days", async () => {
    const day = "memory/daily/2026-03-10.md";
    const own =
      "## Topics\n- Export [project]: CSV (01-05:3-4)\n\n## Key Decisions\n- Export: semicolons (01-05:3-4)\n";
    const tree = openTestMemory({ files: { ...twoDays, [day]: daily("2026-03-10", own) } });
    await compact(tree);
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("Export [project, 5d]");
    expect((await readTrace(tree.memory, { text: "semicolons" })).raw.map(({ path }) => path)).toEqual([
      "memory/2026-03-10.md",
    ]);
    await expectSound(tree);
  });

  it("hipocampus-tree: an adopted node is kept without its secrets", async () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const tree = openTestMemory({ files: { ...twoDays, [week]: weekOf("", `${told}- Import: key ${secret}\n`) } });
    await compact(tree);
    expect(keyAt(tree, week, "made-by")).toBe("foreign");
    const derived = tree.list().filter((path) => !path.startsWith("memory/archive/"));
    for (const path of derived) expect(tree.read(path) ?? "", path).not.toContain(secret);
    await expectSound(tree);
  });

  it("hipocampus-tree: lines that are only in a foreign ROOT.md are imported into today's log, once; lines that are elsewhere are not", async () => {
    const root =
      "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-11\n---\n\n## Active Context (recent ~7 days)\n- Import: rows by the hour\n- (nothing else)\n\n" +
      "## Historical Summary\n- 2025-11: cork floor laid\n\n## Topics Index\n- Export [project, 1d]: rows, day\n- Time zone [user, 90d]: Europe/Lisbon\n- 編集者 [feedback, 4d]: 短く書く\n- Board [reference, 40d, ?]: https://board.example.com\n";
    const tree = openTestMemory({ files: { ...twoDays, "memory/ROOT.md": root } });
    const { warnings } = await compact(tree);
    expect(warnings.map(({ code }) => code)).toEqual(["root_lines", "root_replaced"]);
    const log = textAt(tree, "memory/2026-03-15.md");
    expect(log.match(/^(?:## |- ).*$/gmu)).toEqual([
      "## From ROOT.md [project]",
      "- 2025-11: cork floor laid",
      "## From ROOT.md [feedback]",
      "- 編集者: 短く書く",
      "## From ROOT.md [user]",
      "- Time zone: Europe/Lisbon",
      "## From ROOT.md [reference]",
      "- Board: https://board.example.com",
    ]);
    expect(log.match(/origin=\w+/gu)).toEqual(Array.from({ length: 4 }, () => "origin=import"));
    const archived = tree.list().filter((path) => path.startsWith("memory/archive/nodes/ROOT."));
    expect(archived.map((path) => textAt(tree, path))).toEqual([root]);
    expect(textAt(tree, "memory/ROOT.md")).toMatch(/Time zone \[user, .*by import\]: Europe\/Lisbon/u);
    const after = filesOf(tree);
    expect((await compact(tree)).written).toEqual([]);
    expect(filesOf(tree)).toEqual(after);
    await expectSound(tree);
  });

  it("hipocampus-tree: nodes whose raw logs are gone are kept next to new days, reach ROOT, and are not findings", async () => {
    const kept = {
      "memory/daily/2026-03-09.md": `${front("daily", "2026-03-09")}## Lost day [user]\n- likes walnut\n`,
      "memory/weekly/2026-W05.md": `${front("weekly", "2026-W05")}## Lost week\n- decisions: steel frame\n`,
      "memory/monthly/2025-11.md": `${front("monthly", "2025-11")}## Lost month\n- decisions: cork floor\n`,
    };
    const tree = openTestMemory({
      files: { ...kept, ...rawFiles({ "2026-03-10": logOf("2026-03-10", ["Auth", "- tokens"]) }) },
    });
    await compact(tree);
    for (const [path, text] of Object.entries(kept)) expect(textAt(tree, path)).toBe(text);
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain("- likes walnut");
    const index = rootSection(tree, "Topics Index").join("\n");
    for (const name of ["Lost day [user, 6d]", "Lost week [project", "Lost month [project", "Auth [project, 5d]"])
      expect(index).toContain(name);
    await expectSound(tree);
  });

  it("unknown-keys: unknown keys and comments in front matter survive rewrites of nodes and ROOT", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }) });
    await compact(tree);
    const extra = "# seen by Anna\nowner: anna\ntags:\n  - alpha # first\n  - beta\n";
    const paths = [
      "memory/daily/2026-03-15.md",
      "memory/weekly/2026-W11.md",
      "memory/monthly/2026-03.md",
      "memory/ROOT.md",
    ];
    for (const path of paths) tree.write(path, textAt(tree, path).replace(/\n---\n/u, `\n${extra}---\n`));
    tree.write("memory/2026-03-15.md", logOf("2026-03-15", ["Auth", "- tokens", "- and sessions"]));
    const { written } = await compact(tree);
    expect(written.map(({ path }) => path)).toEqual(paths);
    for (const path of paths) expect(`${frontAt(tree, path).join("\n")}\n`, path).toContain(extra);
    expect(bodyAt(tree, "memory/monthly/2026-03.md")).toContain("- and sessions");
    await expectSound(tree);
    await compact(tree, "2026-04-20");
    for (const path of paths) expect(`${frontAt(tree, path).join("\n")}\n`, path).toContain(extra);
    expect(keyAt(tree, "memory/monthly/2026-03.md", "status")).toBe("fixed");
    await expectSound(tree);
  });
});
