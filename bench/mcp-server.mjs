// Shared by the benchmarks of the MCP server: messages of a client, and a server that runs.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { program } from "./harness.mjs";

export const clientInfo = { name: "bench", version: "1" };
export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
};
export const call = (id, name, args) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

/** Starts a server for the memory in `dir`, with these tools listed. */
export function serve(dir, { tools = "memory" } = {}) {
  const child = spawn(
    process.execPath,
    [program, "mcp", "--trust", "--tools", tools, "--dir", dir, "--today", "2023-07-01", "--time-zone", "UTC"],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { PATH: process.env.PATH, HOME: dir },
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    answer: async () => {
      const { value } = await lines.next();
      const answer = JSON.parse(value);
      if (answer.error !== undefined || answer.result?.isError === true) throw new Error(value);
      return answer;
    },
    /** Its RSS in MB; `undefined` where that is not known. */
    memory: () => {
      const path = `/proc/${child.pid}/status`;
      if (!existsSync(path)) return undefined;
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(path, "utf8"))?.[1]) / 1024;
    },
    end: () =>
      new Promise((done) => {
        child.once("close", done);
        child.stdin.end();
      }),
  };
}
