import { describe, expect, it } from "vitest";
import { dayToldBy, parseLogFile } from "./period.ts";

const messageOf = (name: string, taken: readonly string[] = []): string => {
  const read = parseLogFile(name, new Set(taken));
  return read.state === "bad" ? (read.message.split("; ").at(-1) ?? "") : read.state;
};

describe("a file name in memory/", () => {
  it("is a log, or gets a suggested name when it has a date in another form", () => {
    expect(messageOf("2026-01-28.md")).toBe("log");
    expect(messageOf("2026-01-28-büro.md")).toBe("log");
    for (const name of ["2026-1-28.md", "20260128.md", "2026_01_28.md", "2026.1.28.markdown", "28-01-2026.md"])
      expect([name, messageOf(name)]).toEqual([name, "rename it to 2026-01-28.md"]);
    expect(messageOf("2026-01-28.txt")).toBe("rename it to 2026-01-28.md");
    expect(messageOf("05.04.2026.md")).toBe("rename it to 2026-04-05.md or 2026-05-04.md");
    expect(messageOf("2026-01-28 (1).md")).toBe("rename it to 2026-01-28-1.md");
    expect(messageOf("20260128 stand up.md")).toBe("rename it to 2026-01-28-stand-up.md");
    expect(messageOf("2026-02-30.md")).toBe("2026-02-30 is not a valid date");
  });

  it("is not suggested when another file has it", () => {
    expect(messageOf("2026-1-28.md", ["2026-01-28.md"])).toBe("rename it to 2026-01-28-2.md");
  });

  it("is something else when its number is not a day, or it is a text file with words in its name", () => {
    const others = [
      "202601281230.md",
      "2026127.md",
      "1234-5-6.md",
      "20261399.md",
      "3-4-5.md",
      "2026-01.md",
      "notes.md",
    ];
    for (const name of [...others, "2026-01-28-receipt.txt", "2026-01-28.pdf", "a 2026-01-28.md"])
      expect([name, messageOf(name)]).toEqual([name, "other"]);
  });
});

describe("the day that a log declares", () => {
  const told = (text: string): string | undefined => dayToldBy(text.split("\n"));

  it("is in its title, on its first line or in its front matter", () => {
    const titles = [
      "# 2026-01-26",
      "# Monday, 2026-01-26",
      "# Log – 2026/1/26 (Mon)",
      "2026-01-26",
      "Date: 2026-01-26",
    ];
    const more = ["# Montag, 26.01.2026", "# 2026年1月26日 月曜日", "# 2026년 1월 26일", "# дневник 26.01.2026"];
    for (const text of [...titles, ...more, "\n---\ntags: [a]\ndate: 2026-01-26\n---\n# Standup"])
      expect([text, told(text)]).toEqual([text, "2026-01-26"]);
  });

  it("is not a date mentioned elsewhere", () => {
    const others = [
      "# 2026-02-14 Deadline",
      "# Launch on 2026-02-14",
      "- due: 2026-02-14",
      "# 2026-01-26 to 2026-01-28",
    ];
    for (const text of [
      ...others,
      "# Standup\n## 2026-02-14",
      "# 2026-02-30",
      "# v2026.1.26.4",
      "---\ntags: a\n---\n# A",
    ])
      expect([text, told(text)]).toEqual([text, undefined]);
  });
});
