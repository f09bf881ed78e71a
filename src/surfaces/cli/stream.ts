import type { Terminal } from "./terminal.ts";
import { visible } from "../../text/visible.ts";

/** Characters that are collected before they are written: a call of the system for each line would cost more than the line. */
const FULL = 64 * 1024;

/** Prints each JSON line with LF as it comes, no faster than they are read. A signal ends the lines, not in the middle of one. */
export async function printStream(lines: AsyncIterable<string>, { stdout }: Pick<Terminal, "stdout">): Promise<void> {
  const isTerminal = stdout.look().kind === "terminal";
  let collected = "";
  let waiting: NodeJS.Immediate | undefined;
  const flush = (): void => {
    clearImmediate(waiting);
    waiting = undefined;
    if (collected !== "") stdout.write(collected);
    collected = "";
  };
  try {
    for await (const line of lines) {
      collected += `${isTerminal ? visible(line, "json") : line}\n`;
      // When no next line is there yet, the program gets to its other work, and this with it.
      waiting ??= setImmediate(flush);
      if (collected.length < FULL) continue;
      flush();
      await stdout.drained();
    }
  } finally {
    flush();
  }
  await stdout.drained();
}
