import { describe, expect, test } from "vitest";
import { compareFindings, createFinding, severities, severityOf, type FindingCode } from "./finding.ts";

const at = (code: FindingCode, path: string, line?: number): ReturnType<typeof createFinding> =>
  createFinding(code, path, "x", line === undefined ? null : [line, line + 1]);

describe("findings", () => {
  test("a finding without lines is about the whole file", () => {
    expect(at("note_bloat", "memory/2026-01-01.md")).toMatchObject({ line: null, lines: null, severity: "low" });
    expect(at("secret_found", "USER.md", 3)).toMatchObject({ line: 3, lines: [3, 4], severity: "high" });
  });

  test("are sorted by severity, MEMORY.md first, path by code unit, line, code", () => {
    const ordered = [
      at("memory_over_loader", "MEMORY.md", 201),
      at("secret_found", "MEMORY.md", 202),
      at("unreadable", "memory/2026-01-01.md"),
      at("section_bloat", "MEMORY.md", 3),
      at("broken_front_matter", "knowledge/a.md", 1),
      at("memory_over_max", "MEMORY.md"),
      at("dangling_reference", "MEMORY.md", 2),
      at("duplicate_line", "MEMORY.md", 2),
      at("duplicate_line", "MEMORY.md", 10),
      at("not_utf8", "USER.md", 9),
      at("dangling_reference", "knowledge/a.md", 1),
      at("dangling_reference", "knowledge/\uE000.md", 1),
      at("note_bloat", "memory/2026-01-01.md"),
    ];
    expect(ordered.toReversed().toSorted(compareFindings)).toEqual(ordered);
    expect(ordered.toSorted(compareFindings)).toEqual(ordered);
  });

  test("every code has a valid severity", () => {
    expect(Object.values(severityOf).filter((severity) => !severities.includes(severity))).toEqual([]);
  });
});
