import { describe, expect, test } from "vitest";
import { agedWarning } from "./remembered.ts";

describe("freshness", () => {
  test.each([
    ["project", "2026-02-13", undefined],
    ["project", "2026-02-12", "stale"],
    ["reference", "2026-02-12", "unverified"],
    ["user", "2020-01-01", undefined],
    ["feedback", "2020-01-01", undefined],
    ["project", "", undefined],
  ] as const)("a %s passage of %s is %s on 2026-03-15", (type, day, is) => {
    expect(agedWarning({ type, origin: "", day }, "2026-03-15")?.is).toBe(is);
  });
});
