import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, closeBrowser, makeMemory, openPage, serve, type Served } from "./browser.ts";

interface Replayed {
  readonly texts: readonly { readonly text: string; readonly tokens: number; readonly lines: readonly string[] }[];
}

const session = "claude-code-5f0c3a52-1111-4222-8333-444455556666";

describe.skipIf(chromiumPath === undefined)("sessions on the page", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(await makeMemory());
  });
  afterAll(async () => {
    await closeBrowser();
    await served.close();
  });

  it("replays what a session was given, line by line, with its cost", async () => {
    const { page, faults, close } = await openPage(served, "sessions");
    await page.getByRole("region", { name: "Sessions" }).getByRole("link", { name: "claude-code" }).click();
    const replay = page.getByRole("region", { name: "Replay" });
    await replay.getByRole("heading", { name: "1. session start" }).waitFor();
    const { texts } = await served.call<Replayed>("sessions.replay", { session });
    await replay
      .getByRole("img", { name: `Tokens by text: ${texts.map(({ tokens }) => tokens).join(", ")}` })
      .waitFor();
    for (const button of await replay.getByRole("button", { name: /more lines?$/u }).all()) await button.click();
    const items = replay.locator(".given > li");
    for (const [at, { text }] of texts.entries()) {
      const lines = await items.nth(at).locator(".line .text").allTextContents();
      expect(lines.map((line) => (line === " " ? "" : line)).join("\n")).toBe(text.replace(/\n$/u, ""));
    }
    expect(faults).toEqual([]);
    await close();
  });

  it("shows what comes from a line that a session was given, and leads back to the session", async () => {
    const { page, close } = await openPage(served, `sessions?session=${session}`);
    const { texts } = await served.call<Replayed>("sessions.replay", { session });
    const place = texts.flatMap(({ lines }) => lines).find((line) => /^memory\/\d/u.test(line)) ?? "";
    await page
      .getByRole("region", { name: "Replay" })
      .getByRole("link", { name: place.replace(/:(\d+)-\1$/u, ":$1"), exact: true })
      .first()
      .click();
    const derived = page.getByRole("region", { name: "What comes from it" });
    await derived.getByRole("region", { name: "Nodes" }).getByRole("link").first().waitFor();
    await derived.getByRole("region", { name: "Sessions that were given it" }).getByRole("link").first().click();
    await page.getByRole("heading", { name: "2. prompt" }).waitFor();
    await close();
  });

  it("traces a place that is typed", async () => {
    const { page, close } = await openPage(served, "sessions");
    await page.getByLabel("What comes from a line").fill("memory/2026-03-05.md:3-6");
    await page.keyboard.press("Enter");
    const derived = page.getByRole("region", { name: "What comes from it" });
    await derived.getByRole("region", { name: "Nodes" }).getByText("memory/daily/2026-03-05.md").waitFor();
    await page.getByRole("link", { name: "Close" }).click();
    await derived.waitFor({ state: "detached" });
    await close();
  });
});
