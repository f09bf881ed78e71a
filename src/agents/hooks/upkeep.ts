import { MemoryError } from "../../base/errors.ts";
import type { BackgroundRun } from "../../platform/background.ts";
import { recordHookError, type HookError } from "./errors.ts";
import type { HookCall, HookHost } from "./hook-call.ts";

/**
 * The work at the start of a session: capture sessions that ended without an event, compact the tree and summarize threads. One at a time in a project: a second process exits. Failures are kept for `doctor`. Errors: those of locks.
 */
export async function runUpkeep(host: HookHost, call: Pick<HookCall, "client" | "captured">): Promise<void> {
  const { client, captured } = call;
  const { memory } = host;
  const lease = await memory.locks.acquire("upkeep", { holder: "hook upkeep" }).catch((error: unknown) => {
    if (error instanceof MemoryError && error.code === "busy") return undefined;
    throw error;
  });
  if (lease === undefined) return;
  try {
    for (const words of [
      ...(captured === "yes" ? [["capture", client, "--all"]] : []),
      ["compact", "--if-due", "--quiet"],
      ["thread", "schedule", "--all", "--actor", "hook", "--origin", client],
      ["index"],
    ])
      await runWork(host, { client, event: "upkeep" }, words);
  } finally {
    await lease.release();
  }
}

/**
 * Captures a session and indexes it, so that the next prompt finds it. What is not known is empty: without a transcript the id of the session is used, for
 * places with several. `ended`: `turn` or `session`. Failures are kept for `doctor`.
 */
export async function runCapture(
  host: HookHost,
  captured: Pick<HookCall, "client" | "session" | "transcript"> & { readonly ended: string },
): Promise<void> {
  const { client, ended, session, transcript } = captured;
  const which = transcript !== "" ? [transcript] : session === "" ? [] : [`--session=${session}`];
  const words = ["capture", client, ...which, ...(ended === "" ? [] : [`--ended=${ended}`])];
  for (const work of [words, ["index"]]) await runWork(host, { client, event: "captured" }, work);
}

/** Milliseconds after which the next work begins beside one that has not ended. */
const patience = 600_000;
/** Warnings of one capture that are kept, the last ones. */
const mostWarnings = 3;

/** Runs a command of this program to its end and keeps its failures for `doctor`, since its streams are not shown. */
async function runWork(
  { memory, background }: HookHost,
  by: { readonly client: string; readonly event: "upkeep" | "captured" },
  words: readonly string[],
): Promise<void> {
  const run = await background.run([...words, "--dir", memory.dir], patience);
  const [first = "", second] = words;
  const work = first === "thread" ? `${first} ${second}` : first;
  for (const { code, message } of faultsOf(words, run)) {
    const at = new Date(memory.clock.now()).toISOString();
    await recordHookError(memory.files, { at, ...by, code, message: `${work}: ${message}` });
  }
}

function faultsOf(words: readonly string[], run: BackgroundRun): readonly Pick<HookError, "code" | "message">[] {
  if (run.state === "goes on") return [];
  if (run.state === "failed") return [{ code: "io", message: "The system started no process for it." }];
  const isCapture = words[0] === "capture";
  const lines = run.said.split("\n").filter((line) => line.trim() !== "");
  if (run.status === 0) {
    const warnings = lines.flatMap((line) => /^heartwood: warning: (.+)$/u.exec(line)?.[1] ?? []);
    return isCapture ? warnings.slice(-mostWarnings).map((message) => ({ code: "warning", message })) : [];
  }
  // As the command line reports a failure to the program that started it.
  const [, code, said] = lines.map((line) => /^heartwood: error ([a-z_]+): (.+)$/u.exec(line)).findLast(Boolean) ?? [];
  if (code !== undefined && said !== undefined) {
    const isFine = code === "busy" || (code === "not_found" && isCapture && words.includes("--all"));
    return isFine ? [] : [{ code, message: said }];
  }
  const how = run.status === undefined ? "was ended by a signal" : `ended with the exit status ${run.status}`;
  const last = lines.at(-1)?.replace(/^heartwood: (?:warning: )?/u, "");
  return [{ code: "failed", message: last ?? `It ${how} and said nothing.` }];
}
