import { MemoryError } from "../../base/errors.ts";
import { runWork } from "./detached-work.ts";
import type { HookCall, HookHost } from "./hook-call.ts";
import { prepareRoot } from "./rendered-root.ts";

/**
 * What a session that begins has done for it: sessions that ended without a word are captured, the tree is compacted, threads are summarised, and ROOT.md is rendered for the
 * next session. One at a time in a project: whoever finds it under way leaves. What fails of it is kept for `doctor`. Errors: those of locks and of rendering.
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
export interface Captured {
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
