import { describe, expect, it } from "vitest";
import { chromiumPath, makeMemory, openPage, today } from "./browser.ts";
import { serveToTests } from "./served.ts";

const spoken = {
  "memory/2026-03-14.md": [
    "# 2026-03-14",
    "",
    "User: The invoices of yesterday look odd. I saw 12.5 and 12.50 on one page.",
    "",
    "Assistant: The template prints numbers as they are in the table.",
    "",
    "User: From now on always write amounts with two decimals.",
    "",
    "Assistant: I will do that in every text.",
    "",
    "User: Good. I also moved my desk to the window this morning.",
    "",
    "Assistant: Enjoy the view.",
    "",
  ].join("\n"),
};

describe.skipIf(chromiumPath === undefined)("the view Topics", () => {
  const served = serveToTests(() => makeMemory(spoken));

  it("finds a topic by typing and shows its facts with what they replaced", async () => {
    const { page, faults, close } = await openPage(served, "topics");
    await page.getByRole("searchbox", { name: "Filter topics" }).fill("rate lim");
    await page.getByText(/^1 of \d+ topics$/u).waitFor();
    await page.getByRole("button", { name: /^Rate limiting/u }).click();
    const topic = page.getByRole("region", { name: "Topic", exact: true });
    await topic
      .getByText(/60 requests a minute until 2026-03-20, then 120/u)
      .first()
      .waitFor();
    await topic.getByRole("deletion").getByText("counters in Redis", { exact: false }).waitFor();
    await topic.getByText("2026-03-03, until 2026-03-20").waitFor();
    await topic.getByRole("button", { name: "Show" }).first().click();
    await topic
      .locator(".lines")
      .getByText(/60 requests a minute until/u)
      .waitFor();
    await topic.getByRole("link", { name: "memory/2026-03-20.md:7" }).click();
    await page.getByRole("heading", { name: "Lines", level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("filters by type and age, and keeps the filter in the address", async () => {
    const { page, close } = await openPage(served, "topics");
    await page.getByRole("combobox", { name: "Type" }).selectOption("reference");
    await page.getByRole("button", { name: /^Incident page/u }).waitFor();
    await page.getByRole("combobox", { name: "Age" }).selectOption("7");
    await page.getByRole("button", { name: /^Sample statements/u }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: /^Incident page/u }).waitFor();
    expect(page.url()).toMatch(/type=reference&age=7/u);
    await close();
  });

  it("leads to forgetting the topic, with its preview", async () => {
    const { page, faults, close } = await openPage(served, "topics?topic=Backup+drill");
    await page.getByRole("link", { name: "Forget this topic…" }).click();
    expect(await page.getByRole("textbox", { name: "Topic" }).inputValue()).toBe("Backup drill");
    expect(await page.getByLabel("Forget a").inputValue()).toBe("topic");
    const preview = page.getByRole("region", { name: "What would go" });
    await preview.getByText("## Backup drill", { exact: false }).first().waitFor();
    await preview.getByLabel("Code").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("renames a topic after asking, and takes it back", async () => {
    const { page, faults, close } = await openPage(served, "topics?topic=Backup+drill");
    await page.getByRole("button", { name: "Rename…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("New name").fill("Restore drill");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { name: "Restore drill" }).waitFor();
    await page.getByRole("button", { name: /^Restore drill/u }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /^Backup drill/u }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("merges a topic into another that exists, and no other", async () => {
    const { page, close } = await openPage(served, "topics?topic=Button+for+PDF");
    await page.getByRole("button", { name: "Merge into…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Into").fill("No such topic");
    await dialog.getByRole("button", { name: "Merge" }).click();
    await dialog.getByText(/There is no topic "No such topic"/u).waitFor();
    await dialog.getByLabel("Into").fill("Invoice PDF export");
    await dialog.getByRole("button", { name: "Merge" }).click();
    await page.getByRole("heading", { name: "Invoice PDF export" }).waitFor();
    await page.getByRole("button", { name: /^Button for PDF/u }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /^Button for PDF/u }).waitFor();
    await close();
  });

  it("edits an entry, removes one, and takes each back", async () => {
    const { page, faults, close } = await openPage(served, "topics?topic=Backup+drill");
    const topic = page.getByRole("region", { name: "Topic", exact: true });
    await topic.getByRole("button", { name: "Edit" }).click();
    const text = page.getByRole("dialog").getByLabel("Text");
    await text.waitFor();
    await expect.poll(() => text.inputValue()).toContain("1,907 workspaces");
    await text.fill("- outcome: restored in 19 minutes");
    await page.getByRole("button", { name: "Save" }).click();
    await topic.getByText("restored in 19 minutes").first().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await topic.getByText("restored Saturday's backup").first().waitFor();
    await topic.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: /^Backup drill/u }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /^Backup drill/u }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("dismisses an item of the inbox, takes that back, and promotes what the user said", async () => {
    const { page, faults, close } = await openPage(served, "topics");
    await page.getByRole("tab", { name: /^Inbox \d/u }).click();
    const item = page.getByRole("article", { name: /^Invoice PDF export: what was said on 2026-03-16 replaced/u });
    await item.getByRole("button", { name: "Leave it and hide this" }).click();
    await item.waitFor({ state: "detached" });
    await page.getByText("1 dismissed").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await item.waitFor();
    const said = page.getByRole("article").filter({ hasText: "always write amounts with two decimals" });
    await said.getByRole("button", { name: "Make it a rule" }).click();
    await page
      .getByRole("dialog")
      .getByText(/added to today's log as an entry of type feedback/u)
      .waitFor();
    await page.getByRole("button", { name: "Do it" }).click();
    await said.waitFor({ state: "detached" });
    expect(served.desk.read(`memory/${today}.md`)).toContain(
      "- rule: From now on always write amounts with two decimals.",
    );
    expect(faults).toEqual([]);
    await close();
  });
});
