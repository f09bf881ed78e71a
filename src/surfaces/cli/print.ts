import type { Operation } from "../../operations/operation.ts";
import type { CommonOptions } from "./command.ts";
import type { SinkLook, Terminal } from "./terminal.ts";
import { visible, visibleIn } from "../../text/visible.ts";

/** A result and where it is to be shown. */
export interface Printing {
  readonly operation: Pick<Operation, "name" | "effect">;
  /** What the operation was asked for. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly outcome: "done" | "findings" | "failed";
  readonly common: CommonOptions;
  readonly terminal: Terminal;
}

/** Prints the result on stdout: as JSON, or as text for a person; nothing when a writing command was to be quiet. */
export async function printResult(printing: Printing): Promise<void> {
  const { operation, input, result, outcome, common, terminal } = printing;
  const look = terminal.stdout.look();
  // `--render json` asks for the document, as `--json` does.
  if (common.output === "json" || input["render"] === "json")
    return terminal.stdout.write(jsonText(documentOf(result), look));
  const chat = chatOf(result);
  if (chat !== undefined) return terminal.stdout.write(jsonText(chat, { kind: "terminal" }));
  if (common.chatter === "quiet" && operation.effect === "writes" && outcome === "done" && !isWanted(printing)) return;
  const { renderResult } = await import("./render/index.ts");
  const text = renderResult(operation.name, visibleIn(result), { ...look, input });
  terminal.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** One line for a program, indented for a person. Every value is as it was: what is not safe to show is escaped. */
export function jsonText(value: unknown, { kind }: Pick<SinkLook, "kind">): string {
  return `${visible(JSON.stringify(value, undefined, kind === "terminal" ? 2 : undefined), "json")}\n`;
}

/** A plan and a compiled context are what the command was called for. */
function isWanted({ input, result }: Printing): boolean {
  if (input["dry_run"] === true) return true;
  return typeof result === "object" && result !== null && "rendered" in result;
}

/** Messages of a conversation for a program that sends them on: data, like any document. */
function chatOf(result: unknown): object | undefined {
  if (typeof result !== "object" || result === null || !("rendered" in result)) return undefined;
  return typeof result.rendered === "object" && result.rendered !== null ? result.rendered : undefined;
}

/** A bundle that was not rendered needs no word about it. */
function documentOf(result: unknown): unknown {
  if (typeof result !== "object" || result === null || !("rendered" in result)) return result;
  const { rendered, ...document } = result;
  return rendered === null ? document : result;
}
