import { describe, expect, it } from "vitest";
import { printInjection } from "../../src/agents/sessions/record.ts";
import { chromiumPath, makeMemory, openPage, type Served } from "./browser.ts";
import { serveToTests } from "./served.ts";

/** In MEMORY.md and in a note. */
const section = [
  "## How we work",
  "",
  "- The staging database is restored from the nightly copy at six in the morning",
  "- Deployments to production happen on Tuesdays and Thursdays before noon",
  "- The support lead decides which customers take part in a beta",
  "",
].join("\n");

/** Everything of the memory that is not a cache or a record of heartwood's own. */
function bytesOf({ desk }: Served): ReadonlyMap<string, string> {
  return new Map([...desk.files()].filter(([path]) => !path.startsWith(".heartwood/")));
}

describe.skipIf(chromiumPath === undefined)("health on the page", () => {
  const served = serveToTests(() => {
    const files = { "MEMORY.md": `# Memory\n\n${section}`, "memory/2026-03-01.md": `# 2026-03-01\n\n${section}` };
    return makeMemory(files);
  });

  it("says in the dialog why nothing was changed", async () => {
    const { page, close } = await openPage(served, "health");
    const proposed = page.getByRole("region", { name: "Proposed changes" });
    await page.route("**/v1/audit.run", async (route) => {
      if (!(route.request().postData() ?? "").includes('"apply":true')) return route.continue();
      return route.fulfill({ status: 503, json: { error: { code: "busy", message: "Another process writes." } } });
    });
    await proposed.getByRole("button", { name: "Apply…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Apply", exact: true }).click();
    await dialog.getByRole("alert").getByText("Another process writes.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await proposed.getByRole("button", { name: "Apply…" }).waitFor();
    await close();
  });

  it("applies an audit after showing it, and undoes it byte for byte", async () => {
    const { page, faults, close } = await openPage(served, "health");
    const before = bytesOf(served);
    const proposed = page.getByRole("region", { name: "Proposed changes" });
    await proposed.getByRole("link").first().click();
    await page.getByRole("region", { name: "Before and after" }).locator("del").first().waitFor();
    await proposed.getByRole("button", { name: "Apply…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText(/^\d+ changes? made/u).waitFor();
    expect(bytesOf(served)).not.toEqual(before);
    await proposed.getByText("Nothing to change.").waitFor();
    await page.getByRole("region", { name: "History" }).getByRole("button", { name: "Undo…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(/^\d+ files? restored/u).waitFor();
    expect(bytesOf(served)).toEqual(before);
    await page.getByRole("region", { name: "History" }).getByText("undone").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("shows checks, and verifies the tree and the threads", async () => {
    const { page, close } = await openPage(served, "health");
    await page.getByRole("tab", { name: "Checks" }).click();
    await page.getByText(/\d+ checks? passed/u).waitFor();
    for (const name of ["Tree", "Threads"]) {
      await page.getByRole("button", { name: `Verify ${name.toLowerCase()}` }).click();
      await page
        .getByRole("region", { name, exact: true })
        .getByText(/[1-9]\d* (?:files?|threads?).* checked/u)
        .waitFor();
    }
    await page.getByRole("tab", { name: "Models" }).click();
    await page.getByText("No request was ever sent.").waitFor();
    await close();
  });

  it("forgets a fact after a preview and a code: it is gone from files, search and page", async () => {
    const fact = "forty invoices in a row end at 1.1 GB";
    const { page, faults, close } = await openPage(served, "search?q=%22forty+invoices%22");
    await page.getByRole("region", { name: "Hits" }).getByRole("button").first().waitFor();
    const given = { source: "startup", memory: "", lines: ["memory/ROOT.md"], text: "a start" };
    served.desk.write(
      ".heartwood/sessions/codex-one.jsonl",
      printInjection({ at: "2026-03-06T09:00:00Z", event: "session-start", ...given }),
    );
    await page.goto(`${served.origin}/#/health?tab=forget`);
    await page.getByRole("textbox", { name: "Text" }).fill(fact);
    await page.getByRole("button", { name: "Show what would go" }).click();
    const preview = page.getByRole("region", { name: "What would go" });
    await preview.getByText(fact).first().waitFor();
    await preview.getByText("codex-one loses its record: 1 text, 2026-03-06").waitFor();
    await preview.getByRole("list", { name: "Made again" }).getByText("memory/daily/2026-03-05.md").waitFor();
    const forget = preview.getByRole("button", { name: "Forget for good" });
    expect(await forget.isDisabled()).toBe(true);
    await preview.getByLabel("Code").fill((await preview.locator(".forget-code").textContent()) ?? "");
    await forget.click();
    const proof = page.getByRole("region", { name: "Forgotten" }).getByRole("region", { name: "Proof" });
    await proof.getByText(/[1-9]\d* files and threads were changed or removed\.$/u).waitFor();
    await proof.getByText(/[1-9]\d* files checked: nothing that was forgotten is left\.$/u).waitFor();
    await proof.getByText("The text is found nowhere.").waitFor();
    expect(page.url()).not.toContain("forty");
    expect([...served.desk.files()].filter(([, text]) => text.includes(fact)).map(([path]) => path)).toEqual([]);
    await page.goto(`${served.origin}/#/search?q=%22forty+invoices%22`);
    await page.getByText("Nothing found.").waitFor();
    await page.goto(`${served.origin}/#/read?place=memory/2026-03-05.md`);
    await page.getByText("a pool of two browser pages").first().waitFor();
    expect(await page.getByText("forty invoices").count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });
});
