// Measures the MCP server: time to its first response in both eras of the protocol, minus `node -e 0`; time to the first tool result; and its memory use
// after many recalls. Usage: node bench/mcp.mjs [--shared DIR] [--runs N] [--calls N]. Exit status 1 if a bound is missed.
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { median, program, report, repository, runNode, temporaryFolder } from "./harness.mjs";
import { call, clientInfo, initialize, serve } from "./mcp-server.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const runs = Number(option("--runs") ?? 15);
const calls = Number(option("--calls") ?? 400);
const corpus = join(shared, "data", "memaware", "corpus");
const holds = [];

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": clientInfo,
};
const discover = { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: envelope } };
if (!existsSync(corpus)) console.log(`SKIPPED: there is no corpus at ${corpus}; give its folder with --shared DIR`);
else await measure();
process.exitCode = holds.every(Boolean) ? 0 : 1;

async function measure() {
  const dir = join(temporaryFolder(), "corpus");
  cpSync(corpus, join(dir, "memory"), { recursive: true });
  runNode([program, "index", "--dir", dir, "--today", "2023-07-01", "--time-zone", "UTC"]);
  for (const [era, first] of [
    ["initialize", initialize],
    ["server/discover", discover],
  ]) {
    const seconds = await inTurns(dir, [first]);
    holds.push(report(`start to first answer, ${era}`, seconds * 1000, 150, "ms"));
  }
  const status = [initialize, { jsonrpc: "2.0", method: "notifications/initialized" }, call(1, "memory_status", {})];
  const seconds = await inTurns(dir, status);
  console.log(`      start to the answer of memory_status: ${(seconds * 1000).toFixed(0)} ms`);
  await manyRecalls(dir);
}

/** The median time until the last of these messages is answered, minus `node -e 0`, run alternately. */
async function inTurns(dir, messages) {
  const differences = [];
  for (let run = 0; run < runs; run++) {
    const bare = runNode(["-e", "0"]).seconds;
    const started = performance.now();
    const server = serve(dir);
    for (const message of messages) server.send(message);
    const wanted = messages.filter(({ id }) => id !== undefined).length;
    for (let answered = 0; answered < wanted; answered++) await server.answer();
    differences.push((performance.now() - started) / 1000 - bare);
    await server.end();
  }
  return median(differences);
}

async function manyRecalls(dir) {
  const questions = readFileSync(join(shared, "data/memaware/dev.questions.jsonl"), "utf8").trim().split("\n");
  const server = serve(dir);
  server.send(initialize);
  await server.answer();
  const took = [];
  for (let at = 0; at < calls; at++) {
    const { question } = JSON.parse(questions[at % questions.length]);
    const started = performance.now();
    server.send(call(at + 2, "memory_recall", { text: question }));
    await server.answer();
    took.push(performance.now() - started);
  }
  console.log(`      memory_recall, warm, median of ${calls}: ${median(took).toFixed(1)} ms`);
  console.log(`      memory of the server (RSS) then: ${server.memory()?.toFixed(0) ?? "?"} MB`);
  await server.end();
}
