import { writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { clientProgram } from "./clients.ts";
import type { ClientName } from "./clients.ts";
import { HEARTWOOD, runClient } from "./scratch.ts";
import type { Ran, Scratch } from "./scratch.ts";
import type { Asked } from "./stub-model.ts";

export interface Run {
  readonly prompt: string;
  /** Goes on with the last session in the folder; default: a new one. */
  readonly session?: "new" | "last";
  /** What this run has beside what all runs of the client have. */
  readonly more?: Command;
}

export interface Command {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What differs from client to client. */
export interface Driver {
  readonly client: ClientName;
  /** The name under which the client gives the model the tool `tool` of the server `heartwood`. */
  readonly toolName: (tool: string) => string;
  /** Whether the first request waits until the MCP servers are there, however long they take. */
  readonly servers: "waited for" | "waited for a second";
  /** Is this a request of the conversation, not one for a title or a summary? */
  readonly isTurn: (asked: Asked) => boolean;
  /** Is this the request for the summary of a compaction? */
  readonly isSummary: (asked: Asked) => boolean;
  /** Writes what makes the client ask the model at `url`, as a person would have it before heartwood comes. */
  readonly useModel: (scratch: Scratch, url: string) => void;
  /** Writes the entry of our MCP server by hand. */
  readonly useServer: (scratch: Scratch) => void;
  /** What a person does once after installing, where the client asks for trust. */
  readonly trust?: (scratch: Scratch) => Promise<void>;
  /** Words and environment of one headless run. */
  readonly command: (run: Run, url: string) => Command;
  readonly compaction: {
    /** The session in which it is forced. Of a new one the text at its start is gone afterwards, unless it is given again. */
    readonly session: "new" | "last";
    /** Tokens that a request must claim to have had for the client to compact. */
    readonly inputTokens: number;
  };
}

export const SERVER = "heartwood";

/** Program and words of our MCP server for the project of `scratch`. */
export function serverCommand(scratch: Scratch): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [HEARTWOOD, "mcp", "--dir", scratch.project] };
}

export function runDriver(driver: Driver, scratch: Scratch, url: string, run: Run): Promise<Ran> {
  const { words, env } = driver.command(run, url);
  const { more = { words: [], env: {} } } = run;
  const program = clientProgram(driver.client);
  if (program === undefined) throw new Error(`${driver.client} was not fetched.`);
  return runClient(scratch, [program, ...words, ...more.words], { ...env, ...more.env });
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function writeJson(path: string, value: unknown): void {
  writeText(path, `${JSON.stringify(value, null, 2)}\n`);
}
