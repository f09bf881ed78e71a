import { defineConfig } from "vitest/config";

/** Apart from `npm run test:all`: these run programs of others, which are fetched first. See run.ts. */
export default defineConfig({
  test: {
    include: ["test/clients/*.clients.ts"],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    reporters: ["verbose"],
  },
});
