import { describe, expect, it } from "vitest";
import { chromiumPath, mustEnd, openPage, today } from "./browser.ts";
import { serveToTests } from "./served.ts";

describe.skipIf(chromiumPath === undefined)("the view Now", () => {
  const served = serveToTests();

  it("traces a line of ROOT.md to its raw lines, and from there to the log", async () => {
    const { page, faults, close } = await openPage(served, "now");
    await page.getByText(/of 3,000 tokens/u).waitFor();
    const line = page.getByRole("button", { name: /^Bank import: beta for ten customers/u });
    await line.click();
    expect(await line.getAttribute("aria-pressed")).toBe("true");
    const detail = page.getByRole("region", { name: "Sources of the line" });
    await detail.getByText("unchanged").first().waitFor();
    await detail.getByText("Fri 20 Mar 2026").first().waitFor();
    for (const level of ["Month 2026-03", "Week 2026-W12", "Day 2026-03-20"])
      await detail.getByRole("link", { name: level }).waitFor();
    await detail
      .getByRole("link", { name: /^memory\/2026-03-20\.md:/u })
      .first()
      .click();
    await page.getByRole("heading", { name: "Lines", level: 1 }).waitFor();
    await page
      .getByText(/beta for ten customers/u)
      .first()
      .waitFor();
    await page.goBack();
    await detail.getByText("unchanged").first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("moves through the lines with the arrow keys, and the detail follows", async () => {
    const { page, close } = await openPage(served, "now");
    const lines = page.locator("[data-line]");
    await lines.first().click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const third = await lines.nth(2).getAttribute("data-line");
    await page.waitForURL(new RegExp(`line=${third}$`, "u"));
    expect(await lines.nth(2).getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("ArrowUp");
    await page.waitForURL(new RegExp(`line=${await lines.nth(1).getAttribute("data-line")}$`, "u"));
    await close();
  });

  it("opens a line as a sheet on a narrow screen, with a way back to the line", async () => {
    const { page, close } = await openPage(served, "now", { viewport: { width: 390, height: 844 } });
    const line = page.getByRole("button", { name: /^Travel/u });
    await line.click();
    await page.getByRole("button", { name: "← All lines" }).click();
    await line.waitFor();
    expect(await line.evaluate((element) => element.matches(":focus"))).toBe(true);
    await close();
  });

  it("lists what did not fit, with the reason and the tokens", async () => {
    const { page, close } = await openPage(served, "now");
    await page.getByRole("tab", { name: /^Did not fit/u }).click();
    await page.getByText("its section's share of the space is full").first().waitFor();
    await close();
  });

  it("shows what came from raw lines", async () => {
    const { page, close } = await openPage(served, "now");
    await page.getByRole("button", { name: /^Bank import: beta for ten customers/u }).click();
    await page.getByRole("button", { name: "What comes from it" }).first().click();
    await page.getByText(/come from these lines/u).waitFor();
    await page.getByText("memory/weekly/2026-W12.md").first().waitFor();
    await close();
  });

  it("corrects raw lines after saying what will happen, and marks the new line of ROOT.md", async () => {
    const { page, faults, close } = await openPage(served, "now");
    await page.getByRole("button", { name: /^Bank import: beta for ten customers/u }).click();
    await page.getByRole("button", { name: "Correct…" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Correct these lines" });
    await dialog.getByText(/ROOT.md, recall and start texts no longer give them/u).waitFor();
    await dialog.getByLabel("What is right").fill("the beta is for twelve customers, chosen by lot");
    await dialog.getByRole("button", { name: "Add the correction" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(served.desk.read(`memory/${today}.md`)).toMatch(
      /- corrects: memory\/2026-03-20\.md:\d+(?:-\d+)?\n- the beta is for twelve customers, chosen by lot/u,
    );
    await mustEnd(served.desk, ["compact"]);
    await page
      .getByRole("button", { name: /twelve customers.*new$/u })
      .first()
      .waitFor();
    // The line of the same topic is the chosen one now.
    await page.getByRole("button", { name: /^Bank import:.*twelve customers/u, pressed: true }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
