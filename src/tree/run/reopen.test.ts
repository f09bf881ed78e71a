import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { loadTree } from "./load.ts";
import { runCompact } from "./compact.ts";
import { dropNodes } from "./reopen.ts";

const log = (day: string, topic: string): string =>
  `# ${day}\n\n## ${topic} [project]\n- decisions: for good reasons\n`;

describe("nodes that are dropped with their days", () => {
  it("are gone with all nodes above them, are not archived, and the next run rebuilds the same bytes", async () => {
    const files = {
      "memory/2026-03-02.md": log("2026-03-02", "Auth"),
      "memory/2026-03-10.md": log("2026-03-10", "Api"),
    };
    const test = openTestMemory({ files });
    await runCompact(test.memory, {}, {});
    const before = nodesOf(test);
    const { state } = await loadTree(test.memory, { cache: "used" });
    const dropped = await dropNodes(test.memory, state, ["2026-03-02"]);
    expect(dropped).toEqual(["memory/daily/2026-03-02.md", "memory/monthly/2026-03.md", "memory/weekly/2026-W10.md"]);
    expect([...nodesOf(test).keys()]).toEqual(["memory/daily/2026-03-10.md", "memory/weekly/2026-W11.md"]);
    expect(test.list().filter((path) => path.startsWith("memory/archive/"))).toEqual([]);
    await runCompact(test.memory, {}, {});
    expect(nodesOf(test)).toEqual(before);
  });

  it("are gone for good if their log is gone", async () => {
    const files = {
      "memory/2026-03-02.md": log("2026-03-02", "Auth"),
      "memory/2026-03-10.md": log("2026-03-10", "Api"),
    };
    const test = openTestMemory({ files });
    await runCompact(test.memory, {}, {});
    test.remove("memory/2026-03-02.md");
    const { state } = await loadTree(test.memory, { cache: "used" });
    await dropNodes(test.memory, state, ["2026-03-02"]);
    await runCompact(test.memory, {}, {});
    const twin = openTestMemory({ files: { "memory/2026-03-10.md": log("2026-03-10", "Api") } });
    await runCompact(twin.memory, {}, {});
    expect(nodesOf(test)).toEqual(nodesOf(twin));
  });
});

function nodesOf(test: ReturnType<typeof openTestMemory>): ReadonlyMap<string, string> {
  const paths = test.list().filter((path) => /^memory\/(?:daily|weekly|monthly)\//u.test(path));
  return new Map(paths.toSorted().map((path) => [path, test.read(path) ?? ""]));
}

describe("logs that a person changed after their node was fixed", () => {
  const start = {
    "memory/2026-03-02.md": log("2026-03-02", "Auth"),
    "memory/2026-03-03.md": log("2026-03-03", "Mail"),
    "memory/2026-03-10.md": log("2026-03-10", "Api"),
  };

  it("are reported until they are accepted; then the tree is as if they had always been so", async () => {
    const test = openTestMemory({ files: start });
    await runCompact(test.memory, {}, {});
    test.remove("memory/2026-03-02.md");
    test.write("memory/2026-03-03.md", log("2026-03-03", "Post"));
    const reported = (await runCompact(test.memory, {}, {})).warnings.map(({ code, path }) => `${code} ${path}`);
    expect(reported).toContain("source_missing memory/2026-03-02.md");
    expect(test.read("memory/daily/2026-03-03.md")).toContain("Mail");
    const { warnings } = await runCompact(test.memory, { accept: "all" }, {});
    expect(warnings).toEqual([]);
    const twin = openTestMemory({ files: { ...start, "memory/2026-03-03.md": log("2026-03-03", "Post") } });
    twin.remove("memory/2026-03-02.md");
    await runCompact(twin.memory, {}, {});
    expect(nodesOf(test)).toEqual(nodesOf(twin));
    expect((await runCompact(test.memory, {}, {})).written).toEqual([]);
  });

  it("are accepted one period at a time", async () => {
    const test = openTestMemory({ files: start });
    await runCompact(test.memory, {}, {});
    test.remove("memory/2026-03-02.md");
    test.remove("memory/2026-03-10.md");
    await runCompact(test.memory, { accept: "2026-03-02" }, {});
    expect(test.list()).not.toContain("memory/daily/2026-03-02.md");
    expect(test.list()).toContain("memory/daily/2026-03-10.md");
    await expect(runCompact(test.memory, { accept: "all", reopen: "late" }, {})).rejects.toThrow("Both");
    await expect(runCompact(test.memory, { accept: "foo" }, {})).rejects.toThrow(
      "a range FROM..TO of one kind, late or all.",
    );
    await expect(runCompact(test.memory, { reopen: "all" }, {})).rejects.toThrow(
      "a range FROM..TO of one kind, or late.",
    );
  });
});

describe("records that a clone has not seen yet", () => {
  it("have their day built again, without what a person wrote into a node", async () => {
    const day = "memory/2026-03-02.md";
    const test = openTestMemory({
      files: { [day]: `${log("2026-03-02", "Auth")}\n## Late [project]\n- said later\n` },
    });
    await runCompact(test.memory, {}, {});
    const record = {
      id: "01950000-0000-7000-8000-000000000000",
      at: "2026-03-04T10:00:00Z",
      kind: "removed",
      log: day,
      section: "e1",
    };
    test.write("memory/daily/2026-03-02.md", `${test.read("memory/daily/2026-03-02.md")}- mine\n`);
    await runCompact(test.memory, {}, {});
    test.write("memory/records/changes.jsonl", `${JSON.stringify(record)}\n`);
    expect((await runCompact(test.memory, { dry_run: true }, {})).due.map(({ path }) => path)).toContain(
      "memory/daily/2026-03-02.md",
    );
    await runCompact(test.memory, {}, {});
    expect(test.read("memory/daily/2026-03-02.md")).not.toContain("- mine");
    const archived = test.list().filter((path) => path.startsWith("memory/archive/nodes/daily/2026-03-02"));
    expect(archived.map((path) => test.read(path)).join("")).toContain("- mine");
    expect((await runCompact(test.memory, {}, {})).written).toEqual([]);
  });

  it("move a section into an addendum, and the whole tree back when the records of applied ids are lost", async () => {
    const day = "memory/2026-03-02.md";
    const test = openTestMemory({
      files: {
        [day]: `${log("2026-03-02", "Auth")}\n## Late [project]\n<!-- hw id=e2 at=2026-03-05T10:00:00+00:00 origin=user -->\n- said later\n`,
      },
    });
    await runCompact(test.memory, {}, {});
    // As if an older version had fixed the node.
    test.remove("memory/records/fixed-2026-03.jsonl");
    const record = {
      id: "01950000-0000-7000-8000-000000000000",
      at: "2026-03-05T10:00:00Z",
      kind: "late",
      node: "memory/daily/2026-03-02.md",
      late: 1,
      since: "2026-03-05",
      source: day,
      section: "e2",
    };
    test.write("memory/records/changes.jsonl", `${JSON.stringify(record)}\n`);
    await runCompact(test.memory, {}, {});
    expect(test.read("memory/daily/2026-03-02.md")).not.toContain("said later");
    expect(test.read("memory/daily/2026-03-02.late-1.md")).toContain("said later");
    const before = nodesOf(test);
    test.remove(".heartwood/cache/records.json");
    await runCompact(test.memory, {}, {});
    await runCompact(test.memory, { reopen: "2026-03-02" }, {});
    expect(nodesOf(test)).not.toEqual(before);
    expect(test.read("memory/daily/2026-03-02.md")).toContain("said later");
  });
});
