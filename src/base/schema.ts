import type * as zod from "zod/mini";
import type { Field, InputFile, OutputFile } from "./operation.ts";

/** A schema for a value. The zod schema is created only when a value is checked, because loading zod takes longer than some commands. */
export interface Schema<Value> {
  /** Never set. It only carries the type, so published types do not need zod. */
  readonly value?: Value;
}

export interface Optional<Value> extends Schema<Value> {
  readonly presence: "optional";
}

type Shape = Readonly<Record<string, Schema<unknown>>>;

/** The type of the values that a schema accepts. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

type OptionalKeys<S extends Shape> = { [Key in keyof S]: S[Key] extends Optional<unknown> ? Key : never }[keyof S];

/** The object type with these fields. */
export type ObjectOf<S extends Shape> = {
  readonly [Key in Exclude<keyof S, OptionalKeys<S>>]: ValueOf<S[Key]>;
} & { readonly [Key in OptionalKeys<S>]?: ValueOf<S[Key]> } extends infer Both
  ? { [Key in keyof Both]: Both[Key] }
  : never;

/** The input of an operation. */
export interface ObjectSchema<S extends Shape> extends Schema<ObjectOf<S>> {
  readonly shape: S;
}

/** The parts of zod that fields need. Importing all of zod would load its locales too. */
type Zod = Pick<typeof zod, "boolean" | "custom" | "enum" | "int" | "maximum" | "minimum" | "string" | "union">;

/** The implementation of a field's schema. */
interface Made {
  readonly presence: "required" | "optional";
  readonly said: Said;
  readonly make: (z: Zod) => zod.ZodMiniType;
}

/** The part of a field that surfaces show. */
export type Said = Omit<Field, "name" | "presence">;
type More = Partial<Omit<Said, "kind" | "summary">>;

/** The input of an operation: exactly these fields. */
export function object<S extends Shape>(shape: S): ObjectSchema<S> {
  return { shape };
}

/** Some fields of an input, in this order. */
export function pick<S extends Shape, Name extends keyof S>(
  { shape }: { readonly shape: S },
  ...names: readonly Name[]
): Pick<S, Name> {
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<S, Name>;
}

function field<Value>(make: Made["make"], said: Said): Schema<Value> {
  const made: Made = { presence: "required", said, make };
  return made as Schema<Value>;
}

/** Makes a field optional. */
export function optional<Value>(schema: Schema<Value>): Optional<Value> {
  return { ...schema, presence: "optional" };
}

export function text(placeholder: string, summary: string, more: More = {}): Schema<string> {
  return field((z) => z.string(), { kind: { kind: "text" }, placeholder, summary, ...more });
}

/** A text, or a file whose lines are streamed. */
export function textOrLines(placeholder: string, summary: string, more: More = {}): Schema<string | InputFile> {
  const kind = { kind: "text", batch: "streams" } as const;
  return field((z) => z.union([z.string(), z.custom(isInputFile)]), { kind, placeholder, summary, ...more });
}

/** An integer within limits. */
export function whole(min: number, max: number, summary: string, more: More = {}): Schema<number> {
  const kind = { kind: "integer", min, max } as const;
  const make = (z: Zod): zod.ZodMiniType => z.int().check(z.minimum(min), z.maximum(max));
  return field(make, { kind, placeholder: "N", summary, ...more });
}

export function choice<const Value extends string>(
  values: readonly Value[],
  placeholder: string,
  summary: string,
  more: More = {},
): Schema<Value> {
  return field((z) => z.enum(values), { kind: { kind: "choice", values }, placeholder, summary, ...more });
}

/** A boolean, false by default. */
export function flag(summary: string, more: More = {}): Optional<boolean> {
  return optional(field((z) => z.boolean(), { kind: { kind: "flag" }, summary, ...more }));
}

/** A boolean, true by default; the command-line option sets it to false. `summary` describes the option, `meaning` the value. */
export function switchOff(option: string | undefined, summary: string, meaning = summary): Optional<boolean> {
  const kind = { kind: "flag", given: "off" } as const;
  const named = option === undefined ? {} : { option };
  return optional(field((z) => z.boolean(), { kind, summary, meaning, ...named }));
}

/** A file that the caller provides. */
export function file(summary: string, more: More = {}): Schema<InputFile> {
  return field((z) => z.custom(isInputFile), { kind: { kind: "file" }, placeholder: "FILE", summary, ...more });
}

/** A file to be written for the caller. */
export function outputFile(summary: string, more: More = {}): Schema<OutputFile> {
  return field((z) => z.custom(isOutputFile), { kind: { kind: "output" }, placeholder: "FILE", summary, ...more });
}

/** The fields of an input by name. */
export function shapeOf(input: Schema<unknown>): Shape {
  return (input as ObjectSchema<Shape>).shape;
}

/** The fields of an input as surfaces show them, in order. */
export function fieldsOf(input: Schema<unknown>): readonly Field[] {
  return Object.entries(shapeOf(input)).map(([name, schema]) => {
    const { presence, said } = schema as Made;
    return { name, presence, ...said };
  });
}

/** The implementation of a field's schema. The caller passes zod in, so published types do not mention it. */
export function behind(schema: Schema<unknown>): {
  readonly presence: "required" | "optional";
  readonly said: Said;
  readonly make: (z: never) => unknown;
} {
  return schema as Made;
}

function isInputFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "chunks" in value && typeof value.chunks === "function";
}

function isOutputFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "write" in value && typeof value.write === "function";
}
