import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { chromiumPath, openPage, settled } from "./browser.ts";
import { serveToTests } from "./served.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const views = [
  "now",
  "now?line=10",
  "tree",
  "tree?period=2026-03-20",
  "tree?as_of=2026-03-10",
  "tree?as_of=2026-03-10&with=2026-03-20",
  "topics",
  "topics?tab=inbox",
  "search?q=limiter",
  "search?tab=recall&text=limiter",
  "sessions",
  "threads",
  "threads?thread=release-4",
  "health",
  "health?tab=checks",
  "health?tab=models",
  "health?tab=forget",
  "read?place=memory/2026-03-20.md",
];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(chromiumPath === undefined)("the page for everyone", () => {
  const served = serveToTests();

  for (const theme of ["light", "dark"] as const)
    for (const width of [1280, 390])
      it(`axe finds nothing serious, ${theme}, ${width} px wide, and nothing is wider than the screen`, async () => {
        // axe runs in the page, which its policy forbids.
        const options = { bypassCSP: true, colorScheme: theme, viewport: { width, height: 844 } };
        const { page, close } = await openPage(served, "", options);
        await page.evaluate(axe);
        const found: string[] = [];
        for (const view of views) {
          await page.goto(`${served.origin}/#/${view}`);
          await settled(page);
          const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
            violations: readonly Violation[];
          };
          for (const { id, impact, nodes } of violations)
            if (impact === "serious" || impact === "critical")
              found.push(`${view}: ${id}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary.slice(0, 300)}`);
          const wide = Number(
            await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
          );
          if (wide > 0) found.push(`${view}: ${wide} px too wide`);
        }
        expect(found).toEqual([]);
        await close();
      });
});
