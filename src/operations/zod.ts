import * as z from "zod/mini";
import { behind, object, shapeOf, type Said, type Schema } from "../base/schema.ts";

// Compiling a validator takes longer than validating once.
z.config({ jitless: true });

// With `import *` passed on whole, the bundle would contain all of zod.
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

/** The zod schema of an input. Collects what surfaces show of each field in `said`. */
export function zodOf(input: Schema<unknown>, said?: Map<unknown, Said>): z.ZodMiniObject {
  const fields = Object.entries(shapeOf(input)).map(([name, schema]) => {
    const field = behind(schema);
    const made = field.make(parts as never) as z.ZodMiniType;
    said?.set(made, field.said);
    return [name, field.presence === "optional" ? z.exactOptional(made) : made] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** The valid value, or the name of an unknown field or of the first invalid one. */
export function parsed<Value>(
  input: Schema<Value>,
  given: Readonly<Record<string, unknown>>,
): { readonly value: Value } | { readonly unknown: string | undefined; readonly refused: string | undefined } {
  // Creating a field takes longer than validating it: skip fields that are not given.
  const wanted = Object.entries(shapeOf(input)).filter(
    ([name, field]) => name in given || behind(field).presence === "required",
  );
  const { success, data, error } = z.safeParse(zodOf(object(Object.fromEntries(wanted))), given);
  if (success) return { value: data as Value };
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  return { unknown, refused: error.issues[0]?.path[0] as string | undefined };
}
