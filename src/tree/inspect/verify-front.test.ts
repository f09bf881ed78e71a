import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../run/compact.ts";
import { runVerify } from "./verify.ts";

const daily = "memory/daily/2026-03-18.md";
const weekly = "memory/weekly/2026-W12.md";

/** Days of one week, with their week and month; the days are fixed. */
async function compacted(): Promise<TestMemory> {
  const files = Object.fromEntries(
    ["2026-03-17", "2026-03-18"].map((day) => [
      `memory/${day}.md`,
      `# ${day}\n\n## Auth [project]\n- tokens of ${day}\n`,
    ]),
  );
  const test = openTestMemory({ files, today: "2026-03-20" });
  await runCompact(test.memory, {}, {});
  return test;
}

function edit(test: TestMemory, path: string, from: string | RegExp, to: string): void {
  const before = test.read(path) ?? "";
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  test.write(path, after);
}

const told = async (test: TestMemory): Promise<readonly string[]> =>
  (await runVerify(test.memory, {})).findings.map(({ code, path, line }) => `${code} ${path}:${line}`);

describe("foreign lines in front matter", () => {
  it.each([
    ["a key among ours", daily, /^period:/mu, "reviewed-by: ann\nperiod:"],
    ["a key with a list among ours", daily, /^period:/mu, "tags:\n  - a\n  - b\nperiod:"],
    ["a key before the first", daily, "---\n", "---\nreviewed-by: ann\n"],
    ["a comment on top", daily, "---\n", "---\n# kept by ann\n"],
    ["a comment among sources", daily, /^sources:\n/mu, "sources:\n  # the log\n"],
    ["comments and a key in several places", weekly, /^(status: .*\n)(period: .*\n)/mu, "# c\n$1a: 1\n\n$2# d\n"],
    ["a key in ROOT.md", "memory/ROOT.md", /^made-by:/mu, "reviewed-by: ann\nmade-by:"],
    ["a comment in ROOT.md", "memory/ROOT.md", "---\n", "---\n# kept by ann\n"],
  ])("%s does not count as a difference", async (_name, path, from, to) => {
    const test = await compacted();
    edit(test, path, from, to);
    expect(await told(test)).toEqual([]);
    const { written } = await runCompact(test.memory, {}, {});
    expect(written).toEqual([]);
  });

  it("are kept in every rewrite, even comments above our keys, and then come after our keys", async () => {
    const test = await compacted();
    for (const path of [weekly, "memory/ROOT.md"]) {
      edit(test, path, "---\n", "---\n# kept by ann\n");
      edit(test, path, /^status:/mu, "reviewed-by: ann # really\nstatus:");
    }
    test.write("memory/2026-03-19.md", "# 2026-03-19\n\n## Billing [project]\n- invoices\n");
    await runCompact(test.memory, {}, {});
    for (const [path, last] of [
      [weekly, "content"],
      ["memory/ROOT.md", "made-from"],
    ] as const)
      expect(test.read(path)).toMatch(new RegExp(`^${last}: .*\n# kept by ann\nreviewed-by: ann # really\n---$`, "mu"));
    expect(await told(test)).toEqual([]);
  });

  it.each([
    ["our keys in another order", daily, /^(type: .*\n)(status: .*\n)/mu, "$2$1", 2],
    ["a changed value of ours", daily, /^source-files: .*$/mu, "source-files: []", 5],
    ["a changed source", weekly, /^source-files: .*$/mu, "source-files: []", 6],
    ["an additional line in a value of ours", daily, /^sources:\n/mu, "sources:\n  more\n", 11],
    ["our keys in another order in ROOT.md", "memory/ROOT.md", /^(type: .*\n)(status: .*\n)/mu, "$2$1", 2],
  ])("do not hide %s", async (_name, path, from, to, line) => {
    const test = await compacted();
    edit(test, path, from, to);
    // Appended after it, to check that the reported line number is that of the file.
    edit(test, path, /^(content|made-from): .*$/mu, "$&\nreviewed-by: ann");
    edit(test, path, "---\n", "---\n# kept by ann\n");
    expect(await told(test)).toContain(`not_reproducible ${path}:${line + 1}`);
  });
});

describe("a child with broken front matter", () => {
  it.each([
    ["weekly", weekly, "type: weekly"],
    ["daily", daily, "type: daily"],
    ["monthly", "memory/monthly/2026-03.md", "type: monthly"],
  ])("is reported once, %s", async (_name, path, key) => {
    const test = await compacted();
    edit(test, path, key, `${key.replace(":", "")} broken`);
    const findings = (await runVerify(test.memory, {})).findings.filter(({ code }) => code !== "due");
    expect(findings.filter(({ severity }) => severity !== "info")).toMatchObject([
      { code: "front_matter", path, line: 2 },
    ]);
    for (const { code, message } of findings.filter(({ severity }) => severity === "info")) {
      expect(code).toBe("source_unread");
      expect(message).toContain(path);
    }
  });
});
