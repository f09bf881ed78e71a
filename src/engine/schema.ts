import * as z from "zod/mini";
import type { Field, InputFile, OutputFile } from "./operation.ts";

// To compile a checker for each schema costs a command more than it saves.
z.config({ jitless: true });

/** A zod schema as published types see it, which must not need zod. */
export interface Schema<Value> {
  readonly _zod: { readonly output: Value };
}

interface Optional<Value> extends Schema<Value> {
  readonly _zod: { readonly output: Value; readonly optout: "optional" };
}

type Shape = Readonly<Record<string, Schema<unknown>>>;

/** The value that a schema lets through. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

type OptionalKeys<S extends Shape> = { [Key in keyof S]: S[Key] extends Optional<unknown> ? Key : never }[keyof S];

/** The object that has these fields. */
export type ObjectOf<S extends Shape> = {
  readonly [Key in Exclude<keyof S, OptionalKeys<S>>]: ValueOf<S[Key]>;
} & { readonly [Key in OptionalKeys<S>]?: ValueOf<S[Key]> } extends infer Both
  ? { [Key in keyof Both]: Both[Key] }
  : never;

/** What a surface shows of a field. */
type Said = Omit<Field, "name" | "presence">;
type More = Partial<Omit<Said, "kind" | "summary">>;

const said = z.registry<Said>();

/** The input of an operation: these fields and no others. */
export function object<S extends Shape>(shape: S): Schema<ObjectOf<S>> & { readonly shape: S } {
  return z.strictObject(shape as unknown as z.core.$ZodLooseShape) as unknown as ReturnType<typeof object<S>>;
}

/** Some fields of an input, in this order. */
export function pick<S extends Shape, Name extends keyof S>(
  { shape }: { readonly shape: S },
  ...names: readonly Name[]
): Pick<S, Name> {
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<S, Name>;
}

/** The same field, which need not be given. */
export function optional<Value>(schema: Schema<Value>): Optional<Value> {
  return z.exactOptional(schema as z.ZodMiniType<Value>);
}

export function text(placeholder: string, summary: string, more: More = {}): Schema<string> {
  return z.string().register(said, { kind: { kind: "text" }, placeholder, summary, ...more });
}

/** A text, or a file of lines that is read as it comes. */
export function textOrLines(placeholder: string, summary: string, more: More = {}): Schema<string | InputFile> {
  const kind = { kind: "text", batch: "streams" } as const;
  return z
    .union([z.string(), z.custom<InputFile>(isInputFile)])
    .register(said, { kind, placeholder, summary, ...more });
}

/** A whole number within limits. */
export function whole(min: number, max: number, summary: string, more: More = {}): Schema<number> {
  const number = z.int().check(z.minimum(min), z.maximum(max));
  return number.register(said, { kind: { kind: "integer", min, max }, placeholder: "N", summary, ...more });
}

export function choice<const Value extends string>(
  values: readonly Value[],
  placeholder: string,
  summary: string,
  more: More = {},
): Schema<Value> {
  return z.enum(values).register(said, { kind: { kind: "choice", values }, placeholder, summary, ...more });
}

/** False when it is not given. */
export function flag(summary: string, more: More = {}): Optional<boolean> {
  return optional(z.boolean().register(said, { kind: { kind: "flag" }, summary, ...more }));
}

/** True when it is not given; the option of the command line makes it false. `summary` is of the option, `meaning` of both values. */
export function switchOff(option: string | undefined, summary: string, meaning = summary): Optional<boolean> {
  const kind = { kind: "flag", given: "off" } as const;
  const named = option === undefined ? {} : { option };
  return optional(z.boolean().register(said, { kind, summary, meaning, ...named }));
}

/** A file that the caller hands over. */
export function file(summary: string, more: More = {}): Schema<InputFile> {
  const schema = z.custom<InputFile>(isInputFile);
  return schema.register(said, { kind: { kind: "file" }, placeholder: "FILE", summary, ...more });
}

/** A file that the caller wants to be written. */
export function outputFile(summary: string, more: More = {}): Schema<OutputFile> {
  const schema = z.custom<OutputFile>(isOutputFile);
  return schema.register(said, { kind: { kind: "output" }, placeholder: "FILE", summary, ...more });
}

/** The fields of an input by name. */
export function shapeOf(input: Schema<unknown>): Readonly<Record<string, Schema<unknown>>> {
  return (input as z.ZodMiniObject)._zod.def.shape as Readonly<Record<string, z.ZodMiniType>>;
}

/** What surfaces show of the fields of an input, in its order. */
export function fieldsOf(input: Schema<unknown>): readonly Field[] {
  return Object.entries(shapeOf(input)).map(([name, schema]) => {
    const { def } = (schema as z.ZodMiniExactOptional)._zod;
    const isOptional = def.type === "optional";
    const shown = said.get((isOptional ? def.innerType : schema) as unknown as z.ZodMiniType);
    if (shown === undefined) throw new Error(`nothing is said of the field ${name}`);
    return { name, presence: isOptional ? "optional" : "required", ...shown };
  });
}

/** The value that the schema lets through; else the names of the fields it refuses, the unknown ones first. */
export function parsed<Value>(
  input: Schema<Value>,
  given: unknown,
): { readonly value: Value } | { readonly unknown: string | undefined; readonly refused: string | undefined } {
  const { success, data, error } = z.safeParse(input as z.ZodMiniType<Value>, given);
  if (success) return { value: data };
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  return { unknown, refused: error.issues[0]?.path[0] as string | undefined };
}

/** JSON Schema, draft 2020-12, as far as tools need it. */
export interface JsonSchema {
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: boolean;
}

/** An input as JSON Schema: what its fields say, and nothing else. Files have no place in it and must be left out before. */
export function jsonSchemaOf(input: Schema<unknown>): JsonSchema {
  const { properties, required = [] } = z.toJSONSchema(input as z.ZodMiniType, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const shown = said.get(zodSchema as unknown as z.ZodMiniType);
      if (shown === undefined) return;
      const { kind, summary, meaning = summary } = shown;
      // A text that may also be a file: only the text can be sent.
      delete jsonSchema.anyOf;
      jsonSchema.type ??= "string";
      if (kind.kind === "flag") jsonSchema.default = kind.given === "off";
      jsonSchema.description = meaning;
    },
  }) as JsonSchema;
  return { type: "object", properties: properties ?? {}, required, additionalProperties: false };
}

function isInputFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "chunks" in value && typeof value.chunks === "function";
}

function isOutputFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "write" in value && typeof value.write === "function";
}
