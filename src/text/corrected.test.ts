import { describe, expect, test } from "vitest";
import { parseCorrected, placesCorrected, repeats, sentencesSaid, withoutSaid } from "./corrected.ts";

const corrected = sentencesSaid("- decision: Staging runs on port 5544.");

describe("a text repeats a corrected sentence", () => {
  test.each([
    "Staging runs on port 5544",
    "- **Staging** runs on `port 5544`.",
    "User: remember: staging runs on port 5544!",
    "Assistant: Noted: staging runs on port 5544.",
    "decision: staging runs on port 5544 (said 11-26)",
    "Backups are daily. Staging runs on port 5544.",
    "Staging runs on port…",
  ])("%s", (text) => expect(repeats(text, corrected)).toBe(true));

  test.each([
    "Staging runs on port 6100",
    "Staging does not run on port 5544",
    "Production runs on port 5544",
    "Port 5544",
    "Staging runs",
    "Staging runs on port 5544 behind the old proxy in Lisbon, which Mira restarts every Friday after lunch",
    "",
  ])("but not: %s", (text) => expect(repeats(text, corrected)).toBe(false));

  test.each([
    ["Mira owns the payments service", "Tom owns the payments service"],
    ["Deploys happen on Fridays", "Deploys happen on Mondays"],
    ["ステージングは5544番ポートで動きます。", "ステージングは6100番ポートで動きます。"],
    ["스테이징 서버는 5544 포트에서 실행됩니다.", "스테이징 서버는 6100 포트에서 실행됩니다."],
    ["测试服务器使用5544端口。", "测试服务器使用6100端口。"],
    ["Стенд работает на порту 5544.", "Стенд работает на порту 6100."],
  ])("the same words: %s", (wrong, right) => {
    const said = sentencesSaid(wrong);
    expect([repeats(`- ${wrong}`, said), repeats(`User: ${wrong}`, said), repeats(right, said)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("only what is wrong is taken out", () => {
    expect(withoutSaid("Staging runs on port 5544 (said 11-26); backups are daily", corrected)).toBe(
      "backups are daily",
    );
    expect(withoutSaid("Backups are daily. Staging runs on port 5544.", corrected)).toBe("Backups are daily.");
    expect(withoutSaid("Staging runs on port 5544. (said 11-26)", corrected)).toBe("");
    expect(withoutSaid("Backups are daily; nothing else", corrected)).toBe("Backups are daily; nothing else");
  });
});

describe("what an entry corrects", () => {
  const entry = (origin: string, ...body: readonly string[]): readonly string[] => [
    "## Staging [reference]",
    `<!-- hw id=a1 at=2026-03-15T12:00:00+00:00 origin=${origin} bytes=9 -->`,
    ...body,
  ];

  test("is the place in its first line", () => {
    const log = ["# 2026-03-15", "", ...entry("user", "- corrects: memory/2026-03-12.md:3-4", "- port 6100")];
    expect(placesCorrected(log)).toEqual([{ source: "memory/2026-03-12.md", lines: [3, 4], line: 3 }]);
    expect(placesCorrected(entry("agent", "- corrects: thread:a:b:5"))).toEqual([
      { source: "thread:a:b", lines: [5, 5], line: 1 },
    ]);
  });

  test.each([
    ["a tool's entry", entry("tool", "- corrects: memory/2026-03-12.md:3")],
    ["an imported entry", entry("import", "- corrects: memory/2026-03-12.md:3")],
    ["a later line", entry("user", "- a", "- corrects: memory/2026-03-12.md:3")],
    ["an entry without a comment", ["## Staging", "- corrects: memory/2026-03-12.md:3"]],
    ["a whole log", entry("user", "- corrects: memory/2026-03-12.md")],
    ["many lines", entry("user", "- corrects: memory/2026-03-12.md:1-51")],
  ])("is nothing for %s", (_name, lines) => expect(placesCorrected(lines)).toEqual([]));

  test.each([
    "",
    "memory/2026-03-12.md",
    "memory/../x.md:1",
    "/etc/passwd:1",
    "memory/x.md:9-3",
    "ROOT:3",
    "thread:1",
    "memory/a b.md:1",
  ])("%j is no place", (place) => expect(parseCorrected(place)).toBeUndefined());
});
