import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { createO200kTokens } from "./o200k-tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "heartwood-tokens-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function failureOf(run: () => unknown): MemoryError {
  try {
    run();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("the o200k token counter", () => {
  it("reads its table only when counting, and reports a missing table", () => {
    const tokens = createO200kTokens({ tableFile: join(folder, "missing.bin") });
    const failure = failureOf(() => tokens.count("a text"));
    expect(failure.code).toBe("io");
    expect(failure.message).toContain("missing.bin could not be read (ENOENT)");
  });

  it("rejects a damaged table", () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("hwo200k1"), Buffer.alloc(500_000, "hwo200k1")]) {
      const tableFile = join(folder, "damaged.bin");
      writeFileSync(tableFile, bytes);
      expect(failureOf(() => createO200kTokens({ tableFile }).count("a text")).code).toBe("io");
    }
  });
});
