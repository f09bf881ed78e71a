import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/fixtures/memory.ts";
import type { MemoryError } from "../base/errors.ts";
import type { Field } from "../base/operation.ts";
import { acceptedInput } from "./operation.ts";
import { operation, operations } from "./table.ts";

const run = (name: string, input: unknown, call?: { readonly signal?: AbortSignal }): Promise<unknown> => {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const { memory } = openTestMemory({ files: { "memory/2026-03-14.md": "# 2026-03-14\n\n## A [project]\n- a\n" } });
  return (operation.run as (...all: readonly unknown[]) => Promise<unknown>)(memory, input, call);
};

const refusal = async (name: string, input: unknown): Promise<string> => {
  try {
    await run(name, input);
    return "done";
  } catch (error) {
    return `${(error as MemoryError).code}: ${(error as Error).message}`;
  }
};

describe("an operation called by a program", () => {
  it.each([
    ["tree.root", { max_tokens: 1 }, "invalid_number: max_tokens is 1; it must be a whole number from 100 to 1000000."],
    [
      "tree.root",
      { max_tokens: "x" },
      'invalid_number: max_tokens is "x"; it must be a whole number from 100 to 1000000.',
    ],
    ["tree.root", { max_chars: 0 }, "invalid_number: max_chars is 0; it must be a whole number from 400 to 10000000."],
    ["tree.root", { dropped: "yes" }, 'usage: dropped is "yes"; it must be true or false, or omitted.'],
    ["tree.root", { max: 500 }, 'usage: tree.root has no field "max"; it takes max_tokens, max_chars, dropped.'],
    ["tree.compact", { cycles: 1.5 }, "invalid_number: cycles is 1.5; it must be a whole number from 1 to 100000."],
    [
      "tree.compact",
      { cycles: Number.NaN },
      "invalid_number: cycles is NaN; it must be a whole number from 1 to 100000.",
    ],
    ["tree.compact", { reopen: 5 }, "usage: reopen is 5; it must be a string."],
    ["log.add", {}, "usage: topic is missing; it is required: what the entry is about, one line."],
    ["log.add", { topic: 5 }, "usage: topic is 5; it must be a string."],
    ["log.add", { topic: "T", body: ["x"] }, "usage: body is a list; it must be a string."],
    [
      "log.add",
      { topic: "T", type: "note" },
      'invalid_type: type is "note"; it must be one of project, feedback, user, reference.',
    ],
    ["tree.verify", "all", 'usage: The input of tree.verify is "all"; pass an object with its fields.'],
  ])("%s refuses %j", async (name, input, said) => {
    expect(await refusal(name, input)).toBe(said);
  });

  it("treats a false flag like a missing one", async () => {
    await expect(run("tree.compact", { dry_run: false, if_due: false })).resolves.not.toHaveProperty("dry_run", true);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s treats null like a missing optional input",
    async (name, operation) => {
      const given = operation.fields.map((field) => [field.name, field.presence === "required" ? anyOf(field) : null]);
      await expect(acceptedInput({ name, input: operation.input }, Object.fromEntries(given))).resolves.toBeDefined();
    },
  );

  it("treats null like a missing input, and requires the required ones", async () => {
    const input = { dry_run: true, cycles: null, if_due: null, reopen: null };
    const without = (await run("tree.compact", { dry_run: true })) as object;
    expect(await run("tree.compact", input)).toEqual({ ...without, duration_ms: expect.any(Number) as number });
    expect(await refusal("log.add", { topic: null })).toBe(
      "usage: topic is null; it is required: what the entry is about, one line.",
    );
    expect(await refusal("tree.root", { max: null })).toBe(
      'usage: tree.root has no field "max"; it takes max_tokens, max_chars, dropped.',
    );
  });

  it("runs without an input and without a call", async () => {
    await expect(run("tree.verify", undefined)).resolves.toHaveProperty("checked");
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s fails with aborted when its signal is already aborted",
    async (name, { fields }) => {
      const given = fields.filter(({ presence }) => presence === "required").map((field) => [field.name, anyOf(field)]);
      const input = { ...Object.fromEntries(given), ...(name === "log.add" ? { body: "b" } : {}) };
      await expect(run(name, input, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    },
  );
});

/** A value of the field's kind. */
function anyOf({ kind }: Field): unknown {
  if (kind.kind === "choice") return kind.values[0];
  if (kind.kind === "file") return { name: "a file", chunks: async function* () {} };
  return kind.kind === "text" ? "a" : kind.kind === "integer" ? kind.min : true;
}

it("operation() finds an operation by name, with the types of its input and result", async () => {
  const { memory } = openTestMemory({ files: { "memory/2026-03-14.md": "# 2026-03-14\n\n## A [project]\n- a\n" } });
  const { skipped } = await operation("tree.compact").run(memory, { cycles: 1, dry_run: true });
  expect(skipped).toEqual([]);
  // @ts-expect-error cycles is a number
  await expect(operation("tree.compact").run(memory, { cycles: "1" })).rejects.toMatchObject({
    code: "invalid_number",
  });
  // @ts-expect-error topic is required
  await expect(operation("log.add").run(memory, {})).rejects.toMatchObject({ code: "usage" });
});
