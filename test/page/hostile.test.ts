import { describe, expect, it } from "vitest";
import type { Desk } from "../fixtures/built-program.ts";
import { chromiumPath, makeMemory, mustEnd, openPage, settled } from "./browser.ts";
import { serveToTests } from "./served.ts";
import { xssVectors } from "./vectors.ts";

const views = [
  "now",
  "tree",
  "topics",
  "topics?tab=inbox",
  "search?q=vector",
  "sessions",
  "threads",
  "health",
  "health?tab=checks",
];
const vectors = xssVectors();

/** Each vector as a topic, as a line of an entry, in a note, as a file's name, as a thread's title and as a message. */
async function makeHostileMemory(): Promise<Desk> {
  const logs = new Map<string, string[]>();
  for (const [at, vector] of vectors.entries()) {
    const day = `2026-02-${String((at % 28) + 1).padStart(2, "0")}`;
    const lines = logs.get(day) ?? [`# ${day}`, ""];
    lines.push(`## ${vector.slice(0, 200)} [project]`, `- decisions: ${vector}`, `- open: vector ${at} ${vector}`, "");
    logs.set(day, lines);
  }
  const files = Object.fromEntries([...logs].map(([day, lines]) => [`memory/${day}.md`, lines.join("\n")]));
  const named = vectors.filter((text) => !/[/\u0000]/u.test(text) && Buffer.byteLength(text) < 200).slice(0, 80);
  for (const [at, name] of named.entries()) {
    const folder = at % 2 === 0 ? "memory/" : "knowledge/";
    files[`${folder}${name}.md`] = `# ${name}\n\n- ${name}\n`;
  }
  files["MEMORY.md"] = `# Memory\n\n${vectors.map((text) => `- ${text}`).join("\n")}\n`;
  const desk = await makeMemory(files);
  const by = ["--actor", "user", "--origin", "test"];
  const titles = vectors.filter(
    (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) && text.length < 256 && !text.startsWith("-"),
  );
  for (const title of titles.filter((_, at) => at % 20 === 0))
    await mustEnd(desk, ["thread", "create", "--title", title]);
  await mustEnd(desk, ["thread", "create", "--id", "hostile", "--title", titles[0] ?? ""]);
  const messages = vectors.map((content) => JSON.stringify({ content }));
  await mustEnd(desk, ["thread", "append", "hostile", "--batch", ...by], messages.join("\n"));
  await mustEnd(desk, ["thread", "compact", "hostile", "--stride-messages", "50", "--max-new-checkpoints", "4", ...by]);
  const prompt = {
    session_id: "hostile-1",
    cwd: desk.project,
    hook_event_name: "UserPromptSubmit",
    prompt: "vector decisions",
  };
  await mustEnd(desk, ["hook", "claude-code", "UserPromptSubmit"], JSON.stringify(prompt));
  return desk;
}

describe.skipIf(chromiumPath === undefined)(`a memory with ${vectors.length} texts that try to run a script`, () => {
  const served = serveToTests(makeHostileMemory);

  it("has at least 300 of them", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(300);
  });

  it.each(views)("runs and fetches nothing in the view %s, whatever is opened there", async (view) => {
    const { page, faults, close } = await openPage(served, view);
    await settled(page);
    const places = page.locator("main").locator("button:not(.danger):not(.primary), summary, a[href^='#/']");
    const count = Math.min(await places.count(), 60);
    for (let at = 0; at < count; at += 1) {
      const place = places.nth(at);
      if (!(await place.isVisible().catch(() => false)) || !(await place.isEnabled().catch(() => false))) continue;
      await place.click({ timeout: 5_000, noWaitAfter: true }).catch(() => undefined);
      await settled(page);
      await page.keyboard.press("Escape");
      if (!page.url().includes(`#/${view.split("?")[0]}`)) {
        await page.goto(`${served.origin}/#/${view}`);
        await settled(page);
      }
    }
    // No element but those of the page itself: what vectors would make.
    const foreign =
      "main iframe, main img, main object, main embed, main style, main script, main form[action], main base, main video, main audio";
    expect(await page.locator(foreign).count()).toBe(0);
    expect(await page.locator("main a:not([href^='#/']):not([href^='http']):not([href^='mailto:'])").count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it("sees a fault if a script runs (negative control)", async () => {
    const { page, faults, close } = await openPage(served);
    await page.evaluate("reportFault('ran')");
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('img'), { src: 'http://evil.invalid/x' }))",
    );
    await expect.poll(() => faults.some((fault) => fault.startsWith("policy: img-src"))).toBe(true);
    expect(faults).toContain("ran");
    await close();
  });
});
