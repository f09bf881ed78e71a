import { writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { clientProgram } from "./clients.ts";
import type { ClientName } from "./clients.ts";
import { HEARTWOOD, runClient } from "./scratch.ts";
import type { Ran, Scratch } from "./scratch.ts";
import type { Asked } from "./stub-model.ts";
import type { Call } from "./wires/wire.ts";

export interface Run {
  readonly prompt: string;
  /** Continues the last session in the folder; default: a new one. */
  readonly session?: "new" | "last";
  /** Extra settings of this run. */
  readonly more?: Command;
}

export interface Command {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The differences between clients. */
export interface Driver {
  readonly client: ClientName;
  /** How the client's model calls the tool `tool` of the server `heartwood`. */
  readonly callOf: (tool: string, input: Call["input"]) => Call;
  /** How the client's model gives a task to a subagent, if it can. */
  readonly subagent?: (brief: string) => Call;
  /** How it then waits for the subagent, by the result of that call; by default, the call itself waits. */
  readonly waitForSubagent?: (result: string) => Call;
  /** Whether the client itself loads a file that contains ROOT.md. */
  readonly root: "from heartwood" | "from the client";
  /** The client leaves out of its history what a hook added to a prompt, so the next request lacks it. */
  readonly passages?: "for one turn";
  /** The most tokens that heartwood may add to each request of the client while the memory is empty. */
  readonly price?: number;
  /** Whether the first request waits for the MCP servers, however long they take. */
  readonly servers: "waited for" | "waited for a second";
  /** Whether this is a request of the conversation, rather than for a title or a summary. */
  readonly isTurn: (asked: Asked) => boolean;
  /** Whether this is the request for the summary of a compaction. */
  readonly isSummary: (asked: Asked) => boolean;
  /** Writes settings that make the client use the model at `url`, as a user would have before installing heartwood. */
  readonly useModel: (scratch: Scratch, url: string) => void;
  /** Writes the entry of our MCP server by hand. */
  readonly useServer: (scratch: Scratch) => void | Promise<void>;
  /** Starts what has to run in the background of its sessions, unless it is running. */
  readonly start?: (scratch: Scratch) => Promise<void>;
  readonly stop?: () => Promise<void>;
  /** What a user does once after installing, if the client asks for trust. */
  readonly trust?: (scratch: Scratch) => Promise<void>;
  /** What a user does once before uninstalling. */
  readonly farewell?: (scratch: Scratch) => Promise<void>;
  /** Arguments and environment of a headless run. */
  readonly command: (run: Run, url: string) => Command;
  readonly compaction: {
    /** The session in which a compaction is forced. A new session loses the text injected at its start, unless it is injected again. */
    readonly session: "new" | "last";
    /** Tokens that an answer must claim for its request so that the client compacts. */
    readonly inputTokens: number;
    /** The model's call of a tool with a large result, for a client that counts the tokens itself. */
    readonly large?: Call;
    /** Extra settings of this run. */
    readonly more?: Command;
    /** What a user types to compact. */
    readonly typed?: (scratch: Scratch) => Promise<void>;
    /** Whether the memory is in the next request, or only in the one with the next prompt. */
    readonly again: "at once" | "with the next prompt";
  };
}

export const SERVER = "heartwood";

/** The tools that our server lists. */
export const FOUR = ["memory_recall", "memory_search", "memory_read", "memory_log"] as const;

/** Program and arguments of our MCP server for the project of `scratch`. */
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
