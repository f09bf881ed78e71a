// Measures the page in chromium: the first view, clicks, scrolling and memory. Usage: node bench/page.mjs [--shared DIR] [--work DIR] [--days N] [--messages N]
// [--runs N] [--write]. --days: of the long memory beside 91 days of real conversations; --messages: of the long thread. --work keeps the memories between runs.
// Exit status 1 if a bound is missed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { openProjects, today } from "./growth-projects.mjs";
import { median, program, repository, temporaryFolder } from "./harness.mjs";

const { values } = parseArgs({
  options: {
    shared: { type: "string", default: join(repository, "..", "shared") },
    work: { type: "string" },
    days: { type: "string", default: "3650" },
    messages: { type: "string", default: "1000000" },
    runs: { type: "string", default: "7" },
    write: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const work = values.work === undefined ? temporaryFolder() : resolve(values.work);
mkdirSync(work, { recursive: true });
const projects = openProjects({ shared: resolve(values.shared), work });
const token = "b".repeat(43);
const rows = [];
const answered = "document.querySelector('.waiting, .progress.on, main [aria-busy=true]') === null";

/** After a step of one day: the day in the address is another one, and its memory is there. */
const stepped = `element.before !== location.hash && ${answered}`;

const executablePath = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "chromium"))
  .find((path) => existsSync(path));

if (executablePath === undefined) console.log("SKIPPED: chromium is not installed");
else if (!existsSync(projects.corpus))
  console.log(`SKIPPED: there is no corpus at ${projects.corpus}; give --shared DIR`);
else {
  await measureReal();
  if (Number(values.days) > 0) await measureYears();
  if (Number(values.messages) > 0) await measureThread();
  if (values.write) write();
}
process.exitCode = rows.every(({ value, bound }) => bound === undefined || value <= bound) ? 0 : 1;

function row(name, value, unit, bound) {
  rows.push({ name, value, unit, bound });
  const holds = bound === undefined ? "    " : value <= bound ? "ok  " : "MISS";
  const limit = bound === undefined ? "" : `  (at most ${bound} ${unit})`;
  console.log(`${holds}  ${name.padEnd(64)} ${value.toFixed(unit === "MB" ? 0 : 1).padStart(8)} ${unit}${limit}`);
}

/** Starts the server in a folder, and a browser. */
async function open(folder) {
  const child = spawn(
    process.execPath,
    [program, "serve", "--port", "0", "-C", folder, "--today", today, "--time-zone", "UTC"],
    {
      env: { ...projects.env, HEARTWOOD_TOKEN: token },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const origin = await new Promise((found, failed) => {
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/u.exec(out);
      if (address !== null) found(address[0]);
    });
    child.once("close", (status) => failed(new Error(`heartwood serve ended with ${status}`)));
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const close = async () => {
    await browser.close();
    child.removeAllListeners("close");
    child.kill();
  };
  return { origin, browser, close };
}

/** A page of its own, with the token taken. */
async function pageAt({ origin, browser }, view) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${origin}/#token=${token}`);
  await page.goto(`${origin}/#/${view}`);
  await settled(page);
  return page;
}

async function settled(page) {
  await page.waitForSelector("main .heading");
  await page.waitForSelector(".waiting", { state: "detached" });
}

/**
 * Milliseconds from a click on the element until the first frame after `isDone` (an expression in the page) is true. Measured in the page, so that the
 * connection to the browser does not count.
 */
async function click(page, selector, index, isDone) {
  return page.evaluate(`(async () => {
    const element = document.querySelectorAll(${JSON.stringify(selector)})[${index}];
    if (element === undefined) throw new Error("nothing to click");
    const started = performance.now();
    element.before = location.hash;
    element.click();
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (${isDone}) return performance.now() - started;
      if (performance.now() - started > 20_000) throw new Error("not done in 20 s");
    }
  })()`);
}

/** MB of JavaScript's heap after collecting, and of the tab's process. */
async function memoryOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.enable").then(() => session.send("Performance.getMetrics"));
  return metrics.find(({ name }) => name === "JSHeapTotalSize").value / 1e6;
}

/** The private memory of the largest renderer of this machine's chromium, in MB. */
function rendererMemory() {
  const all = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  const sizes = all.map((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) return 0;
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      const kB = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`, "u").exec(text)?.[1] ?? 0);
      return (kB("Private_Clean") + kB("Private_Dirty")) / 1000;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...sizes);
}

async function firstView(opened, seen) {
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const page = await (await opened.browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const started = performance.now();
    await page.goto(`${opened.origin}/#token=${token}`);
    await page.waitForSelector(seen);
    times.push(performance.now() - started);
    await page.context().close();
  }
  return times;
}

async function measureReal() {
  const opened = await open(projects.projectOf("real"));
  const [first, ...next] = await firstView(opened, ".root-line");
  row("91 days: first view, server just started", first, "ms", 1_000);
  row("91 days: first view", median(next), "ms", 1_000);
  await clicks(opened, "91 days", 100);
  await opened.close();
}

/** Waits until the page has asked for everything that it asks for by itself, as while a person reads. */
async function atRest(page) {
  const running = new Set();
  const started = performance.now();
  let last = started;
  const begins = (request) => {
    if (request.url().endsWith("/v1/changes")) return;
    running.add(request);
    last = performance.now();
  };
  const ends = (request) => {
    if (running.delete(request)) last = performance.now();
  };
  const events = [
    ["request", begins],
    ["requestfinished", ends],
    ["requestfailed", ends],
  ];
  for (const [event, listener] of events) page.on(event, listener);
  while ((running.size > 0 || performance.now() - last < 1_500) && performance.now() - started < 120_000)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const [event, listener] of events) page.off(event, listener);
}

async function clicks(opened, name, bound) {
  const page = await pageAt(opened, "now");
  await atRest(page);
  /** Clicks on 8 of the elements, or on those with these indices, in this view. */
  const each = async (what, selector, isDone, chosen = undefined, view = undefined) => {
    if (view !== undefined) {
      await page.evaluate(`location.hash = '#/${view}'`);
      await settled(page);
    }
    const found = await page.locator(selector).count();
    const times = [];
    for (const at of chosen ?? Array.from({ length: Math.min(8, found) }, (_, at) => Math.floor((at * found) / 8)))
      times.push(await click(page, selector, at, isDone));
    if (times.length === 0) throw new Error(`${what}: nothing to click`);
    row(`${name}: ${what}`, median(times), "ms", bound);
  };
  await each(
    "a line of ROOT.md, to its source lines",
    "button.root-line",
    `element.ariaPressed === 'true' && ${answered} && document.querySelector('.detail .raw') !== null`,
  );
  for (const view of ["tree", "topics", "sessions", "threads", "health", "search", "now"])
    await each(
      `the view ${view}`,
      `nav a[href='#/${view}']`,
      `location.hash.startsWith('#/${view}') && document.querySelector('main .heading') !== null && ${answered}`,
      [0],
    );
  await each(
    "a day of the calendar, to its node",
    "button.day[data-day]",
    `element.ariaPressed === 'true' && ${answered}`,
    undefined,
    "tree",
  );
  await each(
    "a topic, to what is known of it",
    ".topic-row",
    `element.ariaPressed === 'true' && ${answered}`,
    undefined,
    "topics",
  );
  for (const at of [1, 2, 3])
    await each(
      `a tab of Health, ${["checks", "models", "forget"][at - 1]}`,
      "[role=tab]",
      `element.ariaSelected === 'true' && ${answered}`,
      [at],
      "health",
    );
  await page.evaluate("location.hash = '#/tree?tab=time'");
  await settled(page);
  await atRest(page);
  const steps = [];
  for (let step = 0; step < 5; step += 1) {
    steps.push(await click(page, "button[aria-label='As of: a day earlier']", 0, stepped));
    await atRest(page);
  }
  row(`${name}: the memory as of a day earlier`, median(steps), "ms", bound);
  const compare = ".time > button";
  row(
    `${name}: two days compared`,
    await click(page, compare, 0, `location.hash.includes('with=') && ${answered}`),
    "ms",
    bound,
  );
  row(`${name}: memory of the page, JavaScript`, await memoryOf(page), "MB", 150);
  row(`${name}: memory of the page, its process`, rendererMemory(), "MB");
  await page.context().close();
}

/** Frames while a list is scrolled from its start to its end in two seconds. */
async function scroll(page, selector, name) {
  const frames = await page.evaluate(async (selector) => {
    const list = document.querySelector(selector) ?? document.scrollingElement;
    const times = [];
    let last = performance.now();
    const started = last;
    for (;;) {
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
      const part = (now - started) / 2_000;
      if (part >= 1) return times;
      list.scrollTop = part * (list.scrollHeight - list.clientHeight);
    }
  }, selector);
  const sorted = frames.slice(1).sort((a, b) => a - b);
  row(`${name}: 95 of 100 frames within`, sorted[Math.floor(sorted.length * 0.95)], "ms", 50);
  row(`${name}: the longest frame`, sorted.at(-1), "ms");
}

async function measureYears() {
  const days = Number(values.days);
  const opened = await open(projects.projectOf(days));
  const name = `${days} days`;
  row(`${name}: first view`, median(await firstView(opened, ".root-line")), "ms");
  await clicks(opened, name);
  const page = await pageAt(opened, "tree");
  await scroll(page, ".none", `${name}: the calendar scrolls`);
  row(`${name}: memory of the page with the calendar`, await memoryOf(page), "MB", 150);
  await opened.close();
}

async function measureThread() {
  const messages = Number(values.messages);
  const folder = join(work, `thread-${messages}`);
  if (!existsSync(folder)) makeThread(folder, messages);
  const opened = await open(folder);
  const page = await pageAt(opened, "threads?thread=long");
  await page.waitForSelector(".long-list");
  const name = `a thread of ${messages.toLocaleString("en")} messages`;
  await scroll(page, ".long-list", `${name} scrolls`);
  row(`${name}: memory of the page`, await memoryOf(page), "MB", 150);
  row(`${name}: memory of the page, its process`, rendererMemory(), "MB");
  await opened.close();
}

function makeThread(folder, messages) {
  const run = (args, input) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args, "-C", folder], {
      input,
      env: projects.env,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`heartwood ${args.join(" ")}: ${stderr}`);
  };
  mkdirSync(folder, { recursive: true });
  run(["init", "--platform", "plain"]);
  run(["thread", "create", "--id", "long", "--title", "A long conversation"]);
  for (let from = 0; from < messages; from += 50_000) {
    const lines = Array.from({ length: Math.min(50_000, messages - from) }, (_, at) => {
      const actor_id = at % 2 === 0 ? "user" : "assistant";
      return `${JSON.stringify({ actor_id, content: `Message ${from + at + 1}: ${"what was said in it ".repeat((at % 7) + 1)}` })}\n`;
    });
    run(["thread", "append", "long", "--batch", "--actor", "user", "--origin", "bench"], lines.join(""));
  }
  run(["thread", "compact", "long", "--max-new-checkpoints", "8", "--actor", "user", "--origin", "bench"]);
}

function write() {
  const page = fileURLToPath(new URL("page.md", import.meta.url));
  const table = rows.map(({ name, value, unit, bound }) => {
    const limit = bound === undefined ? "" : `${bound} ${unit}${value <= bound ? "" : ", **not met**"}`;
    return `| ${name} | ${value.toFixed(unit === "MB" ? 0 : 1)} ${unit} | ${limit} |`;
  });
  const text = readFileSync(page, "utf8");
  const [start, end] = ["<!-- figures -->", "<!-- end -->"];
  const inside = ["", "", "| what | figure | bound |", "|---|--:|--:|", ...table, ""].join("\n");
  writeFileSync(page, text.replace(new RegExp(`${start}[^]*${end}`, "u"), `${start}${inside}${end}`));
}
