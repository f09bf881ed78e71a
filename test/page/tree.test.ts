import { describe, expect, it } from "vitest";
import { chromiumPath, mustEnd, openPage } from "./browser.ts";
import { serveToTests } from "./served.ts";

describe.skipIf(chromiumPath === undefined)("the view Tree", () => {
  const served = serveToTests();

  it("shows the node of a day, a week and a month, and leads to the raw log", async () => {
    const { page, faults, close } = await openPage(served, "tree");
    await page.getByRole("button", { name: /^10 March 2026: fixed/u }).click();
    const node = page.getByRole("region", { name: "Node" });
    await node.getByRole("heading", { name: "Tue 10 Mar 2026" }).waitFor();
    await node.getByText("the registration number has no field").first().waitFor();
    await page.getByRole("button", { name: /^W11 of 2026: fixed/u }).click();
    await node.getByRole("heading", { name: "Week 11 of 2026" }).waitFor();
    await page.getByRole("button", { name: /^March 2026: tentative/u }).click();
    await node.getByRole("heading", { name: "March 2026", level: 2 }).waitFor();
    await page.getByRole("button", { name: /^10 March 2026: fixed/u }).click();
    await node.getByRole("link", { name: "memory/2026-03-10.md" }).click();
    await page.getByRole("heading", { name: "Lines", level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("moves from day to day with the arrow keys, over days without a log", async () => {
    const { page, close } = await openPage(served, "tree?period=2026-03-06");
    await page.getByRole("button", { name: /^6 March 2026/u }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/period=2026-03-08$/u);
    await close();
  });

  it("shows ROOT.md as of a day, by the slider and by the date", async () => {
    const { page, faults, close } = await openPage(served, "tree");
    await page.getByRole("tab", { name: "Through time" }).click();
    await page.getByRole("heading", { name: "ROOT.md at the end of Mon 23 Mar 2026" }).waitFor();
    const slider = page.getByRole("slider", { name: "As of" });
    await slider.focus();
    await page.keyboard.press("Home");
    await page.getByRole("heading", { name: "ROOT.md at the end of Mon 2 Mar 2026" }).waitFor();
    const root = page.getByRole("region", { name: "ROOT.md as of 2026-03-02" });
    await root
      .getByText(/limit per workspace, not per IP address/u)
      .first()
      .waitFor();
    expect(await root.getByText("Incident page").count()).toBe(0);
    await page.getByRole("button", { name: "As of: a day later" }).click();
    await page.getByRole("heading", { name: "ROOT.md at the end of Tue 3 Mar 2026" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("compares two days: topic by topic, with its lines of both days side by side", async () => {
    const { page, faults, close } = await openPage(served, "tree?tab=time");
    await page.getByRole("button", { name: "Compare with another day" }).click();
    await page.getByLabel("From: day").fill("2026-03-10");
    await page.getByLabel("To: day").fill("2026-03-20");
    const compared = page.getByRole("region", { name: "From 2026-03-10 to 2026-03-20" });
    const changed = compared
      .getByRole("region", { name: "Changed" })
      .getByRole("article", { name: "Invoice PDF export" });
    await changed
      .getByRole("list", { name: "Before" })
      .getByText(/the designer's paper layout arrived/u)
      .waitFor();
    await changed
      .getByRole("list", { name: "After" })
      .getByText(/page numbers: "2 \/ 5" in the footer/u)
      .waitFor();
    const added = compared.getByRole("region", { name: "New" });
    await added.getByRole("heading", { name: /^New \d+ topics/u }).waitFor();
    const audit = added.getByRole("article", { name: "Audit log" });
    await audit.getByText("Before: not in ROOT.md").waitFor();
    await audit.getByRole("list", { name: "After" }).waitFor();
    await added.getByRole("link", { name: "2026-03-16" }).first().click();
    await page.getByRole("heading", { name: "Mon 16 Mar 2026" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("shows a late entry as soon as other processes have logged and compacted it", async () => {
    const { page, faults, close } = await openPage(served, "tree?period=2026-03-05");
    await page.getByRole("button", { name: /^5 March 2026: fixed/u }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^5 March 2026: .*addendum/u }).count()).toBe(0);
    const late = [
      "--date",
      "2026-03-05",
      "--topic",
      "Late bill",
      "--body",
      "- facts: the bill of the printer came in May",
    ];
    await mustEnd(served.desk, ["log", "add", ...late]);
    await mustEnd(served.desk, ["compact"]);
    await page.getByRole("button", { name: /^5 March 2026: .*1 addendum/u }).waitFor();
    const addendum = page.getByRole("region", { name: "Addendum" });
    await addendum
      .getByText(/the bill of the printer came in May/u)
      .first()
      .waitFor();
    expect(page.url()).toContain("period=2026-03-05");
    expect(faults).toEqual([]);
    await close();
  });
});
