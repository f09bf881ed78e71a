// Measures what the HTTP server adds to a call: the median time of a request to `heartwood serve`, minus the median of the same call of the library in this
// process, in turns. Usage: node bench/http.mjs [--shared DIR] [--runs N]. Exit status 1 if a bound is missed.
import { spawn } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, program, report, repository, runNode, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const runs = Number(option("--runs") ?? 200);
/** Milliseconds that the server may add at the median. */
const most = 3;
const warmUps = 20;

const corpus = join(shared, "data", "memaware", "corpus");
const [source, today, name] = existsSync(corpus)
  ? [corpus, "2023-07-15", "91 days"]
  : [join(repository, "samples", "memory"), "2026-03-22", "the samples"];
const dir = join(temporaryFolder(), "memory-of-bench");
cpSync(source, join(dir, "memory"), { recursive: true });
const where = ["--dir", dir, "--today", today, "--time-zone", "UTC"];
runNode([program, "compact", "--quiet", ...where]);
runNode([program, "index", "--quiet", ...where]);
const memory = await openMemory({ dir, today, timeZone: "UTC" });
const server = await serve();
const holds = [];
for (const [operation, input, call] of [
  ["memory.status", {}, () => memory.status()],
  ["tree.root", {}, () => memory.root()],
  ["tree.trace", { text: "ROOT:14" }, () => memory.trace("ROOT:14")],
  ["memory.search", { query: "plan" }, () => memory.search("plan")],
]) {
  const times = { here: [], there: [] };
  for (let run = -warmUps; run < runs; run++) {
    const here = await timed(call);
    const there = await timed(() => server.post(operation, input));
    if (run < 0) continue;
    times.here.push(here);
    times.there.push(there);
  }
  const [here, there] = [median(times.here), median(times.there)];
  holds.push(report(`${operation} over HTTP, ${name}: added at p50`, there - here, most, "ms"));
  console.log(`      ${here.toFixed(2)} ms in the process, ${there.toFixed(2)} ms over HTTP`);
}
server.end();
await memory.close();
process.exitCode = holds.every(Boolean) ? 0 : 1;

async function timed(call) {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

async function serve() {
  const child = spawn(process.execPath, [program, "serve", "--port", "0", ...where], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise((found, failed) => {
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("\n")) found(new URL(said.split("\n")[0]));
    });
    child.once("exit", () => failed(new Error("heartwood serve ended")));
  });
  const agent = new Agent({ keepAlive: true });
  const headers = {
    authorization: `Bearer ${address.hash.slice("#token=".length)}`,
    "content-type": "application/json",
  };
  return {
    post: (operation, input) =>
      new Promise((answered, failed) => {
        const options = {
          method: "POST",
          host: "127.0.0.1",
          port: address.port,
          path: `/v1/${operation}`,
          agent,
          headers,
        };
        const sent = request(options, (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
          response.once("end", () => {
            const { result, error } = JSON.parse(text);
            if (result === undefined) failed(new Error(`${operation}: ${error.message}`));
            else answered(result);
          });
        });
        sent.once("error", failed).end(JSON.stringify(input));
      }),
    end: () => {
      agent.destroy();
      child.kill();
    },
  };
}
