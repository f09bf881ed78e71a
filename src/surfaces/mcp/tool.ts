import * as z from "zod/mini";
import type { Call } from "../../base/operation.ts";
import { switchOff, type Schema, type Said } from "../../base/schema.ts";
import type { Memory } from "../../operations/operation.ts";
import { zodOf } from "../../operations/zod.ts";

/** One tool as the protocol lists it, and what it does when it is called. */
export interface Tool<Input = ToolInput> {
  /** snake_case; clients put a prefix of their own before it. */
  readonly name: string;
  readonly title: string;
  /** When to call it and what it gives, in as few words as do. */
  readonly description: string;
  /** The names of the operations that it renders. */
  readonly renders: readonly string[];
  readonly input: Schema<Input>;
  /** The folder that a call names instead of the server's own memory. */
  folder?(input: Input): string | undefined;
  /** Of the structured content. */
  readonly output: JsonSchema;
  readonly effect: "reads" | "writes";
  /** `always`: a client that lists tools by name alone is asked to have this one at hand. Default `listed`. */
  readonly presence?: "always" | "listed";
  run(memory: Memory, input: Input, call: Call): Promise<ToolAnswer>;
}

/** A tool whose `run` is given what its input lets through. */
export function defineTool<Input extends ToolInput>(tool: Tool<Input>): Tool {
  return tool;
}

/** What rewrites files does so only when it is told `dry_run: false`. */
export const dryRunByDefault = switchOff(
  undefined,
  "true (the default): tell what would be done and write nothing; false: do it",
);

/** Arguments that the fields of the tool allow. */
export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  /** For clients that read only text. Default: the structured content as JSON. */
  readonly text?: string;
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
