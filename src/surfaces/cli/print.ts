import type { Operation } from "../../engine/operation.ts";
import type { CommonOptions } from "./command.ts";
import type { SinkLook, Terminal } from "./terminal.ts";
import { visibleIn } from "./visible.ts";

/** A result and where it is to be shown. */
export interface Printing {
  readonly operation: Pick<Operation, "name" | "effect">;
  readonly result: unknown;
  readonly outcome: "done" | "findings" | "failed";
  readonly common: CommonOptions;
  readonly terminal: Terminal;
}

/** Prints the result on stdout: as JSON, or as text for a person; nothing when a writing command was to be quiet. */
export async function printResult(printing: Printing): Promise<void> {
  const { operation, result, outcome, common, terminal } = printing;
  const look = terminal.stdout.look();
  if (common.output === "json") return terminal.stdout.write(jsonText(result, look));
  if (common.chatter === "quiet" && operation.effect === "writes" && outcome === "done" && !isPlan(result)) return;
  const { renderResult } = await import("./render/index.ts");
  const shown = look.kind === "terminal" ? visibleIn(result) : result;
  const text = renderResult(operation.name, shown, look);
  terminal.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** One line for a program, indented for a person. */
export function jsonText(value: unknown, look: SinkLook): string {
  return `${JSON.stringify(value, undefined, look.kind === "terminal" ? 2 : undefined)}\n`;
}

function isPlan(result: unknown): boolean {
  return typeof result === "object" && result !== null && "dry_run" in result;
}
