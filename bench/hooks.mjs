// Measures how long a client waits for each hook, on 91 days of conversations and on ten years of logs: process time minus `node -e 0`, run alternately.
// Usage: node bench/hooks.mjs [--shared DIR] [--corpus DIR] [--runs N] [--embed]   Exit status 1 if a bound is missed.
// --corpus: a folder of daily logs (default: data/memaware/corpus in --shared). --embed: with packages/embedder-minilm (made and built before), on the 91 days alone; a prompt may then
// take 250 ms.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeDecade } from "./corpora/decade.mjs";
import { program, repository, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const corpus = resolve(option("--corpus") ?? join(shared, "data", "memaware", "corpus"));
const questionsFile = join(corpus, "..", "dev.questions.jsonl");
const runs = Number(option("--runs") ?? 20);
const today = "2023-07-01";
const isEmbedding = process.argv.includes("--embed");
const bound = isEmbedding ? 250 : 150;
const session = "8f14e45f-ceea-467f-9f5c-1b7a0c2d3e4f";
const temporaryHome = temporaryFolder();
let missed = 0;
let fired = 0;

if (!existsSync(corpus)) console.log(`SKIPPED: there is no corpus at ${corpus}; give its folder with --corpus DIR`);
else await measure();
process.exitCode = missed > 0 ? 1 : 0;

async function measure() {
  console.log(`${runs} runs of each (load ${loadavg()[0].toFixed(1)}); ms over node -e 0, which is timed in turns`);
  await figures("91 days", await memoryOf((dir) => cpSync(corpus, dir, { recursive: true })));
  if (!isEmbedding) await figures("10 years", await memoryOf((dir) => writeDecade(corpus, dir, { megabytes: 50 })));
  console.log(`load at the end ${loadavg()[0].toFixed(1)}`);
}

/** A trusted project with these logs, compacted and indexed. */
async function memoryOf(writeLogs) {
  const dir = join(temporaryFolder(), "project");
  mkdirSync(dir, { recursive: true });
  writeLogs(join(dir, "memory"));
  // All in one home: what another user made is not used, and hooks would answer from an empty index.
  for (const command of [["init"], ["compact"], isEmbedding ? ["index", "--embed"] : ["index"]])
    timed([program, ...command, "--quiet", "--dir", dir], "");
  timed([program, "trust", dir], "");
  return dir;
}

async function figures(name, dir) {
  const prompts = promptsOf();
  // After a compaction a session gets the whole text, and no upkeep is started.
  for (const client of ["claude-code", "codex"])
    await figure(dir, `${name}: ${client} SessionStart`, () => [client, "SessionStart", { source: "compact" }]);
  await figure(dir, `${name}: UserPromptSubmit, new session`, (run) => [
    "claude-code",
    "UserPromptSubmit",
    { prompt: prompts[run % prompts.length], session_id: `${session}-${run}` },
  ]);
  await figure(dir, `${name}: UserPromptSubmit, the same session`, (run) => [
    "claude-code",
    "UserPromptSubmit",
    { prompt: prompts[run % prompts.length] },
  ]);
  for (const prompt of ["ok, go on", "What is the capital of Australia?"])
    await figure(dir, `${name}: "${prompt}"`, () => ["claude-code", "UserPromptSubmit", { prompt }]);
  for (const event of ["Stop", "PreCompact", "SessionEnd"])
    await figure(dir, `${name}: ${event}`, () => ["claude-code", event, {}]);
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
  let answered = 0;
  for (let run = 0; run < runs; run++) {
    const bare = timed(["-e", "0"], "").ms;
    const [client, event, more] = call(run * 37);
    const { ms, text } = fire(dir, client, event, more);
    times.push(ms - bare);
    if (text !== "") answered++;
    // Wait for the hook's background work, so it does not slow down the next run.
    await sleep(event === "SessionStart" || event === "UserPromptSubmit" ? 0 : 1500);
  }
  times.sort((a, b) => a - b);
  const [half, late] = [times[Math.floor(runs / 2)], times[Math.min(runs - 1, Math.floor(runs * 0.95))]];
  if (late > bound) missed++;
  const shown = `median ${half.toFixed(0).padStart(4)}   95 of 100 ${late.toFixed(0).padStart(4)}`;
  const texts = `text in ${answered} of ${runs}`;
  console.log(`${late <= bound ? "met    " : "not met"}  ${name.padEnd(52)} ${shown}  (at most ${bound})  ${texts}`);
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
  if (isEmbedding) env.HEARTWOOD_EMBEDDER = "on";
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, input });
  const ms = performance.now() - started;
  if (status !== 0 || String(stderr) !== "") throw new Error(`node ${args.join(" ")}: ${status} ${stderr}`);
  return { ms, text: String(stdout) };
}
