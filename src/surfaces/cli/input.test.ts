import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { InputFile } from "../../engine/operation.ts";
import { operations } from "../../engine/operations.ts";
import type { CommandSpec, Given } from "./command.ts";
import { inputOf } from "./input.ts";

function specOf(name: string): CommandSpec {
  return operations.find((operation) => operation.name === name) as CommandSpec;
}

function openNothing(word: string): InputFile {
  throw new Error(`${word} was opened`);
}

function refusal(name: string, given: Given): MemoryError {
  try {
    inputOf(specOf(name), given, openNothing);
  } catch (error) {
    return error as MemoryError;
  }
  throw new Error("was accepted");
}

test("numbers become numbers, flags stay true, what was not given is absent", () => {
  expect(inputOf(specOf("tree.compact"), { cycles: "7", dry_run: true }, openNothing)).toEqual({
    cycles: 7,
    dry_run: true,
  });
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

test("a file field is opened by its word, and an empty word is refused", () => {
  const open = (name: string): InputFile => ({ name, chunks: async function* () {} });
  expect(inputOf(specOf("thread.import"), { file: "a b.jsonl" }, open)).toMatchObject({ file: { name: "a b.jsonl" } });
  expect(inputOf(specOf("thread.import"), { file: "-" }, open)).toMatchObject({ file: { name: "-" } });
  expect(refusal("thread.import", { file: "" })).toMatchObject({ code: "usage" });
});

test("a seq may be as large as a whole number can be", () => {
  const given = { thread_id: "t", from_seq: "9007199254740991" };
  expect(inputOf(specOf("thread.events"), given, openNothing)).toMatchObject({ from_seq: 9007199254740991 });
  expect(refusal("thread.events", { ...given, from_seq: "9007199254740992" }).code).toBe("invalid_number");
});
