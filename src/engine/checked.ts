import { MemoryError, type ErrorCode } from "../base/errors.ts";
import { forgetLook } from "./indexing/last-look.ts";
import type { Call, Field, Operation } from "./operation.ts";

/**
 * An operation that refuses input which is not what its fields say, whoever calls it, and that ends with `aborted` when its signal says so, before it
 * begins and on the way. Errors besides its own: `usage`, `invalid_number`, `invalid_type`, `invalid_origin`, `invalid_platform`, `aborted`.
 */
export function checked<Input, Result>(operation: Operation<Input, Result>): Operation<Input, Result> {
  return {
    ...operation,
    run: async (memory, input, call: Call = {}) => {
      const fault = faultOf(operation, input ?? {});
      if (fault !== undefined) throw await refusal(fault);
      if (call.signal?.aborted === true) throw stopped(call.signal.reason);
      try {
        return await operation.run(memory, whatIsGiven(operation.fields, input ?? ({} as Input)), call);
      } catch (error) {
        throw error instanceof Error && error.name === "AbortError"
          ? stopped(error.cause ?? call.signal?.reason)
          : error;
      } finally {
        // Whoever writes finds what was written with the next question.
        if (operation.effect === "writes") forgetLook(memory.searchIndex);
      }
    },
  };
}

/**
 * Refuses input that is not what the fields say, for a surface that gives an operation another name or other fields. Errors: those of `checked`.
 */
export async function refuseBadInput(asked: Pick<Operation, "name" | "fields">, input: unknown): Promise<void> {
  const fault = faultOf(asked, input ?? {});
  if (fault !== undefined) throw await refusal(fault);
}

/** Input without values that mean the same as none: `null`, and `false` for a flag. So no operation has to tell them apart. */
export function whatIsGiven<Input>(fields: readonly Field[], input: Input): Input {
  const flags = fields.filter(({ kind }) => kind.kind === "flag" && kind.given !== "off").map(({ name }) => name);
  const given = Object.entries(input as object).filter(
    ([key, value]) => value !== null && !(value === false && flags.includes(key)),
  );
  return Object.fromEntries(given) as Input;
}

function stopped(reason: unknown): MemoryError {
  return reason instanceof MemoryError
    ? reason
    : new MemoryError(
        "aborted",
        "Stopped before the end; what was written is whole, and another call goes on from there.",
      );
}

/** `what` is `seen`; `want`. */
interface Fault {
  readonly code: ErrorCode;
  readonly what: string;
  readonly seen: unknown;
  readonly want: string;
  readonly field?: string;
}

function faultOf({ name, fields }: Pick<Operation, "name" | "fields">, input: unknown): Fault | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return { code: "usage", what: `The input of ${name} is`, seen: input, want: "give an object of its fields" };
  const names = fields.map((field) => field.name);
  const unknown = Object.keys(input).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    const want = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`;
    return { code: "usage", what: `${name} has no field`, seen: unknown, want };
  }
  const given = input as Readonly<Record<string, unknown>>;
  return fields.map((field) => faultIn(field, given[field.name])).find((fault) => fault !== undefined);
}

/** The code for a value that is not among those of a field; `usage` for other fields. */
export const choiceCodes: Readonly<Record<string, ErrorCode>> = {
  type: "invalid_type",
  origin: "invalid_origin",
  platform: "invalid_platform",
};

function faultIn(field: Field, value: unknown): Fault | undefined {
  const { name, kind } = field;
  const fault = (code: ErrorCode, want: string): Fault => ({
    code,
    what: `${name} is`,
    seen: value,
    want,
    field: name,
  });
  if (value === undefined || value === null)
    return field.presence === "required" ? fault("usage", `it is required: ${field.summary}`) : undefined;
  switch (kind.kind) {
    case "text":
      return typeof value === "string" || (kind.batch === "streams" && isInputFile(value))
        ? undefined
        : fault("usage", "give a text");
    case "file":
      return isInputFile(value) ? undefined : fault("usage", "give an object with name and chunks()");
    case "output":
      return isOutputFile(value) ? undefined : fault("usage", "give an object with name, read() and write()");
    case "flag":
      return typeof value === "boolean" ? undefined : fault("usage", "give true or false, or leave it out");
    case "choice":
      return kind.values.includes(value as string)
        ? undefined
        : fault(choiceCodes[name] ?? "usage", `give one of ${kind.values.join(", ")}`);
    case "integer": {
      const isWhole = typeof value === "number" && Number.isInteger(value) && value >= kind.min && value <= kind.max;
      return isWhole ? undefined : fault("invalid_number", `give a whole number from ${kind.min} to ${kind.max}`);
    }
  }
}

function isInputFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "chunks" in value && typeof value.chunks === "function";
}

function isOutputFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "write" in value && typeof value.write === "function";
}

async function refusal({ code, what, seen, want, field }: Fault): Promise<MemoryError> {
  // Late, because only a failure pays for it: what was given may hold a secret.
  const { shown } = await import("../base/shown.ts");
  const text = typeof seen === "string" ? JSON.stringify(shown(seen, 60)) : nameOf(seen);
  return new MemoryError(code, `${what} ${text}; ${want}.`, field === undefined ? {} : { field });
}

function nameOf(value: unknown): string {
  if (value === undefined) return "not given";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : `of the kind ${typeof value}`;
}
