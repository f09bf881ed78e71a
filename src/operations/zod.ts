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
  // Creating a field takes longer than validating it: skip fields that are not given.
  const fields = Object.entries(shapeOf(input)).flatMap(([name, field]) => {
    const { presence, make } = behind(field);
    return name in given || presence === "required" ? [[name, make(parts as never) as z.ZodMiniType] as const] : [];
  });
  const { success, data, error } = z.safeParse(z.strictObject(Object.fromEntries(fields)), given);
  if (success) return { value: data as Value };
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  return { unknown, refused: error.issues[0]?.path[0] as string | undefined };
}
