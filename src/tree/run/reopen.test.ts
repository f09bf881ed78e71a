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
