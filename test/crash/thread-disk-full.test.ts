import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { verifyThreads } from "../../src/threads/verify/verify.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { openFolder } from "../fixtures/busy-thread.ts";
import { canMount, mountDisk, unmount } from "../fixtures/mounted-disk.ts";
import { createdDraft, messageDraft } from "../fixtures/thread-frames.ts";

/** A thread on a full disk: the append fails, nothing is half written, and appending works again once there is room. */
const base = mkdtempSync(join(tmpdir(), "heartwood-full-"));
const isPossible = canMount(base, "tmpfs");
if (!isPossible) console.error("NOT RUN: test/crash/thread-disk-full.test.ts needs root and tmpfs mounts");
afterAll(() => {
  unmount(join(base, "tmpfs"));
  rmSync(base, { recursive: true, force: true });
});

describe.skipIf(!isPossible)("a thread on a full disk", () => {
  it("fails with disk_full, keeps all acknowledged messages, and continues when there is room", async () => {
    const disk = mountDisk(base, "tmpfs", 3000);
    const dir = join(disk?.path ?? "", "project");
    mkdirSync(dir);
    const ballast = join(disk?.path ?? "", "ballast");
    writeFileSync(ballast, Buffer.alloc(600_000));
    const memory = openFolder(dir);
    await memory.threads.append({ thread_id: "busy", frames: [createdDraft()] });
    const words = "the cause was the stale lock ".repeat(40);
    let acknowledged = 0;
    let failure: unknown;
    for (let number = 1; number < 10_000 && failure === undefined; number += 1) {
      failure = await memory.threads.append({ thread_id: "busy", frames: [messageDraft(number, words)] }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) acknowledged += 1;
    }
    expect(codeOf(failure)).toBe("disk_full");
    expect(await isWhole(memory, acknowledged)).toBe(true);
    // Again, and from a new process.
    await memory.close();
    const other = openFolder(dir);
    const again = other.threads.append({ thread_id: "busy", frames: [messageDraft(20_000, words.repeat(20))] });
    expect(codeOf(await again.catch((error: unknown) => error))).toBe("disk_full");
    expect(await isWhole(other, acknowledged)).toBe(true);
    const artifact = Buffer.alloc(4_000_000, "x");
    expect(codeOf(await other.artifacts.put(artifact).catch((error: unknown) => error))).toBe("disk_full");
    expect(filesIn(dir).filter((path) => path.includes("artifacts/") && /\.\w/u.test(path))).toEqual([]);
    rmSync(ballast);
    await other.threads.append({ thread_id: "busy", frames: [messageDraft(30_000, words)] });
    await other.artifacts.put(Buffer.from("{}"));
    expect(await isWhole(other, acknowledged + 1)).toBe(true);
    await other.close();
  });
});

async function isWhole(memory: Memory, messages: number): Promise<boolean> {
  const { ok } = await verifyThreads(memory, {});
  return ok && (await memory.threads.head("busy"))?.message_count === messages;
}

function codeOf(error: unknown): unknown {
  return error instanceof MemoryError ? error.code : error;
}

function filesIn(dir: string): readonly string[] {
  return readdirSync(join(dir, ".heartwood"), { recursive: true, encoding: "utf8" });
}
