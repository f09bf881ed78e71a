import { describe, expect, it } from "vitest";
import { printInjection, sessionsFolder, type Injection } from "../../src/agents/sessions/record.ts";
import { chromiumPath, makeMemory, openPage } from "./browser.ts";
import { serveToTests } from "./served.ts";

interface Replayed {
  readonly texts: readonly { readonly text: string; readonly tokens: number; readonly lines: readonly string[] }[];
}

const session = "codex-77aa0000-1111-4222-8333-444455556666";
const fact = "facts: one page takes 380 MB at the peak and gives 290 MB back; forty invoices in a row end at 1.1 GB";
const given: readonly Injection[] = [
  {
    at: "2026-03-23T09:00:00.000Z",
    event: "session-start",
    source: "startup",
    memory: "53d082785c4af9ad",
    lines: ["memory/ROOT.md"],
    left: [
      { section: "Topics Index", left: 12, of: 40 },
      { section: "Historical Summary", left: 2, of: 2 },
    ],
    text: Array.from({ length: 80 }, (_, at) => `Line ${at + 1} of the memory, <b>as text</b>`).join("\n"),
  },
  {
    at: "2026-03-23T09:05:00.000Z",
    event: "prompt",
    source: "",
    memory: "53d082785c4af9ad",
    lines: ["memory/2026-03-05.md:6-6"],
    text: `2026-03-05 18d:\n\n6 (Invoice PDF export): ${fact}`,
  },
];

describe.skipIf(chromiumPath === undefined)("sessions on the page", () => {
  const served = serveToTests(async () => {
    const desk = await makeMemory();
    // Hooks give what they find in time, so what they record depends on the machine.
    desk.write(`${sessionsFolder}/${session}.jsonl`, given.map(printInjection).join(""));
    return desk;
  });

  it("replays what a session was given, line by line, with its cost", async () => {
    const { page, faults, close } = await openPage(served, "sessions");
    await page.getByRole("region", { name: "Sessions" }).getByRole("link", { name: "codex" }).click();
    const replay = page.getByRole("region", { name: "Replay" });
    await replay.getByRole("heading", { name: "1. session start" }).waitFor();
    const { texts } = await served.call<Replayed>("sessions.replay", { session });
    await replay
      .getByRole("img", { name: `Tokens by text: ${texts.map(({ tokens }) => tokens).join(", ")}` })
      .waitFor();
    for (const button of await replay.getByRole("button", { name: /more lines?$/u }).all()) await button.click();
    const items = replay.locator(".given > li");
    await items
      .first()
      .getByText(
        "ROOT.md did not fit: 14 of its lines were left out (12 of 40 of Topics Index; all 2 of Historical Summary).",
      )
      .waitFor();
    for (const [at, { text }] of texts.entries()) {
      const lines = await items.nth(at).locator(".line .text").allTextContents();
      expect(lines.map((line) => (line === " " ? "" : line)).join("\n")).toBe(text.replace(/\n$/u, ""));
    }
    expect(faults).toEqual([]);
    await close();
  });

  it("shows what comes from a line that a session was given, and leads back to the session", async () => {
    const { page, close } = await openPage(served, `sessions?session=${session}`);
    await page
      .getByRole("region", { name: "Replay" })
      .getByRole("link", { name: "memory/2026-03-05.md:6", exact: true })
      .click();
    const derived = page.getByRole("region", { name: "What comes from it" });
    await derived.getByRole("region", { name: "Nodes" }).getByRole("link").first().waitFor();
    await derived.getByRole("link", { name: "codex 77aa0000-1111…, text 2" }).click();
    await page.getByRole("heading", { name: "2. prompt" }).waitFor();
    expect(new URL(page.url()).hash).toContain("number=2");
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
