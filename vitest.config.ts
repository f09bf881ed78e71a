import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const state = mkdtempSync(join(tmpdir(), "heartwood-test-state-"));
process.once("exit", () => rmSync(state, { recursive: true, force: true }));

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // No test waits for a moment: this only ends one that hangs, also on a slow machine with other things to do.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Vitest leaves one core free, which on two is half the machine.
    maxWorkers: availableParallelism(),
    // Tests must not touch the state of the user who runs them.
    env: { XDG_STATE_HOME: state },
  },
});
