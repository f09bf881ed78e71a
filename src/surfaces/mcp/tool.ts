import type { Call, FieldKind } from "../../base/operation.ts";
import { fieldsOf, switchOff, type Schema } from "../../base/schema.ts";
import type { Memory } from "../../operations/operation.ts";

/** One tool: its listing in the protocol and its implementation. */
export interface Tool {
  /** In snake_case; clients add their own prefix. */
  readonly name: string;
  readonly title: string;
  /** When to call it and what it returns, in as few words as possible. */
  readonly description: string;
  /** The names of the operations it exposes. */
  readonly renders: readonly string[];
  readonly input: Schema<ToolInput>;
  /** The schema of the structured content. */
  readonly output: JsonSchema;
  readonly effect: "reads" | "writes";
  /** `always`: asks clients that load tools on demand to load this one at once. */
  readonly presence?: "always";
  /** The field that names a folder to use instead of the server's own memory. */
  readonly folder?: string;
  run(memory: Memory, input: ToolInput, call: Call): Promise<ToolAnswer>;
}

/** Tools that rewrite files do so only with `dry_run: false`. */
export const dryRunByDefault = switchOff(
  undefined,
  "true (the default): show what would be done and write nothing; false: do it",
);

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  /** Text for clients that do not read structured content. Default: the structured content as JSON. */
  readonly text?: string;
}

/** The maximum number of list items or characters in an answer. Clients do not see this limit. */
const most = Symbol("most");
/** An answer contains only these properties of an object. */
const picked = Symbol("picked");

/** The subset of JSON Schema, draft 2020-12, that tools need. */
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
  readonly [most]?: number;
  readonly [picked]?: true;
}

/** An input as JSON Schema. Files cannot be represented; replace them with text fields first. */
export function jsonSchemaOf(input: Schema<unknown>): JsonSchema {
  const fields = fieldsOf(input);
  const properties = Object.fromEntries(
    fields.map(({ name, kind, summary, meaning = summary }) => [name, { ...typeOf(kind), description: meaning }]),
  );
  const required = fields.filter(({ presence }) => presence === "required").map(({ name }) => name);
  return { type: "object", properties, required, additionalProperties: false };
}

function typeOf(kind: FieldKind): JsonSchema {
  if (kind.kind === "integer") return { type: "integer", minimum: kind.min, maximum: kind.max };
  if (kind.kind === "flag") return { type: "boolean", default: kind.given === "off" };
  return kind.kind === "choice" ? { type: "string", enum: kind.values } : { type: "string" };
}

/** An object with these properties, all of them required. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), [picked]: true };
}

export function listOf(items: JsonSchema, mostItems?: number): JsonSchema {
  return { type: "array", items, ...(mostItems === undefined ? {} : { [most]: mostItems }) };
}

/** Uses `anyOf`, because some clients reject a list of types. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

export const text = { type: "string" } as const;
export const shortText: JsonSchema = { type: "string", [most]: 300 };
export const whole = { type: "integer" } as const;
export const figure = { type: "number" } as const;
export const truth = { type: "boolean" } as const;

/** `[first, last]`, both 1-based. */
export const lineRange: JsonSchema = listOf(whole);

const warning = { type: "object", properties: { code: text, message: text }, required: ["code", "message"] };

export function warningsOf(mostItems?: number): JsonSchema {
  return listOf({ ...warning, description: "what could not be done or was only partly done" }, mostItems);
}

/** Returns the part of a value that the schema describes. */
export function pickedBy(schema: JsonSchema, value: unknown): unknown {
  const limit = schema[most] ?? Number.POSITIVE_INFINITY;
  if (typeof value === "string") return value.length > limit ? `${value.slice(0, limit - 1).toWellFormed()}…` : value;
  if (Array.isArray(value)) return value.slice(0, limit).map((item) => pickedBy(schema.items ?? {}, item));
  if (typeof value !== "object" || value === null || schema[picked] === undefined) return value;
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    properties.map(([name, inner]) => [name, pickedBy(inner, (value as Readonly<Record<string, unknown>>)[name])]),
  );
}
