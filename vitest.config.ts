import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // No test waits for a moment: this only ends one that hangs, also on a slow machine with other things to do.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Vitest leaves one core free, which on two is half the machine.
    maxWorkers: availableParallelism(),
    // The key of this user is no test's to make.
    env: { XDG_STATE_HOME: join(tmpdir(), "heartwood-test-state") },
  },
});
