import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSeededRandom } from "../../src/testing/index.ts";
import { trustFolders } from "../fixtures/trusted.ts";
import { bin, logs } from "./served.ts";

/** Whatever is on its standard input, the server keeps running, writes only JSON-RPC, and does not change the memory. */
const frames = Number(process.env["HEARTWOOD_FRAMES"] ?? (process.env["CI"] === undefined ? 2_000 : 10_000));
const base = mkdtempSync(join(tmpdir(), "heartwood-fuzz-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Random = ReturnType<typeof createSeededRandom>;

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
};

const readers = ["memory_recall", "memory_search", "memory_read", "memory_status", "memory_trace", "memory_compact"];
const methods = [
  "tools/call",
  "tools/list",
  "resources/read",
  "resources/list",
  "ping",
  "server/discover",
  "initialize",
  "nonsense",
];
const texts = [
  "",
  "payments",
  "ROOT",
  "../../etc/passwd",
  "\u0000",
  "{}",
  "2026-03-02",
  "thread:x:1",
  "限流",
  "\ud800",
  "x".repeat(5000),
  "__proto__",
  "constructor",
];

function anyValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 6 : 8);
  if (kind === 0) return null;
  if (kind === 1) return random.below(2) === 0;
  if (kind === 2) return random.below(1000) - 500;
  if (kind === 3) return 1e308 * random.below(3);
  if (kind < 6) return texts[random.below(texts.length)];
  const many = random.below(4);
  if (kind === 6) return Array.from({ length: many }, () => anyValue(random, depth + 1));
  const keys = ["text", "query", "place", "limit", "dry_run", "name", "arguments", "_meta", "uri", "cursor"];
  return Object.fromEntries(
    Array.from({ length: many }, () => [keys[random.below(keys.length)], anyValue(random, depth + 1)]),
  );
}

function frame(random: Random, id: number): Buffer {
  const message: Record<string, unknown> = {
    jsonrpc: random.below(20) === 0 ? "1.0" : "2.0",
    id: random.below(30) === 0 ? anyValue(random) : id,
    method: methods[random.below(methods.length)],
    params:
      random.below(3) === 0
        ? anyValue(random)
        : {
            name: readers[random.below(readers.length)],
            arguments: anyValue(random),
            uri: texts[random.below(texts.length)],
          },
  };
  if (random.below(15) === 0) delete message["id"];
  if (random.below(25) === 0) message["result"] = anyValue(random);
  const bytes = Buffer.from(JSON.stringify(message));
  const damage = random.below(12);
  if (damage === 0) return bytes.subarray(0, random.below(bytes.length));
  if (damage === 1) bytes[random.below(bytes.length)] = random.below(256);
  if (damage === 2) return Buffer.concat([bytes, bytes]);
  if (damage === 3) return Buffer.from("[".repeat(random.below(3000)));
  return bytes;
}

describe("a server with arbitrary input", () => {
  it(`answers the same after ${frames} frames as before`, async () => {
    for (const [path, text] of Object.entries(logs)) {
      mkdirSync(join(base, "memory"), { recursive: true });
      writeFileSync(join(base, path), text);
    }
    trustFolders(base, base);
    const child = spawn(process.execPath, [bin, "mcp", "--dir", base, "--today", "2026-03-24", "--time-zone", "UTC"], {
      env: { PATH: process.env["PATH"], HOME: base, TZ: "UTC" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const lines: string[] = [];
    let rest = "";
    const last = 1_000_000;
    const answered = new Promise<void>((resolve) => {
      child.stdout.on("data", (bytes: Buffer) => {
        const parts = (rest + bytes.toString("utf8")).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
        if (parts.some((line) => line.includes(`"id":${last}`))) resolve();
      });
    });
    const send = async (bytes: Buffer | string): Promise<void> => {
      if (!child.stdin.write(bytes)) await new Promise((resolve) => child.stdin.once("drain", resolve));
    };
    const seed = 20_260_324;
    const random = createSeededRandom(seed);
    await send(
      `${JSON.stringify(initialize)}\n${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
    );
    for (let sent = 1; sent <= frames; sent += 1) await send(Buffer.concat([frame(random, sent), Buffer.from("\n")]));
    const params = { name: "memory_search", arguments: { query: "token bucket" } };
    await send(`${JSON.stringify({ jsonrpc: "2.0", id: last, method: "tools/call", params })}\n`);
    await Promise.race([answered, ended]);
    expect(child.exitCode).toBe(null);
    expect(lines.at(-1)).toContain("memory/2026-03-02.md");
    for (const line of lines) expect((JSON.parse(line) as { readonly jsonrpc?: unknown }).jsonrpc).toBe("2.0");
    // Every complete request with an id is answered.
    expect(lines.length).toBeGreaterThan(frames / 3);
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(readdirSync(join(base, "memory")).toSorted()).toEqual(Object.keys(logs).map((path) => path.slice(7)));
    for (const [path, text] of Object.entries(logs)) expect(readFileSync(join(base, path), "utf8")).toBe(text);
  });
});
