import type { Memory } from "../../operations/memory.ts";
import type { Call } from "../../base/operation.ts";
import { switchOff, type Schema } from "../../base/schema.ts";
import type { JsonSchema } from "./json-schema.ts";

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
