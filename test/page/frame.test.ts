import { describe, expect, it } from "vitest";
import { chromiumPath, openPage, token } from "./browser.ts";
import { serveToTests } from "./served.ts";

describe.skipIf(chromiumPath === undefined)("the page", () => {
  const served = serveToTests();

  it("removes the token from the address, and keeps it when the page is loaded again", async () => {
    const { page, faults, close } = await openPage(served);
    await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
    expect(page.url()).not.toContain("token");
    await page.reload();
    await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("takes what is typed after / into the search box, from every view and again in the search", async () => {
    const { page, close } = await openPage(served, "topics");
    await page.getByRole("heading", { name: "Topics", level: 1 }).waitFor();
    const box = page.getByRole("searchbox", { name: "Search the memory" });
    await page.keyboard.press("/");
    await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
    await page.locator("[type=search]:focus").waitFor();
    await page.keyboard.type("bank");
    expect(await box.inputValue()).toBe("bank");
    await page.getByRole("heading", { name: "Search", level: 1 }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("s");
    expect(await box.inputValue()).toBe("banks");
    await close();
  });

  it("says how to open it without a token", async () => {
    const { page, close } = await openPage(served);
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${served.origin}/`);
    await page.reload();
    await page.getByText("heartwood serve --open").waitFor();
    await close();
  });

  it("takes the token of an address that is opened in the same tab, as after a restart of the server", async () => {
    const { page, close } = await openPage(served);
    await page.evaluate(() => sessionStorage.setItem("heartwood-token", "x".repeat(43)));
    await page.reload();
    await page.getByText("Not connected").waitFor({ timeout: 20_000 });
    await page.goto(`${served.origin}/#token=${token}`);
    await page.getByText("Live").waitFor({ timeout: 20_000 });
    expect(page.url()).not.toContain("token");
    await close();
  });

  it("says that nothing is kept in a folder that is not trusted, and what to do", async () => {
    const { page, close } = await openPage(served);
    await page.getByText("Live").waitFor();
    expect(await page.getByRole("note").count()).toBe(0);
    const proof = ".heartwood/made-for.json";
    const before = served.desk.read(proof);
    served.desk.write(proof, `{"made_for":"${"0".repeat(64)}"}\n`);
    await page.reload();
    const note = page.getByRole("note").filter({ hasText: "Nothing is kept between calls" });
    await note.getByText("run `heartwood trust` in").waitFor();
    served.desk.write(proof, before);
    await page.reload();
    await page.getByText("Live").waitFor();
    await note.waitFor({ state: "detached" });
    await close();
  });

  it("is live again after too many requests", async () => {
    const { page, close } = await openPage(served);
    await page.getByText("Live").waitFor();
    let refused = 0;
    await page.route("**/v1/changes", async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      return route.fulfill({ status: 429, json: { error: { code: "too_many_requests", message: "Wait." } } });
    });
    await page.reload();
    await page.getByText("Live").waitFor({ timeout: 20_000 });
    expect(refused).toBe(2);
    await close();
  });

  it("lists its keys on ?, and gives the focus back", async () => {
    const { page, faults, close } = await openPage(served, "search");
    const box = page.getByRole("searchbox");
    await box.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.locator("main").focus();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    await dialog.getByText("Open a view, in the order of the navigation").waitFor();
    await page.keyboard.press("2");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
    expect(await page.locator("main").evaluate((element) => element.matches(":focus"))).toBe(true);
    await page.getByRole("button", { name: "Keys" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    await close();
  });

  it("has lists that are one tab stop: Enter goes to what is beside them, and Escape back", async () => {
    const { page, close } = await openPage(served);
    const focused = (selector: string) => page.locator(selector).locator(":scope:focus");
    const lists = [
      ["now", ".root-line.choose", "Sources of the line"],
      ["search?q=limiter", ".list .choose", "Lines"],
      ["topics", ".topic-row", "Topic"],
      ["threads?thread=release-4", ".frame", "Detail"],
      ["sessions", ".list .choose", "Replay"],
      ["tree", "[data-day]", "Node"],
    ] as const;
    for (const [view, rows, beside] of lists) {
      await page.goto(`${served.origin}/#/${view}`);
      await page.locator(rows).first().waitFor();
      const stops = await page
        .locator(rows)
        .evaluateAll(
          (all) => all.filter((one) => (one as unknown as { readonly tabIndex: number }).tabIndex === 0).length,
        );
      // The long lists are a stop themselves.
      expect([view, stops]).toEqual([view, /^t(?:opics|hreads)/u.test(view) ? 0 : 1]);
      const start = stops === 0 ? page.locator(".long-list") : page.locator(`${rows}[tabindex="0"]`);
      await start.focus();
      await page.keyboard.press(view === "tree" ? "ArrowLeft" : view.startsWith("threads") ? "ArrowUp" : "ArrowDown");
      await focused(rows).waitFor();
      await page.keyboard.press("Enter");
      await focused(`[aria-label="${beside}"]`).waitFor();
      await page.locator(`${rows}:is([aria-pressed=true], [aria-current=true])`).waitFor();
      await page.keyboard.press("Escape");
      await focused(rows).waitFor();
    }
    await close();
  });

  it("opens every view from the navigation and by its key, and goes back", async () => {
    const { page, faults, close } = await openPage(served);
    const names = ["Now", "Tree", "Topics", "Search", "Sessions", "Threads", "Health"];
    for (const name of names) {
      await page.getByRole("navigation").getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
    }
    for (const [at, name] of names.entries()) {
      await page.locator("main").focus();
      await page.keyboard.press(String(at + 1));
      await page.getByRole("heading", { name, level: 1 }).waitFor();
    }
    await page.goBack();
    await page.getByRole("heading", { name: "Threads", level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
