// The parts `threads` and `mcp` of bench/growth.mjs: appends and the first summary of a long thread beside bare SQLite, and the memory of a server that runs.
import { cpSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, program, runNode, temporaryFolder } from "./harness.mjs";
import { bounded, inTurns, shownTime, shownValue, table } from "./growth-measure.mjs";
import { call, initialize, serve } from "./mcp-server.mjs";
import { compactArgs, contentOf, fill } from "./threads-figures.mjs";
import { bareFile } from "./threads-measure.mjs";

const bare = fileURLToPath(new URL("growth-bare.mjs", import.meta.url));
const batch = 50_000;
const single = 2000;
const id = "bench";
const by = ["--actor", "bench", "--origin", "bench"];

export async function measureThreads(_projects, { runs, messages }) {
  const appended = measureBatch(runs);
  const alone = await measureSingle();
  const auto = await measureAuto(messages, Math.min(3, runs));
  const count = messages.toLocaleString("en");
  const lines = [
    [
      `batch append by CLI, ${batch.toLocaleString("en")} lines of 400 bytes`,
      shownTime(appended.ours),
      shownTime(appended.bare),
      ...bounded("batch append, of a bare SQLite insert", appended.bare.ms / appended.ours.ms, 0.5, { atLeast: true }),
    ],
    [
      `single append, median of ${single}`,
      shownValue(alone.ours),
      shownValue(alone.bare),
      ...bounded("single append, of a bare write + fsync", alone.bare / alone.ours, 0.9, { atLeast: true }),
    ],
    [
      `first auto on ${count} messages`,
      shownTime(auto.ours),
      shownTime(auto.bare),
      ...bounded("first auto, of reading and counting words", auto.ours.ms / auto.bare.ms, 2, { unit: " ×" }),
    ],
    [
      "its peak, MB",
      shownValue(auto.ours.peak),
      "",
      ...bounded("peak of the first auto", auto.ours.peak, 200, { unit: " MB" }),
    ],
  ];
  return `## Threads

Milliseconds in turns with the bare work, CPU time in parentheses. Bare are: one process that inserts the same rows into SQLite in one transaction; a write and an fsync of the same bytes; one process that reads the messages from SQLite and counts their words.

${table(["work", "heartwood", "bare", "measured", "bound", ""], lines)}
`;
}

function measureBatch(runs) {
  const folder = temporaryFolder();
  const file = join(folder, "lines.jsonl");
  const texts = Array.from({ length: batch }, (_, at) => JSON.stringify({ content: contentOf(at) }));
  writeFileSync(file, `${texts.join("\n")}\n`);
  const [dir, database] = [join(folder, "project"), join(folder, "bare.sqlite")];
  const env = { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" };
  const emptied = () => {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(join(dir, "memory"), { recursive: true });
    runNode([program, "-C", dir, "thread", "create", "--id", id, "--quiet"], { env });
  };
  const ours = {
    key: "ours",
    args: () => [program, "-C", dir, "thread", "append", id, "--batch", ...by, "--quiet"],
    options: () => ({ env, input: openSync(file) }),
    before: emptied,
  };
  const gone = () => {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
  };
  const found = inTurns([ours, { key: "bare", args: () => [bare, "insert", file, database], before: gone }], { runs });
  return Object.fromEntries(found);
}

/** One message after the other through the API, each in turns with a write and fsync of the line that is stored for it. */
async function measureSingle() {
  const dir = temporaryFolder();
  const { openMemory } = await import("../dist/index.js");
  const memory = await openMemory({ dir, create: true });
  await memory.threads.create({ id });
  const file = bareFile(join(dir, "bare"));
  const times = { ours: [], bare: [] };
  for (let at = 0; at < single; at++) {
    const message = { content: contentOf(at), actor: "user", origin: "bench" };
    const started = performance.now();
    await memory.threads.append(id, message);
    times.ours.push(performance.now() - started);
    times.bare.push(file.write(JSON.stringify({ ...message, id: "0".repeat(36), seq: at, timestamp_ms: Date.now() })));
  }
  file.close();
  await memory.close();
  return { ours: median(times.ours), bare: median(times.bare) };
}

async function measureAuto(messages, runs) {
  const { openContext } = await import("../dist/operations.js");
  const folder = temporaryFolder();
  // Its state is used only where it was made, so the store is copied away and back.
  const [dir, full] = [join(folder, "project"), join(folder, "full")];
  const memory = await openContext({ dir, folder: "prepared" });
  const created = { type: "continuity_created", payload: { workspace: "bench", title: null } };
  const frame = { id: memory.ids.next(), timestamp_ms: memory.clock.now(), ...created };
  await memory.threads.append({ thread_id: id, frames: [frame] });
  await fill(memory, id, 0, messages);
  await memory.close();
  cpSync(dir, full, { recursive: true });
  const copied = () => {
    rmSync(dir, { recursive: true, force: true });
    cpSync(full, dir, { recursive: true });
  };
  const stride = messages >= 1_000_000 ? 10_000 : messages / 100;
  const ours = { key: "ours", args: () => compactArgs(dir, id, stride), before: copied };
  const database = join(full, ".heartwood", "threads", "threads.sqlite");
  const found = inTurns([ours, { key: "bare", args: () => [bare, "count", database] }], { runs });
  return Object.fromEntries(found);
}

/** A server that answers mixed calls on the 91 days. */
export async function measureMcp(projects, { calls }) {
  const dir = join(temporaryFolder(), "project");
  projects.copyLogs("real", dir);
  runNode([program, "index", "--quiet", "--dir", dir], { env: { ...projects.env, HOME: dir } });
  const questions = readFileSync(join(projects.corpus, "..", "dev.questions.jsonl"), "utf8")
    .trim()
    .split("\n");
  const server = serve(dir, { tools: "memory,threads" });
  server.send(initialize);
  await server.answer();
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const ask = async (at, [name, args]) => {
    server.send(call(at + 2, name, args));
    await server.answer();
  };
  await ask(-1, ["thread_create", { thread_id: id }]);
  const first = Math.min(1000, calls / 10);
  const marks = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((share) => Math.round(first * share)).filter((at) => at <= calls);
  const sizes = new Map();
  for (let at = 1; at <= calls; at++) {
    const { question } = JSON.parse(questions[at % questions.length]);
    await ask(at, mixed(at, question));
    if (marks.includes(at)) sizes.set(at, server.memory());
  }
  await server.end();
  const growth = sizes.get(marks.at(-1)) / sizes.get(first);
  const row = ["RSS, MB", ...marks.map((at) => shownValue(sizes.get(at) ?? Number.NaN))];
  return `## A server that runs

Recalls (half of the calls), searches, reads, entries, appends to a thread and its context, on the 91 days.

${table(["calls", ...marks.map((at) => at.toLocaleString("en"))], [row])}

${table(["", "measured", "bound", ""], [["growth after " + first.toLocaleString("en") + " calls", ...bounded(`RSS of the server, ${marks.at(-1)} ÷ ${first} calls`, growth, 1.1)]])}
`;
}

function mixed(at, question) {
  const kind = at % 50;
  if (kind < 25) return ["memory_recall", { text: question }];
  if (kind < 36) return ["memory_search", { query: question.split(/\s+/u).slice(0, 4).join(" ") }];
  if (kind < 42) return ["memory_read", { place: "2023-05-20" }];
  if (kind < 43) return ["memory_log", { topic: `Call ${at}`, type: "project", body: `- decisions: call ${at} stays` }];
  if (kind < 47) return ["thread_append", { thread_id: id, actor_id: "user", origin: "bench", content: contentOf(at) }];
  return ["thread_compile", { thread_id: id }];
}
