import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, describe, expect, test } from "vitest";
import { endOf } from "../fixtures/built-program.ts";
import { trustFolders } from "../fixtures/trusted.ts";
import { folderWith } from "./raw.ts";
import { bin, logs } from "./served.ts";

const dir = folderWith(logs);
trustFolders(dir, dir);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const started = (words: readonly string[], stdin = "") => {
  const env = { PATH: process.env["PATH"], HOME: dir, TZ: "UTC" };
  return endOf(spawn(process.execPath, [bin, ...words], { cwd: tmpdir(), env }), stdin);
};

/** A client that asks for the memory's status and then closes. */
const asking = [
  {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/call", params: { name: "memory_status", arguments: {} } },
]
  .map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`)
  .join("");

describe("heartwood mcp on the command line", () => {
  test.each([
    [["mcp", "-C", dir]],
    [["mcp", `-C${dir}`]],
    [["mcp", `--dir=${dir}`, "--quiet", "--today", "2026-03-24", "--time-zone=UTC"]],
    [["-C", dir, "mcp"]],
    [[`-C${dir}`, "--quiet", "mcp", "--tools", "threads"]],
    [["--today", "2026-03-24", "--time-zone", "UTC", `--dir=${dir}`, "mcp"]],
  ])("serves the folder named by %j", async (words) => {
    const { status, out, err } = await started(words, asking);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toContain(String.raw`\"last\":\"2026-03-23\"`);
  });

  test.each([[["mcp", "--json"]], [["--json", "mcp"]], [["mcp", "-C", dir, "--json"]]])(
    "%j reports an error as a document",
    async (words) => {
      const { status, out } = await started(words);
      expect(status).toBe(2);
      expect(JSON.parse(out)).toMatchObject({ error: { code: "usage", message: expect.stringMatching(/JSON-RPC/u) } });
    },
  );

  test.each([[["mcp", "--help"]], [["help", "mcp"]], [["-C", dir, "mcp", "--help"]]])(
    "%j shows its help",
    async (words) => {
      const { status, out } = await started(words);
      expect(status).toBe(0);
      expect(out).toMatch(/Usage: heartwood mcp [^]*--tools <LIST>[^]*-C, --dir <DIR>/u);
    },
  );

  test.each([
    [["mcp", "--colour"], /--colour/u],
    [["--colour", "mcp"], /--colour/u],
    [["mcp", "serve"], /serve/u],
    [["-C", dir, "mcp", "--tools", "x"], /--tools contains "x"/u],
  ])("%j is a usage error", async (words, sentence) => {
    const { status, out, err } = await started(words);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(sentence);
    expect(err.trim().split("\n").length).toBe(1);
  });
});
