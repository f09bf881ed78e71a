import { describe, expect, test } from "vitest";
import { termOf, termsIn } from "./stored-words.ts";

describe("terms", () => {
  test("case, accents and English endings make no difference; letters of other scripts do", () => {
    expect(["Cafés", "CAFÉ", "café", "RUNNING"].map(termOf)).toEqual(["cafe", "cafe", "cafe", "run"]);
    expect(termOf("が")).not.toBe(termOf("か"));
    expect(termOf("한국")).toBe("한국");
    expect(termsIn("snake_case, E_CONN: src/a.ts 100%")).toEqual([
      "snake",
      "case",
      "e",
      "conn",
      "src",
      "a",
      "ts",
      "100",
    ]);
    expect(termsIn("🦀 … \0")).toEqual([]);
  });
});
