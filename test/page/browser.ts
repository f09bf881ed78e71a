import type { ChildProcess } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { openDesk, type Desk } from "../fixtures/built-program.ts";

/** Debian's chromium; `undefined` where it is not installed, and then the tests say that they were skipped. */
export const chromiumPath = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
if (chromiumPath === undefined) console.log("NOT RUN: the tests of the page; install chromium");

/** 256 bits, as `heartwood serve` makes them. */
export const token = "T".repeat(43);

export const today = "2026-03-23";

export interface Served {
  readonly desk: Desk;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Calls an operation over HTTP. */
  call<Result = never>(operation: string, input?: object): Promise<Result>;
  close(): Promise<void>;
}

/** Starts `heartwood serve` in a memory, on a port of its own. */
export async function serve(desk: Desk): Promise<Served> {
  const child = await startServer(desk);
  return {
    desk,
    origin: child.origin,
    call: async (operation, input = {}) => {
      const response = await fetch(`${child.origin}/v1/${operation}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(input),
      });
      if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
      return ((await response.json()) as { result: never }).result;
    },
    close: async () => {
      const ended = new Promise((resolve) => child.process.once("close", resolve));
      child.process.kill("SIGTERM");
      await ended;
      desk.remove();
    },
  };
}

async function startServer(desk: Desk): Promise<{ readonly process: ChildProcess; readonly origin: string }> {
  Object.assign(desk.env, { HEARTWOOD_TOKEN: token });
  const child = desk.start(["serve", "--port", "0"]);
  let out = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      out += chunk.toString("utf8");
      const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(out)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", (status) => reject(new Error(`heartwood serve ended with ${status}: ${out}`)));
  });
  return { process: child, origin };
}

export interface OpenedPage {
  readonly page: Page;
  /** What must not be there: violations of the content policy, requests to other places, errors of scripts. */
  readonly faults: string[];
  close(): Promise<void>;
}

let browser: Browser | undefined;

/** Opens the page at a view, such as `tree?period=2026-03`, in a context of its own. */
export async function openPage(
  { origin }: Pick<Served, "origin">,
  view = "",
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<OpenedPage> {
  browser ??= await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox", "--disable-gpu"] });
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // Longer than anything takes: what is not there by then does not come.
  context.setDefaultTimeout(60_000);
  const faults: string[] = [];
  context.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`request: ${request.url()}`);
  });
  const page = await context.newPage();
  await page.exposeFunction("reportFault", (fault: string) => void faults.push(fault));
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (event) => reportFault(`policy: ${event.violatedDirective} ${event.blockedURI}`));',
  );
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${origin}/#token=${token}`);
  if (view !== "") await page.goto(`${origin}/#/${view}`);
  return { page, faults, close: () => context.close() };
}

/** Waits until nothing is on its way. The page's policy forbids `waitForFunction`. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main .heading, main .empty").first().waitFor();
  await page.locator(".waiting").first().waitFor({ state: "detached" });
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

const samples = join(import.meta.dirname, "../../samples/memory");

/** Three weeks of logs, a day in Japanese, notes with repeats, a session, and a thread with summaries; compacted. */
export async function makeMemory(more: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const logs = readdirSync(samples).map((name) => [`memory/${name}`, readFileSync(join(samples, name), "utf8")]);
  const desk = openDesk(today, { ...Object.fromEntries(logs), ...japanese, ...notes, ...more });
  await mustEnd(desk, ["init"]);
  await mustEnd(desk, ["trust"]);
  await mustEnd(desk, ["compact"]);
  const started = { session_id: "5f0c3a52-1111-4222-8333-444455556666", cwd: desk.project };
  await mustEnd(
    desk,
    ["hook", "claude-code", "SessionStart"],
    JSON.stringify({ ...started, hook_event_name: "SessionStart", source: "startup" }),
  );
  const prompt = {
    ...started,
    hook_event_name: "UserPromptSubmit",
    prompt: "Which limiter did we choose for payments?",
  };
  await mustEnd(desk, ["hook", "claude-code", "UserPromptSubmit"], JSON.stringify(prompt));
  const by = ["--actor", "user", "--origin", "test"];
  await mustEnd(desk, ["thread", "create", "--id", "release-4", "--title", "Release 4", "--workspace", "project"]);
  const lines = Array.from({ length: 90 }, (_, at) => {
    const actor_id = at % 2 === 0 ? "user" : "assistant";
    return JSON.stringify({
      content: `Message ${at + 1}: the release needs step ${at + 1} before Friday.`,
      actor_id,
      origin: "test",
    });
  });
  await mustEnd(desk, ["thread", "append", "release-4", "--batch", ...by], lines.join("\n"));
  await mustEnd(desk, [
    "thread",
    "compact",
    "release-4",
    "--stride-messages",
    "20",
    "--max-new-checkpoints",
    "3",
    ...by,
  ]);
  return desk;
}

export async function mustEnd(desk: Desk, args: readonly string[], stdin = ""): Promise<string> {
  const { status, out, err } = await desk.run(args, stdin);
  if (status !== 0) throw new Error(`heartwood ${args.join(" ")} ended with ${status}: ${out}${err}`);
  return out;
}

const japanese = {
  "memory/2026-03-21.md": [
    "# 2026-03-21",
    "",
    "## 請求書の様式 [project]",
    "- 決定: 請求書は東京タワーの写真を使わず、白い紙に印刷する",
    "- 未完了: 様式の見本を経理に送る",
    "",
    "## بريد العملاء [project]",
    "- القرار: الرد على كل رسالة خلال يوم واحد",
    "",
  ].join("\n"),
};

const repeated = [
  "- The staging database is restored from the nightly copy at six in the morning",
  "- Deployments to production happen on Tuesdays and Thursdays before noon",
  "- The support lead decides which customers take part in a beta",
  "- Invoices are rounded once, at the end, half up",
];

const notes = {
  "MEMORY.md": [
    "# Memory",
    "",
    "## How we work",
    "",
    ...repeated,
    "",
    "## Names",
    "",
    "- The bucket table is called limits",
    "",
  ].join("\n"),
  "memory/working-notes.md": [
    "# Working notes",
    "",
    "## How we work",
    "",
    ...repeated,
    "",
    "## Other",
    "",
    "- Nothing else",
    "",
  ].join("\n"),
};
