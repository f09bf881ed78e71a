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

/** Rewrites a node's body as an agent would, with its front matter as it stands. */
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

describe("what others wrote", () => {
  it("summary-kept: an agent's summary of today's long log survives runs, is fixed as it is, and gives way to new sources", async () => {
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

  it("summary-kept: when the log grows on the same day the node is made anew and the agent's summary is in the archive", async () => {
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

  it("upgrade: a fixed node made by an older rule is told as rule_older and nothing is rewritten; a tentative one is made anew", async () => {
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

  it("hipocampus-tree: nodes whose raw logs are gone are kept beside days of our own, reach ROOT, and are nobody's fault", async () => {
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

  it("unknown-keys: keys and comments of somebody else in front matter survive rewrites of nodes and ROOT", async () => {
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
