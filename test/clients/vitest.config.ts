import { defineConfig } from "vitest/config";

/** Separate from `npm run test:all`, because these tests run third-party programs that are fetched first. See run.ts. */
export default defineConfig({
  test: {
    include: ["test/clients/*.clients.ts"],
    testTimeout: 900_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    reporters: ["verbose"],
  },
});
