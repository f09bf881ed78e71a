import { describe, expect, it } from "vitest";
import { chromiumPath, openPage } from "./browser.ts";
import { serveToTests } from "./served.ts";

interface Status {
  readonly raw: { readonly bytes: number };
}

interface Recalled {
  readonly context: readonly { readonly source: string; readonly text: string }[];
}

describe.skipIf(chromiumPath === undefined)("searching on the page", () => {
  const served = serveToTests();

  it("finds Japanese words as they are typed, and shows their lines", async () => {
    const { page, faults, close } = await openPage(served, "search");
    await page.getByRole("searchbox", { name: "Search the memory" }).fill("東京タワー");
    const hit = page.getByRole("region", { name: "Hits" }).getByRole("button", { name: "東京タワー" });
    await hit.first().click();
    const lines = page.getByRole("region", { name: "Lines" });
    await lines.getByText("請求書は東京タワーの写真を使わず").waitFor();
    expect(page.url()).toContain("at=memory");
    await page.reload();
    await lines.getByText("請求書は東京タワーの写真を使わず").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("does not search in the middle of a composition", async () => {
    const { page, close } = await openPage(served, "search");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/memory.search"))
        asked.push((JSON.parse(request.postData() ?? "{}") as { readonly query: string }).query);
    });
    await page.getByRole("searchbox").focus();
    const keyboard = await page.context().newCDPSession(page);
    for (const text of ["せ", "せい", "せいき"])
      await keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await keyboard.send("Input.insertText", { text: "請求書" });
    await page.getByRole("region", { name: "Hits" }).getByRole("button").first().waitFor();
    // Asked again if the memory changes.
    expect([...new Set(asked)]).toEqual(["請求書"]);
    await close();
  });

  it("finds Arabic words, and narrows a search by filters", async () => {
    const { page, close } = await openPage(served, "search");
    const hits = page.getByRole("region", { name: "Hits" });
    await page.getByRole("searchbox").fill("رسالة");
    await hits.getByText("القرار").first().waitFor();
    await page.getByRole("searchbox").fill("limiter");
    await page.getByLabel("Where").selectOption("nodes");
    await hits
      .getByText(/^memory\/(?:daily|weekly|monthly)\//u)
      .first()
      .waitFor();
    await page.getByLabel("Where").selectOption("logs");
    await hits
      .getByText(/^memory\/2026-/u)
      .first()
      .waitFor();
    await hits.getByRole("button").first().waitFor();
    await page.getByLabel("From").fill("2026-03-23");
    await hits.getByText("Nothing found.").waitFor();
    await close();
  });

  it("moves among hits by keys", async () => {
    const { page, close } = await openPage(served, "search?q=limiter");
    const hits = page.getByRole("region", { name: "Hits" }).getByRole("button");
    await hits.nth(1).waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Lines" }).getByRole("heading").waitFor();
    expect(await hits.nth(1).getAttribute("aria-pressed")).toBe("true");
    await close();
  });
});

describe.skipIf(chromiumPath === undefined)("recall on the page", () => {
  const served = serveToTests();

  it("shows the passages that an agent would get, in order, each with its reasons", async () => {
    const { page, faults, close } = await openPage(served, "search");
    await page.getByRole("tab", { name: "Recall" }).click();
    const text = "Which limiter did we choose for payments?";
    await served.call("memory.index");
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
    const passages = page.getByRole("region", { name: "Passages" }).locator(".passage");
    await passages.first().waitFor();
    const { context } = await served.call<Recalled>("memory.recall", { text, budget: 2_000, explain: true });
    const places = await passages.locator("a.place").allTextContents();
    expect(places).toEqual(context.map(({ source }) => source.replace(/:(\d+)-\1$/u, ":$1")));
    await passages
      .first()
      .getByText(/^Found by the words? .*(?:limiter|payments).*; \d+ days old\.$/u)
      .waitFor();
    await passages.first().getByText("Why").click();
    await passages.first().getByRole("rowheader", { name: "words", exact: true }).waitFor();
    await page.getByRole("img", { name: /^Budget: [\d,]+ of 2,?000 tokens$/u }).waitFor();
    await passages.first().locator("a.place").click();
    await page.getByRole("region", { name: "Lines" }).locator(".marked").first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("records what is right in place of a wrong passage, after asking", async () => {
    const text = "Which paper does the invoice PDF export use?";
    const { page, close } = await openPage(served, `search?tab=recall&text=${encodeURIComponent(text)}`);
    const first = page.getByRole("region", { name: "Passages" }).locator(".passage").first();
    const old = ((await first.locator(".passage-text").textContent()) ?? "").trim();
    await first.getByRole("button", { name: "Correct…" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct these lines" });
    await dialog.getByText(old.slice(0, 40)).waitFor();
    await dialog.getByLabel("What is right").fill("Invoices are printed on A5 since today");
    await dialog.getByRole("button", { name: "Add the correction" }).click();
    await page.getByText(/^Corrected memory\//u).waitFor();
    await page.getByText("Invoices are printed on A5 since today").first().waitFor();
    const { context } = await served.call<Recalled>("memory.recall", { text });
    expect(context.map((passage) => passage.text.trim())).not.toContain(old);
    expect(served.desk.read("memory/2026-03-23.md")).toContain("A5 since today");
    await close();
  });

  it("corrects nothing if other lines have come to the place since", async () => {
    const text = "What did we decide about the audit log?";
    const { page, close } = await openPage(served, `search?tab=recall&text=${encodeURIComponent(text)}`);
    const first = page.getByRole("region", { name: "Passages" }).locator(".passage").first();
    const [path = ""] = ((await first.locator("a.place").textContent()) ?? "").split(":");
    const read = page.waitForResponse((response) => response.url().endsWith("/v1/memory.read"), { timeout: 20_000 });
    await first.getByRole("button", { name: "Correct…" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct these lines" });
    await dialog.getByLabel("What is right").fill("Seven years");
    await read;
    const { raw } = await served.call<Status>("memory.status");
    const before = served.desk.read(path);
    served.desk.write(path, before.replace("\n", "\n\n## Inserted [project]\n- above\n"));
    await dialog.getByRole("button", { name: "Add the correction" }).click();
    await dialog.getByText("Other lines are at this place now").waitFor({ timeout: 20_000 });
    served.desk.write(path, before);
    expect((await served.call<Status>("memory.status")).raw.bytes).toBe(raw.bytes);
    await close();
  });

  it("opens a hit and a passage in place of the list on a narrow screen, with a way back to it", async () => {
    const text = "What did we decide about the audit log?";
    for (const [view, region, back] of [
      ["q=limiter", "Hits", "← Hits"],
      [`tab=recall&text=${encodeURIComponent(text)}`, "Passages", "← Passages"],
    ] as const) {
      const { page, close } = await openPage(served, `search?${view}`, { viewport: { width: 390, height: 844 } });
      const row = page.getByRole("region", { name: region }).locator("[data-place]").nth(1);
      await row.click();
      await page.getByRole("region", { name: "Lines" }).locator(".marked").first().waitFor();
      expect(await row.isVisible()).toBe(false);
      await page.getByRole("button", { name: back }).click();
      await row.waitFor();
      await expect.poll(() => row.evaluate((element) => element.matches(":focus"))).toBe(true);
      await close();
    }
  });

  it("pins a passage, leaves it out instead, and takes both back", async () => {
    const text = "What did we decide about the audit log?";
    const { page, close } = await openPage(served, `search?tab=recall&text=${encodeURIComponent(text)}`);
    const passages = page.getByRole("region", { name: "Passages" }).locator(".passage");
    const third = passages.nth(2);
    const place = ((await third.locator("a.place").textContent()) ?? "").trim();
    await third.getByRole("button", { name: "Pin", exact: true }).click();
    await passages.first().locator(".chip").getByText("pinned").waitFor();
    expect(await passages.first().locator("a.place").textContent()).toBe(place);
    const bar = page.locator(".undo-bar");
    await bar.getByRole("button", { name: "Undo" }).click();
    await page.getByText("pinned or never recalled").waitFor({ state: "detached" });
    await bar.waitFor({ state: "detached" });
    // The same passage with the line of its heading, as a person may have pinned it.
    const [path = "", from = ""] = /^(.*):(\d+)/u.exec(place)?.slice(1) ?? [];
    const wide = `${path}:${Number(from) - 1}-${place.split("-").at(-1)?.split(":").at(-1) ?? from}`;
    await served.call("recall.pin", { place: wide });
    await passages.first().locator(".chip").getByText("pinned").waitFor();
    await passages.first().getByRole("button", { name: "Never recall" }).click();
    await page.getByRole("region", { name: "Passages" }).getByText("1 place is pinned or never recalled").click();
    const { context } = await served.call<Recalled>("memory.recall", { text });
    expect(context.map(({ source }) => source.replace(/:(\d+)-\1$/u, ":$1"))).not.toContain(place);
    await page
      .getByRole("list", { name: "Pinned or never recalled" })
      .getByRole("button", { name: "Allow again" })
      .click();
    await page.getByText("pinned or never recalled").waitFor({ state: "detached" });
    await close();
  });
});
