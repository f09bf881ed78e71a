import type { BackgroundRun } from "../../platform/background.ts";
import { recordHookError } from "./errors.ts";
import type { HookHost } from "./hook-call.ts";

/** Milliseconds after which the next work begins beside one that has not ended. */
const patience = 600_000;
/** Warnings of one capture that are kept, the last ones. */
const mostWarnings = 3;

/** Who has the work done, as it is told where it fails. */
export interface WorkFor {
  readonly client: string;
  /** `upkeep` or `captured`. */
  readonly event: string;
}

/** Runs a command of this program to its end and keeps what went wrong for `doctor`: nobody sees its streams. */
export async function runWork({ memory, background }: HookHost, by: WorkFor, words: readonly string[]): Promise<void> {
  const run = await background.run([...words, "--dir", memory.dir], patience);
  const work = words[0] === "thread" ? words.slice(0, 2).join(" ") : (words[0] ?? "");
  for (const { code, message } of faultsOf(words, run)) {
    const at = new Date(memory.clock.now()).toISOString();
    await recordHookError(memory.files, { at, ...by, code, message: `${work}: ${message}` });
  }
}

interface WorkFault {
  readonly code: string;
  readonly message: string;
}

function faultsOf(words: readonly string[], run: BackgroundRun): readonly WorkFault[] {
  if (run.state === "goes on") return [];
  if (run.state === "failed") return [{ code: "io", message: "The system started no process for it." }];
  const lines = run.said.split("\n").filter((line) => line.trim() !== "");
  if (run.status === 0) return words[0] === "capture" ? warningsIn(lines) : [];
  const fault = codedIn(lines) ?? { code: "failed", message: lastOf(lines) ?? silence(run.status) };
  return isNone(words, fault.code) ? [] : [fault];
}

/** Somebody else does it, or there is nothing to be done. */
function isNone(words: readonly string[], code: string): boolean {
  return code === "busy" || (code === "not_found" && words[0] === "capture" && words.includes("--all"));
}

function warningsIn(lines: readonly string[]): readonly WorkFault[] {
  const told = lines.flatMap((line) => /^heartwood: warning: (.+)$/u.exec(line)?.[1] ?? []);
  return told.slice(-mostWarnings).map((message) => ({ code: "warning", message }));
}

/** As the command line tells a failure to a program that started it. */
function codedIn(lines: readonly string[]): WorkFault | undefined {
  const found = lines.flatMap((line) => {
    const [, code, message] = /^heartwood: error ([a-z_]+): (.+)$/u.exec(line) ?? [];
    return code === undefined || message === undefined ? [] : [{ code, message }];
  });
  return found.at(-1);
}

function lastOf(lines: readonly string[]): string | undefined {
  return lines.at(-1)?.replace(/^heartwood: (?:warning: )?/u, "");
}

function silence(status: number | undefined): string {
  const how = status === undefined ? "was ended by a signal" : `ended with the exit status ${status}`;
  return `It ${how} and said nothing.`;
}
