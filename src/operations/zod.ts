import * as z from "zod/mini";
import { behind, shapeOf, type Schema } from "../base/schema.ts";

// Compiling a validator takes longer than validating once.
z.config({ jitless: true });

// Passing on the whole `import *` would bundle all of zod.
const parts = {
  boolean: z.boolean,
  custom: z.custom,
  enum: z.enum,
  int: z.int,
  maximum: z.maximum,
  minimum: z.minimum,
  string: z.string,
  union: z.union,
};

/** Returns the valid value, or the name of an unknown field or of the first invalid one. */
export function parsed<Value>(
  input: Schema<Value>,
  given: Readonly<Record<string, unknown>>,
): { readonly value: Value } | { readonly unknown: string | undefined; readonly refused: string | undefined } {
  const fields = Object.entries(shapeOf(input)).filter(
    ([name, field]) => name in given || behind(field).presence === "required",
  );
  const { success, data, error } = z.safeParse(validatorOf(input, fields), given);
  if (success) return { value: data as Value };
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  return { unknown, refused: error.issues[0]?.path[0] as string | undefined };
}

/** The last validator of each input, and the names of its fields. */
const made = new WeakMap<Schema<unknown>, { readonly names: string; readonly validator: z.ZodMiniType }>();

/** Creating a field takes longer than validating it, so fields that are not given are left out, and callers mostly give the same ones again. */
function validatorOf(input: Schema<unknown>, fields: readonly (readonly [string, Schema<unknown>])[]): z.ZodMiniType {
  const names = fields.map(([name]) => name).join(" ");
  const known = made.get(input);
  if (known?.names === names) return known.validator;
  const shape = fields.map(([name, field]) => [name, behind(field).make(parts as never) as z.ZodMiniType] as const);
  const validator = z.strictObject(Object.fromEntries(shape));
  made.set(input, { names, validator });
  return validator;
}
