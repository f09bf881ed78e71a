import { describe, expect, it } from "vitest";
import type { Commands } from "../../platform/commands.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { compactMemory } from "../../summaries/run/compact.ts";

function recording(status: number | "timeout"): Commands & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    id: "recording",
    calls,
    find: async () => "/usr/bin/qmd",
    run: async (program, args) => {
      calls.push([program, ...args].join(" "));
      return { status };
    },
  };
}

const files = { "memory/2026-03-14.md": "# 2026-03-14\n\n## Auth [project]\n- decisions: token bucket\n" };

describe("the search tool", () => {
  it("is called only if the user's configuration requests it", async () => {
    const commands = recording(0);
    const { memory } = openTestMemory({ files, with: { commands } });
    await compactMemory(memory, {}, {});
    expect(commands.calls).toEqual([]);
  });

  it("runs once after a run that wrote something, and embeds only on request", async () => {
    const commands = recording(0);
    const { memory } = openTestMemory({ files, with: { commands, user: { qmd: "update-and-embed" } } });
    await compactMemory(memory, {}, {});
    await compactMemory(memory, {}, {});
    expect(commands.calls).toEqual(["/usr/bin/qmd update", "/usr/bin/qmd embed"]);
  });

  it("may fail with only a warning, and the tree is written", async () => {
    const { memory } = openTestMemory({ files, with: { commands: recording("timeout"), user: { qmd: "update" } } });
    const result = await compactMemory(memory, {}, {});
    expect(result.warnings.map((warning) => warning.code)).toContain("qmd_failed");
    expect(result.written.map((node) => node.path)).toContain("memory/ROOT.md");
  });
});
