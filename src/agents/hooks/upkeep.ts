import { ifMemoryError, MemoryError, type Warning } from "../../base/errors.ts";
import type { ScheduleAllResult } from "../../threads/run/results.ts";
import type { CaptureInput } from "../capture/inputs.ts";
import type { AgentMemory } from "../memory.ts";
import { tidySessions } from "../sessions/record.ts";
import { recordHookError, reportOf } from "./errors.ts";
import type { HookCall } from "./hook-call.ts";

/** The client and event under which failures are recorded. */
type By = Readonly<Record<"client" | "event", string>>;

/**
 * The work at the start of a session: captures sessions that ended without an event, compacts the tree and summarizes threads. Only one process per project does this; a second one exits. Failures are recorded for `doctor`. Errors: any from locks.
 */
export async function runUpkeep(
  memory: AgentMemory,
  { client, captured, profile }: Pick<HookCall, "client" | "captured" | "profile">,
): Promise<void> {
  const lease = await memory.locks.acquire("upkeep", { holder: "hook upkeep" }).catch(ifCode("busy", undefined));
  if (lease === undefined) return;
  const by = { client, event: "upkeep" };
  try {
    if (captured === "yes") await capture(memory, by, { all: true });
    // A client that loads MEMORY.md reads it anew for each request, and compacting changes it; so that waits for the session's end.
    if (profile === "wanted") await compact(memory, by);
    await work(memory, by, "thread schedule", async () => {
      const { runSchedule } = await import("../../threads/compact/schedule.ts");
      const { threads } = (await runSchedule(memory, {
        all: true,
        actor_id: "hook",
        origin: client,
      })) as ScheduleAllResult;
      return threads.flatMap(({ thread_id, error, ladder }) => {
        const message = error ?? ladder?.error ?? "";
        return message === "" ? [] : [{ code: "failed", message: `${thread_id}: ${message}` }];
      });
    });
    await index(memory, by, { ms: 20_000 });
    await work(memory, by, "sessions", async () => {
      await tidySessions(memory.files, memory.clock.now());
      return [];
    });
    await work(memory, by, "cursors", async () => {
      await (await import("../capture/cursor.ts")).tidyCursors(memory);
      return [];
    });
  } finally {
    await lease.release();
  }
}

/**
 * Captures a session and indexes it, so the next prompt finds it. At its end, also compacts the tree. Unknown values are empty; without a transcript, the session is found by its id. `ended` is
 * `turn` or `session`. Failures are recorded for `doctor`.
 */
export async function runCapture(
  memory: AgentMemory,
  of: Pick<HookCall, "client" | "session" | "transcript" | "profile"> & { readonly ended: string },
): Promise<void> {
  const by = { client: of.client, event: "captured" };
  await capture(memory, by, {
    ...(of.transcript !== "" ? { path: of.transcript } : of.session !== "" ? { session: of.session } : {}),
    ...((of.ended === "turn" || of.ended === "session") && { ended: of.ended }),
  });
  // The next session starts with everything that was said in this one.
  if (of.ended === "session") await (of.profile === "wanted" ? compactAtOnce : compact)(memory, by);
  await index(memory, by, { ms: 2000 });
}

async function compact(memory: AgentMemory, by: By): Promise<void> {
  await work(memory, by, "compact", async () => {
    const { adapterOf, readConfiguration } = await import("../../tree/setup/configuration.ts");
    const read = await readConfiguration(memory).catch(ifMemoryError(() => undefined));
    if (read === undefined || adapterOf(memory, read.configuration) === "off") return [];
    // Asks the model from the user's settings, and counts how often a node waited for an answer; only when the cooldown is over, which the next step may begin anew.
    const { compactMemory } = await import("../../summaries/run/compact.ts");
    await compactMemory(memory, { if_due: true }, {});
    return [];
  });
  await compactAtOnce(memory, by);
}

function compactAtOnce(memory: AgentMemory, by: By): Promise<void> {
  return work(memory, by, "compact", async () => {
    const { compactWithoutModel } = await import("../../summaries/run/compact.ts");
    const { skipped } = await compactWithoutModel(memory);
    return skipped.filter(({ code }) => code !== "bad_name");
  });
}

async function capture(memory: AgentMemory, by: By, input: Omit<CaptureInput, "client">): Promise<void> {
  const client = by.client as CaptureInput["client"];
  await work(memory, by, "capture", async () => {
    const { runCapture: run } = await import("../capture/run.ts");
    const running = run(memory, { client, ...input });
    // A client may have no session in this folder.
    const { warnings } = await (input.all === true ? running.catch(ifCode("not_found", { warnings: [] })) : running);
    return warnings.map((warning) => ({ ...warning, code: "warning" }));
  });
}

/** Indexes the words, then makes missing vectors for a while. The next run goes on from there, so an old memory has all of them after some sessions. */
function index(memory: AgentMemory, by: By, vectors: { readonly ms: number }): Promise<void> {
  return work(memory, by, "index", async () => {
    const [{ runIndex }, { fillAll }] = await Promise.all([
      import("../../recall/index/refresh.ts"),
      import("../../recall/index/embedding.ts"),
    ]);
    await runIndex(memory, {}, {});
    // What fails is tried again; `doctor` says how many are missing.
    await fillAll(memory, vectors, {});
    return [];
  });
}

/** For `catch`: returns `given` for an error with this code and rethrows any other. */
function ifCode<T>(code: string, given: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof MemoryError && error.code === code) return given;
    throw error;
  };
}

/** How many of the last faults of one step are recorded. */
const mostKept = 3;

/** Runs one step and records its faults for `doctor`. It is not a fault if another process is already doing it. */
async function work(memory: AgentMemory, by: By, name: string, act: () => Promise<readonly Warning[]>) {
  const faults = await act()
    .catch(ifCode("busy", []))
    .catch((error: unknown): readonly Warning[] => [reportOf(error)]);
  for (const { code, message, path } of faults.slice(-mostKept)) {
    const at = new Date(memory.clock.now()).toISOString();
    const place = path === undefined ? "" : ` (${path})`;
    await recordHookError(memory.files, { at, ...by, code, message: `${name}: ${message}${place}` });
  }
}
