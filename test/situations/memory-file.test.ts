import { describe, expect, it } from "vitest";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, keyAt, logOf, rawFiles, textAt } from "./scenario.ts";

const rootPath = "memory/ROOT.md";
const levels = ["memory/daily/2026-03-15.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"];

describe("MEMORY.md of OpenClaw", () => {
  it("fence-heading: the Compaction Root of MEMORY.md ends at a heading outside fences, not at one inside a fence", async () => {
    const before = "# Long-Term Memory\n\n## Core (Static)\n```md\n## Compaction Root\nan example\n```\n\n";
    const after = "## Adaptive (Dynamic)\n- keep me\n";
    const tree = openTestMemory({
      files: {
        "heartwood.config.json": '{"platform":"openclaw"}',
        "MEMORY.md": `${before}## Compaction Root\nold\n\`\`\`\n## not the end\n\`\`\`\nold too\n${after}`,
        ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }),
      },
    });
    await compact(tree);
    const memory = textAt(tree, "MEMORY.md");
    expect(memory.startsWith(`${before}## Compaction Root\n`)).toBe(true);
    expect(memory.endsWith(`\n${after}`)).toBe(true);
    const section = memory.slice(before.length, memory.length - after.length);
    expect(section).toMatch(
      /^## Compaction Root\n\n### Active Context \(recent ~7 days\)\n- Auth: .*\n\n### Recent Patterns\n\n### Topics Index\n- Auth \[project, 0d\]/u,
    );
    expect(section).not.toMatch(/old|not the end|Historical/u);
    await expectSound(tree);
  });

  it("dollar-signs: $&, $` and $1 in notes are plain text everywhere", async () => {
    const note = "price $& and $` and $' and $1 and $$ and $<name>";
    const tree = openTestMemory({
      files: {
        "heartwood.config.json": '{"platform":"openclaw"}',
        "MEMORY.md": "# M\n\n## Compaction Root\n$& $1\n\n## Core (Static)\n- $& $` $1\n",
      },
    });
    await appendEntry(tree.memory, { topic: "Cost $& of $1", body: `- decisions: ${note}` });
    await compact(tree);
    for (const path of ["memory/2026-03-15.md", ...levels])
      expect(textAt(tree, path)).toContain(`- decisions: ${note}`);
    for (const path of levels) expect(keyAt(tree, path, "topics")).toBe("Cost $& of $1 [project]");
    for (const path of [rootPath, "MEMORY.md"]) {
      expect(textAt(tree, path)).toContain("- Cost $& of $1 [project, 0d]");
      expect(textAt(tree, path)).toContain("price $& and $");
    }
    expect(textAt(tree, "MEMORY.md").endsWith("\n\n## Core (Static)\n- $& $` $1\n")).toBe(true);
    await expectSound(tree);
  });

  it("quoted-marker: `## Compaction Root` quoted, fenced, indented or within a line of MEMORY.md is left alone", async () => {
    const text =
      "# M\n\n> ## Compaction Root\n> quoted\n\n```\n## Compaction Root\nfenced\n```\n\nSee `## Compaction Root` below.\n    ## Compaction Root\n\n## Compaction Root of trees\n- botany\n\n## Core (Static)\n- last line without end";
    const tree = openTestMemory({
      files: {
        "heartwood.config.json": '{"platform":"openclaw"}',
        "MEMORY.md": text,
        ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }),
      },
    });
    await compact(tree);
    const memory = textAt(tree, "MEMORY.md");
    expect(memory.startsWith(`${text}\n\n## Compaction Root\n\n### Active Context`)).toBe(true);
    await expectSound(tree);
    await compact(tree, "2026-03-16");
    expect(textAt(tree, "MEMORY.md").startsWith(`${text}\n\n## Compaction Root\n\n### Active Context`)).toBe(true);
    expect(textAt(tree, "MEMORY.md").split("\n## Compaction Root\n")).toHaveLength(3);
    await expectSound(tree);
  });

  it("lines written by hand into the Compaction Root are archived, and the run says where", async () => {
    const tree = openTestMemory({
      files: {
        "heartwood.config.json": '{"platform":"openclaw"}',
        "MEMORY.md": "# M\n\n## Compaction Root\n- call the plumber\n\n## Core (Static)\n- core\n",
        ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }),
      },
    });
    const kept = (): readonly string[] => tree.list().filter((path) => path.startsWith("memory/archive/nodes/MEMORY."));
    const original = textAt(tree, "MEMORY.md");
    const { warnings } = await compact(tree);
    expect(kept().map((path) => textAt(tree, path))).toEqual([original]);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([["section_replaced", "MEMORY.md"]]);
    expect(warnings[0]?.message).toContain(kept()[0]);
    expect((await compact(tree, "2026-03-20")).warnings).toEqual([]);
    expect(kept()).toHaveLength(1);

    const edited = textAt(tree, "MEMORY.md").replace("### Topics Index", "- and the roofer\n### Topics Index");
    tree.write("MEMORY.md", edited);
    expect((await compact(tree)).warnings.map(({ code }) => code)).toEqual(["section_replaced"]);
    expect(kept().map((path) => textAt(tree, path))).toContain(edited);
    expect(textAt(tree, "MEMORY.md")).not.toContain("roofer");
    expect(kept()).toHaveLength(2);
    await expectSound(tree);
  });
});
