import { MemoryError } from "../base/errors.ts";
import type { DoctorInput } from "../tree/inputs.ts";
import { checkEnvironment, fine } from "./doctor-checks.ts";
import { runFixes, type Fixes, type DoctorResult } from "./doctor-fix.ts";
import { checkHooks } from "./doctor-hooks.ts";
import { checkThreads } from "./doctor-threads.ts";
import { checkTree } from "./doctor-tree-checks.ts";
import { withLogicalLogs } from "../tree/logs/logical-logs.ts";
import type { Memory } from "./memory.ts";
import { checkStanding } from "./state-standing.ts";
import { checkAnswers } from "./doctor-answers.ts";

export type { DoctorInput };

/**
 * Looks at everything that could stand in the way and says what mends it. Writes nothing without `fix`; with it, mends what is safe first and then
 * looks. What it cannot read is a check that failed, not an error. Errors: `busy`, with `fix`.
 */
export async function runDoctor(opened: Memory, input: DoctorInput): Promise<DoctorResult> {
  const memory = await withLogicalLogs(opened).catch((error: unknown) => {
    if (!(error instanceof MemoryError)) throw error;
    return opened;
  });
  const fixes: Fixes | undefined = input.fix === true ? await runFixes(memory) : undefined;
  const written = fixes === undefined || fixes.failed.length > 0 ? [] : [fine("disk", "can be written to")];
  const checks = [
    ...(await checkEnvironment(memory)),
    ...checkStanding(memory),
    ...(await checkTree(memory)),
    ...(await checkThreads(memory)),
    ...(await checkAnswers(memory)),
    ...(await checkHooks(memory)),
    ...(fixes?.failed ?? []),
    ...written,
  ];
  return {
    ok: checks.every((check) => check.state !== "problem"),
    version: memory.program.version,
    node: memory.program.node,
    dir: memory.dir,
    time_zone: memory.clock.zone,
    checks,
    fixed: fixes?.fixed ?? [],
  };
}
