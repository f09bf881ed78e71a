import * as z from "zod/mini";
import type { Said, Schema } from "../../base/schema.ts";
import { zodOf } from "../../operations/zod.ts";

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
  const said = new Map<unknown, Said>();
  const schema = zodOf(input, said);
  const { properties, required = [] } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const shown = said.get(zodSchema);
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
