import type { Call, FieldKind } from "../../base/operation.ts";
import { fieldsOf, switchOff, type Schema } from "../../base/schema.ts";
import type { Memory } from "../operation.ts";

/** One tool for an agent: its listing and its implementation. */
export interface Tool {
  /** In snake_case; clients add their own prefix. */
  readonly name: string;
  readonly title: string;
  /** When to call it and what it returns, in as few words as possible. */
  readonly description: string;
  /** The names of the operations it exposes. */
  readonly renders: readonly string[];
  /** Everything it accepts. */
  readonly input: Schema<ToolInput>;
  /** The fields to list, each with its description or "" if its name says enough. Default: all fields, with their own descriptions. */
  readonly listed?: Readonly<Record<string, string>>;
  /** Listed fields that the listing requires, because the fields that could replace them are not listed or because an agent should always fill them. */
  readonly required?: readonly string[];
  /** `removes`: what it takes away cannot be restored. */
  readonly effect: "reads" | "writes" | "removes";
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
  /** Text for a model; an object is passed on as JSON. */
  readonly says: string | object;
  /** How many sources the answer could not consider, because they are not in the index yet. */
  readonly notIndexed?: number;
}

/** The subset of JSON Schema, draft 2020-12, that tools need. */
export interface JsonSchema {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: boolean;
}

/** A tool as the protocol lists it. Nothing else about a tool reaches a client. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: { readonly "anthropic/alwaysLoad": true };
}

/** There is no output schema: every answer is text, because clients that get structured content as well show their model one, the other, or both. */
export function listedTool(tool: Tool): ListedTool {
  const { name, title, description, effect, presence } = tool;
  const reads = effect === "reads";
  return {
    name,
    title,
    description,
    inputSchema: tool.listed === undefined ? wholeSchemaOf(tool.input) : shortSchemaOf(tool, tool.listed),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: effect === "removes",
      idempotentHint: reads,
      openWorldHint: false,
    },
    ...(presence === "always" ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
  };
}

/** All fields of an input. A file is its text; one to write is left out. */
export function wholeSchemaOf(input: Schema<unknown>): ListedTool["inputSchema"] {
  const readable = fieldsOf(input).filter(({ kind }) => kind.kind !== "output");
  const properties = readable.map(({ name, kind, summary, meaning = summary }) => {
    const limits = kind.kind === "integer" ? { minimum: kind.min, maximum: kind.max } : {};
    const given = kind.kind === "flag" ? { default: kind.given === "off" } : {};
    return [name, { ...typeOf(kind), ...limits, ...given, description: meaning }] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: requiredOf(input),
    additionalProperties: false,
  };
}

/** Some fields of an input, without limits, which the errors state. Clients must not refuse the others, so they are not excluded. */
function shortSchemaOf(
  { input, required = [] }: Tool,
  listed: Readonly<Record<string, string>>,
): ListedTool["inputSchema"] {
  const fields = new Map(fieldsOf(input).map((field) => [field.name, field]));
  const properties = Object.entries(listed).flatMap(([name, description]) => {
    const field = fields.get(name);
    if (field === undefined) return [];
    return [[name, { ...typeOf(field.kind), ...(description === "" ? {} : { description }) }] as const];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...requiredOf(input), ...required],
  };
}

function requiredOf(input: Schema<unknown>): readonly string[] {
  return fieldsOf(input).flatMap(({ name, presence }) => (presence === "required" ? [name] : []));
}

function typeOf(kind: FieldKind): JsonSchema {
  if (kind.kind === "integer") return { type: "integer" };
  if (kind.kind === "flag") return { type: "boolean" };
  return kind.kind === "choice" ? { type: "string", enum: kind.values } : { type: "string" };
}
