import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import type { Fault } from "../fixtures/faulty/calls.ts";
import { AuditCrashCheck } from "../fixtures/audit-crash-check.ts";
import {
  again,
  fresh,
  openAudited,
  performAudit,
  playAudit,
  takingBack,
  type AuditScene,
} from "../fixtures/audit-scene.ts";

/**
 * One file-system call of an audit or an undo fails, or the process is killed before it: the error has a code, every file is whole, and the audit can be
 * finished and undone. HEARTWOOD_FAULTS=all tests every call; the default is a share of them.
 */
const stride = process.env["HEARTWOOD_FAULTS"] === "all" ? 1 : 17;
const faults = ["EIO", "ENOSPC"] as const;
const kinds = [
  ["a first audit", async () => fresh],
  ["a second audit", again],
  ["an undo", takingBack],
] as const;

describe.each(kinds)("%s", (_name, make) => {
  it("reports every call that fails, and can then be finished or undone", async () => {
    const scene = await make();
    const { operations } = await playAudit(scene);
    const check = await AuditCrashCheck.of(scene);
    const untold: string[] = [];
    let told = 0;
    for (const [turn, fault] of faults.entries())
      for (let operation = turn * 5; operation < operations; operation += stride) {
        const fs = createFaultyFs({ files: scene.start });
        fs.failAt(operation, fault);
        const said = await failing(scene, fs, fault);
        if (said === "told") told += 1;
        else if (said !== "done") untold.push(`${fault} at ${operation}: ${said}`);
        await check.inspect(fs, { seed: 100 + operation, title: `${fault} at ${operation}` });
      }
    expect([...new Set(check.damage)].slice(0, 5)).toEqual([]);
    expect(untold).toEqual([]);
    expect(told > 0).toBe(true);
  });

  it("recovers from a kill before every call", async () => {
    const scene = await make();
    const fs = await playAudit(scene);
    const check = await AuditCrashCheck.of(scene);
    for (let operation = 0; operation <= fs.operations; operation += stride)
      await check.inspect(fs.killAt(operation), { seed: operation, title: `killed at ${operation}` });
    expect([...new Set(check.damage)].slice(0, 5)).toEqual([]);
    expect(check.recovered > 5).toBe(true);
  });
});

/** `told`: an error with a code and its cause. `done`: a file that could not be read became a finding, and the rest continued. */
async function failing(scene: AuditScene, fs: FaultyFs, fault: Fault): Promise<string> {
  try {
    await performAudit(openAudited(fs, { seed: 7 }), scene.act);
    return "done";
  } catch (error) {
    if (!(error instanceof MemoryError)) return String(error);
    const isRight = error.code === (fault === "ENOSPC" ? "disk_full" : "io") && error.message.includes(fault);
    return isRight ? "told" : `${error.code}: ${error.message}`;
  }
}
