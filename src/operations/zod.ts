import * as z from "zod/mini";
import { behind, object, shapeOf, type Said, type Schema } from "../base/schema.ts";

// To compile a checker for each schema takes longer than to check once.
z.config({ jitless: true });

// Of the whole module nothing could be left out of a bundle.
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

/** The zod schema of an input; `said` takes what is shown of each field. */
export function zodOf(input: Schema<unknown>, said?: Map<unknown, Said>): z.ZodMiniObject {
  const fields = Object.entries(shapeOf(input)).map(([name, schema]) => {
    const field = behind(schema);
    const made = field.make(parts as never) as z.ZodMiniType;
    said?.set(made, field.said);
    return [name, field.presence === "optional" ? z.exactOptional(made) : made] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** The value that the schema lets through; else the names of a field that it does not know, or of the first that it refuses. */
export function parsed<Value>(
  input: Schema<Value>,
  given: Readonly<Record<string, unknown>>,
): { readonly value: Value } | { readonly unknown: string | undefined; readonly refused: string | undefined } {
  // To make a field takes longer than to check it: those that are not given need no check.
  const wanted = Object.entries(shapeOf(input)).filter(
    ([name, field]) => name in given || behind(field).presence === "required",
  );
  const { success, data, error } = z.safeParse(zodOf(object(Object.fromEntries(wanted))), given);
  if (success) return { value: data as Value };
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  return { unknown, refused: error.issues[0]?.path[0] as string | undefined };
}
