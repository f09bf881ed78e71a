import type { AgentMemory } from "../agents/memory.ts";
import { MemoryError, type ErrorCode } from "../base/errors.ts";
import type { Call, Field, InputFile } from "../base/operation.ts";
import { fieldsOf, type Schema } from "../base/schema.ts";

/**
 * One thing heartwood can do, as data. Every surface renders the same table of operations.
 * The table imports implementations lazily, so a surface loads only what it calls.
 */
export interface Operation<Input = unknown, Result = unknown, Name extends string = string> {
  /** `tree.compact`, `log.add`. */
  readonly name: Name;
  /** The words of the command: `["log", "add"]`. */
  readonly command: readonly string[];
  /** One line for a list of commands. */
  readonly summary: string;
  /** What it does, in a few sentences, for help and tool descriptions. */
  readonly description: string;
  /** Built on first use. */
  readonly input: Schema<Input>;
  /** The fields of the input, as a command line shows them. */
  readonly fields: readonly Field[];
  /** A sentence for the command's help: when it exits with a status other than 0. */
  readonly exit?: string;
  /** Command lines; a test runs each. */
  readonly examples: readonly string[];
  /** Whether it may change files. */
  readonly effect: "reads" | "writes";
  /** A result that is an `AsyncIterable<string>` is a stream of lines, which surfaces forward as they arrive. */
  run(memory: Memory, input: Input, call?: Call): Promise<Result>;
  /** `findings` becomes exit status 1, `failed` becomes 3. Default `done`. */
  outcomeOf?(result: Result): "done" | "findings" | "failed";
}

/** An operation as written in the table. */
interface Definition<Input, Result, Name extends string> extends Omit<
  Operation<Input, Result, Name>,
  "input" | "fields" | "effect" | "run"
> {
  input(): Schema<Input>;
  /** Default `reads`. */
  readonly effect?: "writes";
  /** Imports the implementation. */
  load(): Promise<(memory: Memory, input: Input, call: Call) => Promise<Result>>;
}

/**
 * Makes an operation that validates its input and fails with `aborted` when its signal is aborted. Additional errors: `usage`, `invalid_number`,
 * `invalid_type`, `invalid_origin`, `invalid_platform`, `aborted`.
 */
export function defineOperation<Input, Result, const Name extends string>({
  load,
  ...definition
}: Definition<Input, Result, Name>): Operation<Input, Result, Name> {
  let schema: Schema<Input> | undefined;
  const operation: Operation<Input, Result, Name> = {
    effect: "reads",
    ...definition,
    get input() {
      return (schema ??= definition.input());
    },
    get fields() {
      return fieldsOf(operation.input);
    },
    run: async (memory, given, call = {}) => {
      const input = await acceptedInput(operation, given ?? {});
      if (call.signal?.aborted === true) throw stopped(call.signal.reason);
      try {
        return await (
          await load()
        )(memory, input, call);
      } catch (error) {
        throw error instanceof Error && error.name === "AbortError"
          ? stopped(error.cause ?? call.signal?.reason)
          : error;
      }
    },
  };
  return operation;
}

/**
 * Validates an input and returns it without values that mean "not given" (`null`, and `false` for a flag). Errors: `usage`, `invalid_number`, `invalid_type`,
 * `invalid_origin`, `invalid_platform`.
 */
export async function acceptedInput<Input>(
  { name, input: schema }: Pick<Operation<Input>, "name" | "input">,
  given: unknown,
): Promise<Input> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const what = `The input of ${name} is`;
    throw await refusal({ code: "usage", what, seen: given, want: "pass an object with its fields" });
  }
  const fields = fieldsOf(schema);
  const flags = fields.filter(({ kind }) => kind.kind === "flag" && kind.given !== "off").map((field) => field.name);
  const names = fields.map((field) => field.name);
  const isGiven = ([key, value]: readonly [string, unknown]): boolean =>
    !names.includes(key) || !(value === undefined || value === null || (value === false && flags.includes(key)));
  const entries = Object.entries(given).filter(isGiven);
  if (entries.length === 0 && fields.every(({ presence }) => presence === "optional")) return {} as Input;
  // Imported lazily, so operations without input do not load zod.
  const { parsed } = await import("./zod.ts");
  const result = parsed(schema, Object.fromEntries(entries));
  if ("value" in result) return result.value;
  if (result.unknown !== undefined) {
    const want = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`;
    throw await refusal({ code: "usage", what: `${name} has no field`, seen: result.unknown, want });
  }
  const field = fields.find((one) => one.name === result.refused) as Field;
  const seen = (given as Readonly<Record<string, unknown>>)[field.name];
  throw await refusal({ ...wantedOf(field, seen), what: `${field.name} is`, seen, field: field.name });
}

function stopped(reason: unknown): MemoryError {
  return reason instanceof MemoryError
    ? reason
    : new MemoryError(
        "aborted",
        "Stopped before the end; what was written is complete, and another call continues from there.",
      );
}

/** The message is: `what` `seen`; `want`. */
interface Fault {
  readonly code: ErrorCode;
  readonly what: string;
  readonly seen: unknown;
  readonly want: string;
  readonly field?: string;
}

/** The code for an invalid choice; `usage` for other fields. */
const choiceCodes: Readonly<Record<string, ErrorCode>> = {
  type: "invalid_type",
  origin: "invalid_origin",
  platform: "invalid_platform",
};

/** The error code for an invalid value, and what the field accepts instead. */
export function wantedOf(field: Field, seen: unknown): Pick<Fault, "code" | "want"> {
  const { kind, name, summary } = field;
  if (seen === undefined || seen === null) return { code: "usage", want: `it is required: ${summary}` };
  switch (kind.kind) {
    case "text":
      return { code: "usage", want: "it must be a string" };
    case "file":
      return { code: "usage", want: "it must be an object with name and chunks()" };
    case "output":
      return { code: "usage", want: "it must be an object with name, read() and write()" };
    case "flag":
      return { code: "usage", want: "it must be true or false, or omitted" };
    case "choice":
      return { code: choiceCodes[name] ?? "usage", want: `it must be one of ${kind.values.join(", ")}` };
    case "integer":
      return { code: "invalid_number", want: `it must be a whole number from ${kind.min} to ${kind.max}` };
  }
}

async function refusal({ code, what, seen, want, field }: Fault): Promise<MemoryError> {
  // Imported lazily, because only failures need it. The value may contain a secret.
  const { shown } = await import("../text/shown.ts");
  const text = typeof seen === "string" ? JSON.stringify(shown(seen, 60)) : nameOf(seen);
  return new MemoryError(code, `${what} ${text}; ${want}.`, field === undefined ? {} : { field });
}

function nameOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}

export function textFile(name: string, text: string): InputFile {
  return {
    name,
    chunks: async function* () {
      yield new TextEncoder().encode(text);
    },
  };
}

export function isStream(result: unknown): result is AsyncIterable<string> {
  return typeof result === "object" && result !== null && Symbol.asyncIterator in result;
}

/** An opened project folder with everything an operation needs, assembled by `open.ts`. */
export type Memory = AgentMemory;
