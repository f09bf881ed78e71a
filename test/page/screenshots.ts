import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { closeBrowser, makeMemory, openPage, serve, settled } from "./browser.ts";

/** Makes the pictures of docs/guides/page.md: `node test/page/screenshots.ts`, with the program built and chromium installed. */
const views = {
  now: "now?line=14",
  tree: "tree?period=2026-03-12",
  topics: "topics?topic=Rate limiting",
  search: "search?q=limiter",
  sessions: "sessions",
  threads: "threads?thread=release-4",
  health: "health",
};
const folder = join(import.meta.dirname, "../../docs/images/page");

mkdirSync(folder, { recursive: true });
const served = await serve(await makeMemory());
for (const theme of ["light", "dark"] as const)
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    const { page, close } = await openPage(served, "", { colorScheme: theme, viewport: { width, height } });
    for (const [name, view] of Object.entries(views)) {
      await page.goto(`${served.origin}/#/${view}`);
      await settled(page);
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
    }
    await close();
  }
await closeBrowser();
await served.close();
