import { Buffer } from "node:buffer";
import { describe, expect, it, test } from "vitest";
import { printMoved, type ShorteningStep } from "../model/moved-format.ts";
import { mergeFiles, mergeKindOf, originalOf, type MergeKind } from "./files.ts";

const bytes = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text);
const merged = (kind: MergeKind, base: string | undefined, ours?: string, theirs?: string): string | undefined => {
  const results = [
    mergeFiles(kind, { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) }),
    mergeFiles(kind, { base: bytes(base), ours: bytes(theirs), theirs: bytes(ours) }),
  ].map((result) => (result === undefined || result === "conflict" ? result : Buffer.from(result).toString("utf8")));
  if (kind !== "derived") expect(results[1]).toBe(results[0]);
  return results[0];
};

test.each([
  ["memory/2026-03-15.md", "log"],
  ["memory/2026-03-15-standup.md", "log"],
  ["memory/records/changes.jsonl", "records"],
  ["memory/archive/journal.jsonl", "journal"],
  ["memory/archive/moved.json", "moved"],
  ["memory/archive/2026-03-15.full-2.md", "part"],
  ["memory/archive/nodes/daily/2026-03-15.0123456789abcdef.md", "whole"],
  ["memory/daily/2026-03-15.late-1.md", "derived"],
  ["memory/ROOT.md", "derived"],
  ["memory/.compaction-state.json", "local"],
  [".heartwood/artifacts/answers/x.json", "whole"],
  [".heartwood/threads/threads.sqlite", "local"],
  [".heartwood/.gitignore", undefined],
  ["MEMORY.md", undefined],
  ["memory/notes.md", undefined],
  ["src/memory/2026-03-15.md", undefined],
] as const)("%s is merged as %s", (path, kind) => {
  expect(mergeKindOf(path)).toBe(kind);
});

test.each([
  ["memory/2026-03-15.sync-conflict-20260315-140500-ABCDEFG.md", "memory/2026-03-15.md"],
  ["memory/2026-03-15-standup.sync-conflict-20260315-140500.md", "memory/2026-03-15-standup.md"],
  ["memory/daily/2026-03-15 (Ann's conflicted copy 2026-03-15).md", "memory/daily/2026-03-15.md"],
  ["memory/records/changes.sync-conflict-20260315-140500-ABCDEFG.jsonl", "memory/records/changes.jsonl"],
  ["memory/2026-03-15 (1).md", undefined],
  ["memory/notes (conflicted copy).md", undefined],
])("%s is a copy of %s", (path, original) => {
  expect(originalOf(path)).toBe(original);
});

test("a name with a number is that of a copy only beside its file", () => {
  expect(originalOf("memory/2026-03-15 2.md", new Set(["2026-03-15.md"]))).toBe("memory/2026-03-15.md");
});

describe("the merge of other files", () => {
  it("has every record once, in the order of the ids, without conflict markers", () => {
    const [a, b, c] = ["1", "2", "3"].map((id) => `{"id":"${id}","kind":"late"}`);
    expect(merged("records", `${a}\n`, `${a}\n${c}\n`, `${a}\n<<<<<<< x\n${b}\n`)).toBe(`${a}\n${b}\n${c}\n`);
  });

  it("leaves out a record that a side removed, and keeps those that both sides added", () => {
    const [a, b, c, d] = ["1", "2", "3", "4"].map((id) => `{"id":"${id}","kind":"renamed"}\n`);
    expect(merged("records", `${a}${b}`, `${b}${c}`, `${a}${b}${d}`)).toBe(`${b}${c}${d}`);
  });

  it("keeps what an undo in the journal reverts, although its line moves", () => {
    const row = (minute: number, what: string, action = "reopen"): string =>
      `${JSON.stringify({ action, what, at: `2026-03-15T10:0${minute}:00Z`, files: [] })}\n`;
    const base = row(1, "2026-W01");
    const ours = base + row(3, "2026-W03") + row(4, "2", "undo");
    expect(merged("journal", base, ours, base + row(2, "2026-W02"))).toBe(
      base + row(2, "2026-W02") + row(3, "2026-W03") + row(4, "3", "undo"),
    );
  });

  it("takes the steps of the side that shortened a note, and stops if both did differently", () => {
    const step = (day: string, digit: string): ShorteningStep => ({
      part: `memory/archive/${day}.full.md`,
      before: { bytes: 2, sha256: digit.repeat(64) },
      after: { bytes: 1, sha256: "c".repeat(64) },
      change: { kind: "cut", spans: [[0, 1]] },
    });
    const record = (...steps: readonly ShorteningStep[]): string =>
      printMoved(new Map(steps.map((one) => [one.part.replace("archive/", "").replace(".full", ""), [one]])));
    const [one, two, other] = [step("2026-03-14", "a"), step("2026-03-15", "a"), step("2026-03-14", "b")];
    expect(merged("moved", undefined, record(one), record(two))).toBe(record(one, two));
    expect(merged("moved", undefined, record(one), record(other))).toBe("conflict");
    expect(merged("part", undefined, "a", "b")).toBe("conflict");
    expect(merged("part", "a", "a", "b")).toBe("b");
  });

  it("takes one side of a derived file and of a recorded answer, the same everywhere", () => {
    expect(merged("derived", "x", "ours", "theirs")).toBe("ours");
    expect(merged("derived", "x", undefined, "theirs")).toBe("theirs");
    expect(["a", "b"]).toContain(merged("whole", undefined, "a", "b"));
  });

  it("stops for a log that one side rotated and the other changed", () => {
    const entry = (body: string): string =>
      `\n## A\n<!-- hw id=a at=2026-03-15T10:00:00Z origin=agent -->\n- ${body}\n`;
    const rotated = "# 2026-03-15\n\n> This log was moved to memory/archive/2026-03-15.full.md by heartwood audit.\n";
    expect(merged("log", `# 2026-03-15\n${entry("a")}`, rotated, `# 2026-03-15\n${entry("b")}`)).toBe("conflict");
  });

  it("removes a log that one side emptied, unless the other added to it", () => {
    const entry = "# 2026-03-15\n\n## A\n<!-- hw id=a at=2026-03-15T10:00:00Z origin=agent -->\n- a\n";
    expect(merged("log", entry, undefined, entry)).toBeUndefined();
    expect(merged("log", entry, undefined, `${entry}\n## B\n- b\n`)).toContain("## B\n- b\n");
  });
});
