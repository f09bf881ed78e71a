import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest leaves one core free, which on two is half the machine.
    maxWorkers: availableParallelism(),
    // The key of this user is no test's to make.
    env: { XDG_STATE_HOME: join(tmpdir(), "heartwood-test-state") },
  },
});
