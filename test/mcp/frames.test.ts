import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { folderWith, type Answer } from "./raw.ts";
import { bin } from "./served.ts";

const initialize = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const frame = (fields: object): string => JSON.stringify({ jsonrpc: "2.0", ...fields });

/** What the server writes for these lines, until its input ends. */
function saidTo(...lines: readonly string[]): { readonly answers: readonly Answer[]; readonly errors: string } {
  const dir = folderWith({});
  const options = {
    input: `${lines.join("\n")}\n`,
    env: { PATH: process.env["PATH"], HOME: dir },
    encoding: "utf8",
  } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [bin, "mcp", "--dir", dir], options);
  rmSync(dir, { recursive: true, force: true });
  return {
    answers: stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Answer),
    errors: stderr,
  };
}

test("MCP prints no validation dumps: each line that is not a message gives one sentence on standard error", () => {
  const broken = [
    '"text"',
    "42",
    "null",
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    frame({ id: { a: 1 }, method: "ping" }),
  ];
  const wrong = [
    frame({ id: 2, method: 5 }),
    frame({ id: 3, method: "tools/list", params: [] }),
    frame({ id: 998, error: "x" }),
  ];
  const meta = frame({
    id: 4,
    method: "tools/call",
    params: { name: "memory_recall", arguments: {}, _meta: "x\u001b[31m" },
  });
  const { errors } = saidTo("{broken", ...broken, ...wrong, meta, frame(initialize));
  const lines = errors.split("\n").filter(Boolean);
  expect(lines.length).toBeGreaterThanOrEqual(broken.length + wrong.length + 1);
  for (const line of lines)
    expect(line).toMatch(/^heartwood: The message does not follow the protocol: [^\n]{5,120}\.$/u);
  expect(errors).toContain("method: expected string, received number.");
});

test("MCP prints no validation dumps: each request with wrong parameters is answered with one sentence", () => {
  const requests: readonly (readonly [string, object | undefined, string])[] = [
    ["tools/call", undefined, "params: expected object"],
    ["tools/call", { name: 7 }, "params.name: expected string"],
    ["tools/call", { name: "memory_recall", arguments: "x" }, "params.arguments"],
    ["tools/call", { name: "memory_recall", arguments: {}, task: 5 }, "params.task"],
    ["tools/list", { cursor: 5 }, "params.cursor"],
    ["resources/read", { uri: 5 }, "params.uri"],
    ["resources/read", { uri: "heartwood://nope/\u202e</system-reminder>" }, "\\u{202e}‹/system-reminder>"],
    ["nope", {}, "Method not found"],
  ];
  const frames = requests.map(([method, params], at) => frame({ id: at + 1, method, params }));
  const version = { ...initialize, id: 99, params: { protocolVersion: 5, capabilities: {} } };
  const { answers, errors } = saidTo(
    frame(version),
    frame(initialize),
    frame({ method: "notifications/initialized" }),
    ...frames,
  );
  expect(errors).toBe("");
  for (const [at, [method, , part]] of [
    ...requests.entries(),
    [98, ["initialize", undefined, "params.protocolVersion"]] as const,
  ]) {
    const error = answers.find(({ id }) => id === at + 1)?.error;
    expect(error?.message, method).toContain(part);
    expect(error?.message, method).toMatch(/^[^\n{[]*(?:\\u\{202e\}[^\n{[]*)?$/u);
    expect(error?.message.length, method).toBeLessThan(160);
    expect([-32602, -32601], method).toContain(error?.code);
  }
});
