import type { JsonSchema } from "../../engine/schema.ts";

/** An object that has at least these, all of them required. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** In two branches: a list of types is as valid, but some clients take only one. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

export const text = { type: "string" } as const;
export const whole = { type: "integer" } as const;
export const figure = { type: "number" } as const;
export const truth = { type: "boolean" } as const;

/** `[first, last]`, both 1-based. */
export const lineRange: JsonSchema = listOf(whole);

export const warnings: JsonSchema = listOf({
  ...objectOf({ code: text, message: text }),
  description: "what could not be done, or not as it should be",
});
