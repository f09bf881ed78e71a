// Measures how long a client waits for each hook on a memory of 91 days of conversations: process time minus `node -e 0`, run alternately.
// Usage: node bench/hooks.mjs [--shared DIR] [--corpus DIR] [--runs N]   Exit status 1 if a bound is missed.
// --corpus: a folder of daily logs (default: data/memaware/corpus in --shared).
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { program, repository, runNode, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const corpus = resolve(option("--corpus") ?? join(shared, "data", "memaware", "corpus"));
const questionsFile = join(corpus, "..", "dev.questions.jsonl");
const runs = Number(option("--runs") ?? 20);
const today = "2023-07-01";
const bound = 150;
const session = "8f14e45f-ceea-467f-9f5c-1b7a0c2d3e4f";
const temporaryHome = temporaryFolder();
let missed = 0;
let fired = 0;

if (!existsSync(corpus)) console.log(`SKIPPED: there is no corpus at ${corpus}; give its folder with --corpus DIR`);
else await measure();
process.exitCode = missed > 0 ? 1 : 0;

async function measure() {
  const dir = join(temporaryFolder(), "project");
  cpSync(corpus, join(dir, "memory"), { recursive: true });
  for (const command of ["init", "compact", "index"])
    runNode([program, command, "--quiet", "--dir", dir, "--today", today, "--time-zone", "UTC"]);
  const prompts = promptsOf();
  console.log(
    `91 days, ${runs} runs of each (load ${loadavg()[0].toFixed(1)}); ms over node -e 0, which is timed in turns`,
  );
  await figure(dir, "claude-code SessionStart, ROOT.md not rendered yet", () => [
    "claude-code",
    "SessionStart",
    { source: "compact" },
  ]);
  await prepared(dir);
  for (const client of ["claude-code", "codex"])
    await figure(dir, `${client} SessionStart`, () => [client, "SessionStart", { source: "compact" }]);
  await figure(dir, "claude-code UserPromptSubmit", (run) => [
    "claude-code",
    "UserPromptSubmit",
    { prompt: prompts[run % prompts.length] },
  ]);
  await figure(dir, "claude-code UserPromptSubmit, nothing to say", () => [
    "claude-code",
    "UserPromptSubmit",
    { prompt: "ok, go on" },
  ]);
  for (const event of ["Stop", "PreCompact", "SessionEnd"])
    await figure(dir, `claude-code ${event}`, () => ["claude-code", event, {}]);
  console.log(`load at the end ${loadavg()[0].toFixed(1)}`);
}

/** Waits until upkeep has rendered ROOT.md for the limits of both clients. */
async function prepared(dir) {
  timed([program, "trust", dir], "");
  for (const client of ["claude-code", "codex"]) {
    fire(dir, client, "SessionStart", { source: "startup" });
    const from = Date.now();
    while (Date.now() - from < 60_000 && !isRendered(dir, client)) await sleep(200);
    await sleep(2000);
  }
}

function isRendered(dir, client) {
  const limits = client === "codex" ? "9200c-2300t" : "9500c";
  return Array.from({ length: 25 }, (_, step) =>
    join(dir, ".heartwood/cache", `hook-root-${limits}-${step}.json`),
  ).some(existsSync);
}

function promptsOf() {
  if (!existsSync(questionsFile))
    return ["What did I say about the kitchen renovation?", "Which restaurants did I like in Paris?"];
  return readFileSync(questionsFile, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).question);
}

async function figure(dir, name, call) {
  const times = [];
  for (let run = 0; run < runs; run++) {
    const bare = timed(["-e", "0"], "");
    const [client, event, more] = call(run * 37);
    times.push(fire(dir, client, event, more) - bare);
    // Wait for the hook's background work, so it does not slow down the next run.
    await sleep(event === "SessionStart" || event === "UserPromptSubmit" ? 0 : 1500);
  }
  times.sort((a, b) => a - b);
  const [half, late] = [times[Math.floor(runs / 2)], times[Math.min(runs - 1, Math.floor(runs * 0.95))]];
  if (late > bound) missed++;
  const shown = `median ${half.toFixed(0).padStart(4)}   95 of 100 ${late.toFixed(0).padStart(4)}`;
  console.log(`${late <= bound ? "met    " : "not met"}  ${name.padEnd(52)} ${shown}  (at most ${bound})`);
}

function fire(dir, client, event, more) {
  const input = {
    session_id: session,
    prompt_id: `p-${++fired}`,
    transcript_path: join(dir, "..", "transcript.jsonl"),
    cwd: dir,
    hook_event_name: event,
    ...more,
    // A new session each time, so ROOT.md is injected.
    ...(event === "SessionStart" ? { session_id: `${session}-${fired}` } : {}),
  };
  return timed([program, "hook", client, event], JSON.stringify(input));
}

function timed(args, input) {
  const env = { PATH: process.env.PATH, HOME: temporaryHome, TZ: "UTC", HEARTWOOD_TODAY: today };
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, input });
  if (status !== 0 || String(stderr) !== "") throw new Error(`node ${args.join(" ")}: ${status} ${stderr}`);
  return performance.now() - started;
}
