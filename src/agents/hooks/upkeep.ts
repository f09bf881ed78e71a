import { MemoryError } from "../../base/errors.ts";
import type { HookCall, HookHost } from "./hook-call.ts";
import { prepareRoot } from "./session-text.ts";
import type { BackgroundRun } from "../../platform/background.ts";
import { recordHookError } from "./errors.ts";

/**
 * What a session that begins has done for it: sessions that ended without a word are captured, the tree is compacted, threads are summarised, and ROOT.md is rendered for the
 * next session. One at a time in a project: a process that finds it under way leaves. Failures are kept for `doctor`. Errors: those of locks and of rendering.
 */
export async function runUpkeep(host: HookHost, call: Pick<HookCall, "client" | "space" | "captured">): Promise<void> {
  const { memory, once } = host;
  const lease = await memory.locks.acquire("upkeep", { holder: "hook upkeep" }).catch((error: unknown) => {
    if (error instanceof MemoryError && error.code === "busy") return undefined;
    throw error;
  });
  if (lease === undefined) return;
  try {
    await once.forgetOld();
    for (const words of workOf(call)) await runWork(host, { client: call.client, event: "upkeep" }, words);
    await prepareRoot(memory, call.space);
  } finally {
    await lease.release();
  }
}

function workOf({ client, captured }: Pick<HookCall, "client" | "captured">): readonly (readonly string[])[] {
  return [
    ...(captured === "yes" ? [["capture", client, "--all"]] : []),
    ["compact", "--if-due", "--quiet"],
    ["thread", "schedule", "--all", "--actor", "hook", "--origin", client],
    ["index"],
  ];
}

/** What is to be captured; what is not known is empty. */
interface Captured {
  readonly client: string;
  /** `turn` or `session`. */
  readonly ended: string;
  readonly session: string;
  /** Absolute path of the transcript. */
  readonly transcript: string;
}

/** Captures a session and brings it into the index, so that the next prompt finds it. Without a transcript it goes by the id of the session, where one place holds several. What fails of it is kept for `doctor`. */
export async function runCapture(host: HookHost, captured: Captured): Promise<void> {
  const { client, ended, session, transcript } = captured;
  const which = transcript !== "" ? [transcript] : session === "" ? [] : [`--session=${session}`];
  const words = ["capture", client, ...which, ...(ended === "" ? [] : [`--ended=${ended}`])];
  for (const work of [words, ["index"]]) await runWork(host, { client, event: "captured" }, work);
}

/** Milliseconds after which the next work begins beside one that has not ended. */
const patience = 600_000;
/** Warnings of one capture that are kept, the last ones. */
const mostWarnings = 3;

/** Who asked for the work, for the report of a failure. */
interface WorkFor {
  readonly client: string;
  /** `upkeep` or `captured`. */
  readonly event: string;
}

/** Runs a command of this program to its end and keeps what went wrong for `doctor`, since its streams are not shown. */
async function runWork({ memory, background }: HookHost, by: WorkFor, words: readonly string[]): Promise<void> {
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

/** Another process does it, or there is nothing to do. */
function isNone(words: readonly string[], code: string): boolean {
  return code === "busy" || (code === "not_found" && words[0] === "capture" && words.includes("--all"));
}

function warningsIn(lines: readonly string[]): readonly WorkFault[] {
  const told = lines.flatMap((line) => /^heartwood: warning: (.+)$/u.exec(line)?.[1] ?? []);
  return told.slice(-mostWarnings).map((message) => ({ code: "warning", message }));
}

/** In the form in which the command line reports a failure to the program that started it. */
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
