import { describe, expect, it } from "vitest";
import { chromiumPath, mustEnd, openPage } from "./browser.ts";
import { serveToTests } from "./served.ts";

interface Compiled {
  readonly raw_messages: number;
  readonly summarized_messages: number;
  readonly uncovered_messages: number;
}

const by = ["--actor", "user", "--origin", "test"];

describe.skipIf(chromiumPath === undefined)("threads on the page", () => {
  const served = serveToTests();

  it("shows on a scale what a context covers, and the text of a summary", async () => {
    const { page, faults, close } = await openPage(served, "threads");
    await page.getByRole("link", { name: "Release 4" }).click();
    const context = page.getByRole("region", { name: "Context" });
    await page.getByLabel("Budget in tokens").fill("1000");
    await page.keyboard.press("Tab");
    const compiled = await served.call<Compiled>("context.compile", { thread_id: "release-4", budget: 1_000 });
    const { raw_messages, summarized_messages, uncovered_messages } = compiled;
    await context
      .getByText(
        `90 messages: ${raw_messages} in full, ${summarized_messages} in the ranges of summaries, ${uncovered_messages} in neither.`,
      )
      .waitFor();
    expect(raw_messages + summarized_messages + uncovered_messages).toBe(90);
    const scale = page.getByRole("group", { name: "Coverage, from the first message to the last" });
    await scale.getByRole("link", { name: /^Summary: #1 to #\d+, / }).click();
    const detail = page.getByRole("region", { name: "Detail" });
    await detail.getByRole("heading", { name: "Summary" }).waitFor();
    await detail.getByText("## Summary up to #").waitFor();
    await scale.getByRole("link", { name: /^In full: #/u }).click();
    await detail.getByText(/^Message \d+: the release needs step/u).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("marks the cut points of every thread that is opened, whichever answer comes first", async () => {
    for (let time = 1; time <= 10; time += 1) {
      const { page, close } = await openPage(served, "threads?thread=release-4");
      await page.getByRole("list", { name: "Messages" }).getByText("cut point, summarized").first().waitFor();
      await close();
    }
  });

  it("jumps to a message, marks cut points, and goes back", async () => {
    const { page, close } = await openPage(served, "threads?thread=release-4");
    const list = page.getByRole("list", { name: "Messages" });
    await list.getByText("cut point, summarized").first().waitFor();
    await page.getByLabel("Go to #").fill("5");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Detail" }).getByText("Message 5: the release needs step 5").waitFor();
    await list.getByRole("link", { name: "Message 5: the release" }).waitFor();
    await page.goBack();
    await page.getByText("Choose a message, or a part of the context.").waitFor();
    await close();
  });

  it("shows a new message while the page is open", async () => {
    const { page, close } = await openPage(served, "threads?thread=release-4");
    const list = page.getByRole("list", { name: "Messages" });
    await list.getByText("Message 90: the release").waitFor();
    await mustEnd(served.desk, ["thread", "append", "release-4", ...by, "--content", "One more thing for Friday"]);
    await list.getByText("One more thing for Friday").waitFor();
    await close();
  });

  it("schedules a summary after saying what it will do, and shows the job", async () => {
    const { page, close } = await openPage(served, "threads?thread=release-4&stride=20");
    await page.getByRole("button", { name: "Schedule a summary…" }).click();
    const dialog = page.getByRole("dialog", { name: "Schedule a summary?" });
    await dialog.getByText("A job makes 1 summary").waitFor();
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("list", { name: "Messages" }).getByText("Job completed").first().waitFor();
    await close();
  });
});
