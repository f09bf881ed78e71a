import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";
import {
  bodyAt,
  compact,
  expectSound,
  filesOf,
  keyAt,
  longLog,
  rawFiles,
  rootSection,
  textAt,
} from "../../../test/situations/scenario.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";

describe("a late part that starts inside a fence", () => {
  const open = "# 2026-03-10\n\n## Script [project]\n- run it:\n```sh\ncode1\n";
  const rest = "code2\n```\n- decisions: after the fence\n";

  it("follows the heading and the line that opens the fence, in a copy", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": open }) });
    await compact(tree, "2026-03-12");
    tree.write("memory/2026-03-10.md", open + rest);
    await compact(tree);
    const addendum = "memory/daily/2026-03-10.late-1.md";
    expect(bodyAt(tree, addendum)).toBe(`## Script [project]\n\`\`\`sh\n${rest}`);
    expect(keyAt(tree, addendum, "spans")).toBe("1+1=2026-03-10:3 2+1=2026-03-10:5 3+3=2026-03-10:7");
    expect(rootSection(tree, "Active Context").join("\n")).toContain("after the fence");
    await expectSound(tree);
    await compact(tree, "2026-04-20");
    await expectSound(tree);
  });

  it("does so in each addendum while the fence is open", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": open }) });
    await compact(tree, "2026-03-12");
    tree.write("memory/2026-03-10.md", `${open}code2\n`);
    await compact(tree);
    await compact(tree, "2026-03-13");
    tree.write("memory/2026-03-10.md", `${open}${rest}\n## Next\n- x\n`);
    await compact(tree);
    expect(bodyAt(tree, "memory/daily/2026-03-10.late-1.md")).toBe("## Script [project]\n```sh\ncode2\n");
    expect(bodyAt(tree, "memory/daily/2026-03-10.late-2.md")).toBe(
      "## Script [project]\n```sh\n```\n- decisions: after the fence\n\n## Next\n- x\n",
    );
    await expectSound(tree);
  });

  it("is parsed correctly in a summary", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": open }) });
    await compact(tree, "2026-03-12");
    const many = longLog("2026-03-10", "Roof", 220).split("\n").slice(1).join("\n");
    tree.write("memory/2026-03-10.md", open + rest + many);
    await compact(tree);
    const body = bodyAt(tree, "memory/daily/2026-03-10.late-1.md");
    expect(body).toContain("after the fence (03-10:9)");
    expect(body).not.toContain("code2");
    await expectSound(tree);
  });
});

describe("carriage returns without line feeds", () => {
  it("become spaces in derived files, and are reported once", async () => {
    const tree = openTestMemory({
      files: rawFiles({
        "2026-03-13": "## Anna [user]\r- old mac line\r## Bob [user]\r- b\r",
        "2026-03-14": "## Load [project]\n- at 10%\rat 90%\rdone\n- again\rand again\n- twice converted\r\r\n",
      }),
    });
    const { warnings } = await compact(tree);
    expect(warnings.map(({ code, path, line }) => `${code} ${path}:${line}`).toSorted()).toEqual([
      "bare_cr memory/2026-03-13.md:1",
      "bare_cr memory/2026-03-14.md:2",
    ]);
    expect(warnings[0]?.message).toMatch(
      /^line \d of memory\/2026-03-1\d\.md contains carriage returns without line feeds.* convert/u,
    );
    expect(bodyAt(tree, "memory/daily/2026-03-13.md")).toBe("## Anna [user] - old mac line ## Bob [user] - b\n");
    expect(bodyAt(tree, "memory/daily/2026-03-14.md")).toBe(
      "## Load [project]\n- at 10% at 90% done\n- again and again\n- twice converted\n",
    );
    expect(textAt(tree, "memory/ROOT.md")).toContain("old mac line");
    for (const [path, text] of filesOf(tree))
      if (!path.startsWith("memory/2026")) expect(text, path).not.toContain("\r");
    await expectSound(tree);
  });

  it("do not hide a private key", async () => {
    const key = [
      "-----BEGIN PRIVATE KEY-----",
      "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
      "-----END PRIVATE KEY-----",
    ];
    const tree = openTestMemory({ files: rawFiles({ "2026-03-14": `## Key\r${key.join("\r")}\r- after\r` }) });
    await compact(tree);
    for (const [path, text] of filesOf(tree))
      if (!path.startsWith("memory/2026")) expect(text, path).not.toContain("MIIEvQ");
    await expectSound(tree);
  });
});

describe("topics of a day", () => {
  const projects = Array.from({ length: 45 }, (_, index) => `## Room ${index} [project]\n- painted ${index}\n`);

  it("put user and feedback first, and a name gets its preserved type", async () => {
    const last = "## Home city [user]\n- Lisbon\n\n## Room 1 [feedback]\n- rule: paint it white\n";
    const tree = openTestMemory({
      files: rawFiles({ "2026-03-10": `# 2026-03-10\n\n${projects.join("\n")}\n${last}` }),
    });
    await compact(tree, "2026-03-12");
    expect(keyAt(tree, "memory/daily/2026-03-10.md", "topics")).toMatch(
      /^Room 1 \[feedback\], Home city \[user\], Room 0 \[project\], Room 2 \[project\]/u,
    );
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "topics")).toContain("Home city [user]");
    expect(keyAt(tree, "memory/monthly/2026-03.md", "topics")).toContain("Home city [user]");
    await expectSound(tree);
  });
});

function entry(text: string): string {
  return `## Kiln [project]\n<!-- hw id=kiln-1 at=2026-03-10T10:00:00+01:00 origin=agent -->\n- decisions: ${text}\n`;
}

describe("an entry found in two logs of a day", () => {
  it.each([0, 230, lawRuns(40_000)])(
    "is used once, in its last version, before %d lines of another entry",
    async (lines) => {
      const more = lines === 0 ? "" : longLog("2026-03-10", "Roof", lines);
      const tree = openTestMemory({
        files: {
          "memory/2026-03-10.md": `# 2026-03-10\n\n${entry("glaze in blue")}\n${more}`,
          "memory/2026-03-10-copy.md": `# 2026-03-10\n\n${entry("glaze in green")}`,
        },
      });
      await compact(tree, "2026-03-12");
      const index = rootSection(tree, "Topics Index").join("\n");
      expect(index).toMatch(/^- Kiln \[project, 2d\]$/mu);
      expect(rootSection(tree, "Active Context").join("\n")).toContain("- Kiln: glaze in green");
      expect(index).not.toContain("blue");
      await expectSound(tree);
    },
  );
});
