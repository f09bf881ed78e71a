import type { Field, FieldKind } from "../../engine/operation.ts";

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

/** The input of a tool: what its fields say, and nothing else. Files have no place in a call and must be left out before. */
export function inputSchemaOf(fields: readonly Field[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(({ name, kind, summary, meaning = summary }) => [
        name,
        { ...kindSchemaOf(kind), description: meaning },
      ]),
    ),
    required: fields.filter(({ presence }) => presence === "required").map(({ name }) => name),
    additionalProperties: false,
  };
}

function kindSchemaOf(kind: FieldKind): JsonSchema {
  switch (kind.kind) {
    case "integer":
      return { type: "integer", minimum: kind.min, maximum: kind.max };
    case "choice":
      return { type: "string", enum: kind.values };
    case "flag":
      return { type: "boolean", default: kind.given === "off" };
    case "text":
    case "file":
    case "output":
      return { type: "string" };
  }
}

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
