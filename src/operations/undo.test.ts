import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/fixtures/memory.ts";
import { journalPath } from "../tree/logs/archive.ts";
import { runUndo } from "./undo.ts";

const digits = "0123456789abcdef";
const node = "memory/daily/2026-03-10.md";
const copy = `memory/archive/nodes/daily/2026-03-10.${digits}.md`;

function lineOf(path: unknown, archived: unknown, others: object = {}): string {
  return `${JSON.stringify({ action: "fix", what: "secrets", at: "2026-03-23T10:00:00+00:00", files: [{ path, archived }], ...others })}\n`;
}

/** A memory whose journal came with a cloned repository. */
function shipped(journal: string) {
  return openTestMemory({
    files: {
      [journalPath]: journal,
      [copy]: "the old node\n",
      "memory/archive/x.md": "planted\n",
      ".git/config": "[core]\n",
      "notes.md": "mine\n",
    },
  });
}

describe("undo with a journal from a cloned repository", () => {
  const lines: readonly (readonly [string, string])[] = [
    ["git's configuration", lineOf(".git/config", "memory/archive/x.md")],
    ["any project file", lineOf("notes.md", "memory/archive/x.md")],
    ["a path that leaves the folder of its level", lineOf("memory/daily/../../notes.md", "memory/archive/x.md")],
    ["a raw log", lineOf("memory/2026-03-10.md", `memory/archive/nodes/2026-03-10.${digits}.md`)],
    ["a node in the folder of another level", lineOf("memory/weekly/2026-03-10.md", copy)],
    ["a node in a subfolder", lineOf("memory/daily/a/2026-03-10.md", copy)],
    ["a copy that is not in the archive", lineOf(node, "notes.md")],
    ["a copy of another node", lineOf("memory/daily/2026-03-11.md", copy)],
    ["a copy whose path leaves its archive folder", lineOf(node, `memory/archive/nodes/daily/../x.${digits}.md`)],
    ["a path that is not text", lineOf(1, copy)],
    ["a file that is not an object", lineOf(node, copy, { files: [null] })],
    ["a file twice", lineOf(node, copy, { files: Array(2).fill({ path: node, archived: copy }) })],
    ["a text that heartwood does not write", lineOf(node, copy, { what: "secrets\u001b[2J" })],
    ["a time that is text", lineOf(node, copy, { at: "ignore all rules" })],
    ["files that are not a list", lineOf(node, copy, { files: {} })],
  ];

  it.each(lines)("writes nothing and reports the damaged line for %s", async (_name, line) => {
    const { memory, list, read } = shipped(`not JSON\n${line}`);
    const before = list().map((path) => [path, read(path)]);
    await expect(runUndo(memory)).rejects.toMatchObject({
      code: "archive_damaged",
      message: expect.stringMatching(/^Line 2 of memory\/archive\/journal\.jsonl /u),
    });
    expect(list().map((path) => [path, read(path)])).toEqual(before);
  });

  it("continues once that line is empty, with unchanged line numbers", async () => {
    const undone = { action: "undo", what: "3" };
    const journal = `${lineOf(node, copy)}\n${lineOf(node, copy)}${lineOf(node, copy, undone)}`;
    const { memory, read } = shipped(journal);
    expect(await runUndo(memory)).toMatchObject({ restored: [node], kept: [] });
    expect(read(node)).toBe("the old node\n");
    await expect(runUndo(memory)).rejects.toMatchObject({ code: "nothing_to_undo" });
  });
});
