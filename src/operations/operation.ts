import type { Call, Field } from "../base/operation.ts";
import type { Schema } from "../base/schema.ts";
import type { Memory } from "./memory.ts";

/**
 * One thing heartwood can do, as data: every surface (command line, MCP, HTTP) renders the same table of these.
 * `run` is imported lazily by the table, so that a surface pays only for what it calls.
 */
export interface Operation<Input = unknown, Result = unknown, Name extends string = string> {
  /** `tree.compact`, `log.add`: the name in the table; the command line writes it as its `command`. */
  readonly name: Name;
  /** The words of the command line: `["log", "add"]`. */
  readonly command: readonly string[];
  /** One line for a list of commands. */
  readonly summary: string;
  /** What it does, in a few sentences, for help and tool descriptions. */
  readonly description: string;
  /** What it takes. It is built when it is first asked for. */
  readonly input: Schema<Input>;
  /** The same, as a command line shows it. */
  readonly fields: readonly Field[];
  /** Command lines that show its use; each is run by a test. */
  readonly examples: readonly string[];
  /** Whether it may change files. */
  readonly effect: "reads" | "writes";
  /** A result that is an `AsyncIterable<string>` is a stream of lines, which surfaces pass on as they come. */
  run(memory: Memory, input: Input, call?: Call): Promise<Result>;
  /** `findings`: the surface reports exit status 1; `failed`: 3, since it could not be done. Default `done`. */
  outcomeOf?(result: Result): "done" | "findings" | "failed";
}
