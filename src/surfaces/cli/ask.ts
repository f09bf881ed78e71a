import { Buffer } from "node:buffer";
import type { Terminal } from "./terminal.ts";

/** Asks a question on the terminal; only `y` and `yes` agree. */
export async function askYes(terminal: Terminal, question: string): Promise<boolean> {
  terminal.stderr.write(question);
  return /^\s*(?:y|yes)\s*$/iu.test(await firstLine(terminal.stdin.chunks(terminal.signal)));
}

async function firstLine(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let line = "";
  for await (const chunk of chunks) {
    line += Buffer.from(chunk).toString("utf8");
    if (line.includes("\n") || line.length > 1000) break;
  }
  return line.split("\n")[0] ?? "";
}
