import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { operations } from "../../engine/operations.ts";
import type { CommandSpec, Given } from "./command.ts";
import { inputOf } from "./input.ts";

function specOf(name: string): CommandSpec {
  return operations.find((operation) => operation.name === name) as CommandSpec;
}

function refusal(name: string, given: Given): MemoryError {
  try {
    inputOf(specOf(name), given);
  } catch (error) {
    return error as MemoryError;
  }
  throw new Error("was accepted");
}

test("numbers become numbers, flags stay true, what was not given is absent", () => {
  expect(inputOf(specOf("tree.compact"), { cycles: "7", dry_run: true })).toEqual({ cycles: 7, dry_run: true });
});

test.each(["0", "-1", "1.5", "x", "", "1e3", "100001", "99999999999999999999", "٣"])(
  "%j cycles are refused with what is allowed",
  (cycles) => {
    const error = refusal("tree.compact", { cycles });
    expect(error.code).toBe("invalid_number");
    expect(error.message).toContain("1 to 100000");
  },
);

test("a choice outside its values has the code of its field", () => {
  expect(refusal("log.add", { topic: "t", type: "x" })).toMatchObject({
    code: "invalid_type",
    details: { field: "type", value: "x" },
  });
  expect(refusal("log.add", { topic: "t", origin: "x" }).code).toBe("invalid_origin");
  expect(refusal("memory.init", { platform: "x" }).message).toContain("plain, claude-code");
});
