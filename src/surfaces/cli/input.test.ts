import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { InputFile, OutputFile } from "../../base/operation.ts";
import { operations } from "../../operations/table.ts";
import type { CommandSpec, Given } from "../../operations/command-line.ts";
import { inputOf, type NamedFiles } from "./input.ts";

function specOf(name: string): CommandSpec {
  return operations.find((operation) => operation.name === name) as CommandSpec;
}

const openNothing: NamedFiles = {
  input: (word) => {
    throw new Error(`${word} was opened`);
  },
  output: (word) => {
    throw new Error(`${word} was opened`);
  },
};

function refusal(name: string, given: Given): MemoryError {
  try {
    inputOf(specOf(name), given, openNothing);
  } catch (error) {
    return error as MemoryError;
  }
  throw new Error("was accepted");
}

test("numbers become numbers, flags stay true, missing options stay absent", () => {
  expect(inputOf(specOf("tree.compact"), { cycles: "7", dry_run: true }, openNothing)).toEqual({
    cycles: 7,
    dry_run: true,
  });
});

test.each(["0", "-1", "1.5", "x", "", "1e3", "100001", "99999999999999999999", "٣"])(
  "%j cycles are refused with the allowed range",
  (cycles) => {
    const error = refusal("tree.compact", { cycles });
    expect(error.code).toBe("invalid_number");
    expect(error.message).toContain("1 to 100000");
  },
);

test("an invalid choice has the error code of its field", () => {
  expect(refusal("log.add", { topic: "t", type: "x" })).toMatchObject({
    code: "invalid_type",
    details: { field: "type", value: "x" },
  });
  expect(refusal("log.add", { topic: "t", origin: "x" }).code).toBe("invalid_origin");
  expect(refusal("memory.init", { platform: "x" }).message).toContain("plain, claude-code");
});

test("a file field opens the given path and refuses an empty one", () => {
  const open = { ...openNothing, input: (name: string): InputFile => ({ name, chunks: async function* () {} }) };
  expect(inputOf(specOf("thread.import"), { file: "a b.jsonl" }, open)).toMatchObject({ file: { name: "a b.jsonl" } });
  expect(inputOf(specOf("thread.import"), { file: "-" }, open)).toMatchObject({ file: { name: "-" } });
  expect(refusal("thread.import", { file: "" })).toMatchObject({ code: "usage" });
});

test("an output field opens the given path and refuses an empty one", () => {
  const output = (name: string): OutputFile => ({ name, read: async () => undefined, write: async () => {} });
  const files = { ...openNothing, output };
  expect(inputOf(specOf("audit.run"), { markdown: "a.md" }, files)).toMatchObject({ markdown: { name: "a.md" } });
  expect(inputOf(specOf("audit.run"), { markdown: "-" }, files)).toMatchObject({ markdown: { name: "-" } });
  const error = refusal("audit.run", { markdown: "" });
  expect(error.code).toBe("usage");
  expect(error.message).toBe("--markdown is empty; pass the path of a file, or - for standard output.");
});

test("the limits of an audit are shown as they are typed", () => {
  expect(refusal("audit.run", { fail_on: "x" }).message).toBe('--fail-on is "x"; it must be one of low, medium, high.');
  expect(refusal("audit.run", { max_memory_kb: "0" }).message).toBe(
    '--max-memory-kb is "0"; it must be a whole number from 1 to 1000000.',
  );
});

test("a seq may be the largest safe integer", () => {
  const given = { thread_id: "t", from_seq: "9007199254740991" };
  expect(inputOf(specOf("thread.events"), given, openNothing)).toMatchObject({ from_seq: 9007199254740991 });
  expect(refusal("thread.events", { ...given, from_seq: "9007199254740992" }).code).toBe("invalid_number");
});
