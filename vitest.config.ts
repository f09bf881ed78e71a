import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The slow tier: tests of many crash states, of real processes, or of much data. Every other test is in the fast tier, which is `npm test`. */
const slow = [
  "test/{crash,hooks,journeys,long,mcp,page,postgres,processes}/**/*.test.ts",
  "test/goldens/corpora.test.ts",
];

// All that tests leave in a temporary folder goes at once when they have ended.
const temporary = mkdtempSync(join(tmpdir(), "heartwood-tests-"));
// Some tests go on as another user.
chmodSync(temporary, 0o755);
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

/** How often the fast tier tries what the other tiers try more often, unless the environment says it. */
const fewer = {
  HEARTWOOD_LAW_SHARE: process.env["HEARTWOOD_LAW_SHARE"] ?? "0.2",
  HEARTWOOD_LAW_RUNS: process.env["HEARTWOOD_LAW_RUNS"] ?? "6",
  HEARTWOOD_FUZZ_RUNS: process.env["HEARTWOOD_FUZZ_RUNS"] ?? "48",
  HEARTWOOD_CRASH_STATES: process.env["HEARTWOOD_CRASH_STATES"] ?? "300",
};

/** `vitest run --mode fast` runs the fast tier alone, `vitest run` both. */
export default defineConfig(({ mode }) => ({
  test: {
    // No test waits for a moment: this only ends one that hangs, also on a slow machine with other things to do.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Vitest leaves one core free, which on two is half the machine.
    maxWorkers: availableParallelism(),
    // Node takes the types out itself: nothing is transformed, and imports cost what they cost in the program.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      // Tests must not touch the state of the user who runs them.
      XDG_STATE_HOME: join(temporary, "state"),
      XDG_DATA_HOME: join(temporary, "data"),
      TMPDIR: temporary,
      // They do not depend on whether the weights of packages/embedder-minilm have been made.
      HEARTWOOD_EMBEDDER: "off",
      ...(mode === "fast" ? fewer : {}),
    },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          exclude: slow,
          // The files share a process and what it has loaded, which takes most of their time otherwise. A test puts back what it changes.
          isolate: false,
        },
      },
      ...(mode === "fast" ? [] : [{ extends: true as const, test: { name: "slow", include: slow } }]),
    ],
  },
}));
