import { describe, expect, test } from "vitest";
import { noteOf } from "../../../test/fixtures/audit-text.ts";
import { readText } from "../model/memory-text.ts";
import type { NoteAsRead } from "../model/workspace.ts";
import { checkNoteSize, measureNote } from "./note-size.ts";

const today = "2026-03-10";

function judge(note: NoteAsRead): readonly unknown[] {
  const noteText = { note, text: readText(note) };
  const figures = measureNote(noteText, today);
  return [figures?.over, figures === undefined ? [] : checkNoteSize(noteText, figures).map(({ code }) => code)];
}

const bytes = (count: number): string => "x".repeat(count);

describe("the size of a note", () => {
  test.each<[string, string, number, readonly unknown[]]>([
    ["8 KiB of an old note", "2026-03-09", 8192, [undefined, []]],
    ["a byte more", "2026-03-09", 8193, ["bloat", ["note_bloat"]]],
    ["30 KiB of an old note", "2026-03-09", 30_720, ["bloat", ["note_bloat"]]],
    ["a byte more than that", "2026-03-09", 30_721, ["rotation", ["note_over_rotation"]]],
    ["today's note never rotates", today, 30_721, ["bloat", ["note_bloat"]]],
    ["nor does tomorrow's", "2026-03-11", 30_721, ["bloat", ["note_bloat"]]],
    ["a small note of today", today, 8192, [undefined, []]],
    ["an empty note", "2026-03-09", 0, [undefined, []]],
  ])("%s", (_name, day, count, expected) => {
    expect(judge(noteOf(day, bytes(count)))).toEqual(expected);
  });

  test("bytes count, not characters", () => {
    expect(judge(noteOf("2026-03-09", "汉".repeat(2731)))).toEqual(["bloat", ["note_bloat"]]);
  });

  test("of a shortened note its own text counts", () => {
    const shortened = { state: "shortened", ownFrom: 1000 } as const;
    expect(judge(noteOf("2026-03-09", bytes(9192), shortened))).toEqual([null, []]);
    expect(judge(noteOf("2026-03-09", bytes(9193), shortened))).toEqual(["bloat", ["note_bloat"]]);
    expect(judge(noteOf("2026-03-09", bytes(31_720), shortened))).toEqual(["bloat", ["note_bloat"]]);
    expect(judge(noteOf("2026-03-09", bytes(31_721), shortened))).toEqual(["rotation", ["note_over_rotation"]]);
  });

  test("a shortened note is listed whatever its size", () => {
    const note = noteOf("2026-03-09", bytes(50), { state: "shortened", ownFrom: 40 });
    expect(measureNote({ note, text: readText(note) }, today)).toEqual({
      path: "memory/2026-03-09.md",
      bytes: 10,
      over: null,
      captured: false,
      shortened: true,
    });
  });

  test("one whose summary was edited is measured whole, and moved by hand", () => {
    const note = noteOf("2026-03-09", bytes(30_721), { state: "edited", ownFrom: 0 });
    expect(judge(note)).toEqual(["rotation", ["note_over_rotation"]]);
    const text = readText(note);
    const figures = measureNote({ note, text }, today);
    const [finding] = figures === undefined ? [] : checkNoteSize({ note, text }, figures);
    expect(finding?.message).toContain("move it by hand");
  });

  test("captured notes are told in the figures and are no finding", () => {
    const note = noteOf("2026-03-09", bytes(40_000));
    const text = readText(note);
    const figures = { path: note.path, bytes: 40_000, over: "rotation", captured: true, shortened: false } as const;
    expect(checkNoteSize({ note, text }, figures)).toEqual([]);
  });

  test("the finding is about the whole file and says what helps", () => {
    const note = noteOf("2026-03-09", bytes(30_721));
    const text = readText(note);
    const figures = measureNote({ note, text }, today);
    expect(figures === undefined ? [] : checkNoteSize({ note, text }, figures)).toEqual([
      {
        code: "note_over_rotation",
        severity: "medium",
        path: "memory/2026-03-09.md",
        line: null,
        lines: null,
        message:
          "The note has 30721 bytes, 30720 are wanted at most: `heartwood audit --aggressive --apply` moves it to memory/archive/ and leaves a summary.",
        resolved: false,
      },
    ]);
  });
});
