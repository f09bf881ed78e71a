import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, closeBrowser, makeMemory, openPage, serve, token, type Served } from "./browser.ts";

describe.skipIf(chromiumPath === undefined)("the page", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(await makeMemory());
  });
  afterAll(async () => {
    await closeBrowser();
    await served.close();
  });

  it("removes the token from the address, and keeps it when the page is loaded again", async () => {
    const { page, faults, close } = await openPage(served);
    await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
    expect(page.url()).not.toContain("token");
    await page.reload();
    await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
    expect(faults).toEqual([]);
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
