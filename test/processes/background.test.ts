import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createNodeBackground } from "../../src/platform/background.ts";

const dir = mkdtempSync(join(tmpdir(), "heartwood-background-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Writes what it was given into the file named first, after so many milliseconds. */
const program = join(dir, "program.mjs");
writeFileSync(
  program,
  `import { writeFileSync } from "node:fs";
const [file, ms, ...words] = process.argv.slice(2);
setTimeout(() => writeFileSync(file, JSON.stringify({ words, cwd: process.cwd(), env: process.env, out: process.stdout.constructor.name })), Number(ms));`,
);

interface Wrote {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function written(name: string): Promise<Wrote> {
  const file = join(dir, name);
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8") !== "", { timeout: 600_000 }).toBe(true);
  return JSON.parse(readFileSync(file, "utf8")) as Wrote;
}

it("words arrive as they are, in the project folder, without what a client sets for its hooks", async () => {
  process.env["CLAUDE_CODE_SESSION_ID"] = "s";
  process.env["NODE_OPTIONS_KEPT"] = "x";
  process.env["HEARTWOOD_TODAY"] = "2026-03-24";
  const background = createNodeBackground({ dir, program });
  expect(await background.start([join(dir, "a.json"), "0", "$(touch x) ; a b", "--dir"])).toBe("started");
  const { words, cwd, env } = await written("a.json");
  for (const name of ["CLAUDE_CODE_SESSION_ID", "NODE_OPTIONS_KEPT", "HEARTWOOD_TODAY"]) delete process.env[name];
  expect([words, cwd]).toEqual([["$(touch x) ; a b", "--dir"], dir]);
  expect(env).toMatchObject({ HEARTWOOD_TODAY: "2026-03-24", PATH: process.env["PATH"] });
  expect(Object.keys(env).filter((name) => name.startsWith("CLAUDE") || name.startsWith("NODE_"))).toEqual([]);
});

it("what it started goes on when its own process has ended", async () => {
  const adapter = pathToFileURL(join(import.meta.dirname, "..", "..", "src", "platform", "background.ts")).href;
  const code = `const { createNodeBackground } = await import(${JSON.stringify(adapter)});
await createNodeBackground(${JSON.stringify({ dir, program })}).start([${JSON.stringify(join(dir, "b.json"))}, "400"]);`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect((await written("b.json")).words).toEqual([]);
});

it("waits for the end of what it runs, as long as it may", async () => {
  const background = createNodeBackground({ dir, program });
  expect(await background.run([join(dir, "c.json"), "0"], 10_000)).toEqual({ state: "ended", status: 0, said: "" });
  expect(existsSync(join(dir, "c.json"))).toBe(true);
  expect(await background.run([join(dir, "d.json"), "1500"], 50)).toEqual({ state: "goes on" });
  expect((await written("d.json")).words).toEqual([]);
});

it("says that nothing could be started", async () => {
  const background = createNodeBackground({ dir: join(dir, "gone"), program });
  expect(await background.start(["x"])).toBe("failed");
  expect(await background.run(["x"], 1_000)).toEqual({ state: "failed" });
});

/** A program of these lines. */
function running(name: string, code: string): ReturnType<typeof createNodeBackground> {
  const file = join(dir, name);
  writeFileSync(file, code);
  return createNodeBackground({ dir, program: file });
}

it("tells the status and what was said on standard error, and nothing of standard output", async () => {
  const background = running("says.mjs", `console.log("out"); console.error("厨房 failed"); process.exitCode = 3;`);
  expect(await background.run([], 10_000)).toEqual({ state: "ended", status: 3, said: "厨房 failed\n" });
});

it("has the program name the code of its failure", async () => {
  const background = running("codes.mjs", `console.error(process.env.HEARTWOOD_ERROR_CODES);`);
  expect(await background.run([], 10_000)).toMatchObject({ said: "1\n" });
});

it("tells of a signal that ended it", async () => {
  const background = running("killed.mjs", `process.kill(process.pid, "SIGKILL");`);
  expect(await background.run([], 10_000)).toEqual({ state: "ended", status: undefined, said: "" });
});

it("keeps the end of what was said, at most 4 KiB and no half of a character", async () => {
  const background = running("much.mjs", `process.stderr.write("厨".repeat(200_000) + "\\nthe end");`);
  const run = await background.run([], 10_000);
  const said = run.state === "ended" ? run.said : "";
  expect(said.endsWith("厨\nthe end")).toBe(true);
  expect(Buffer.byteLength(said)).toBeLessThanOrEqual(4096);
  expect(Buffer.byteLength(said)).toBeGreaterThan(4000);
  expect(said).not.toContain("\uFFFD");
});

/** A process that ends after this test alone. */
const untilRemoved = `setInterval(() => require("node:fs").existsSync(${JSON.stringify(dir)}) || process.exit(), 50)`;

it("does not wait for what keeps the standard error of a process that has ended", async () => {
  const code = `import { spawn } from "node:child_process";
console.error("before");
spawn(process.execPath, ["-e", ${JSON.stringify(untilRemoved)}], { stdio: "inherit", detached: true }).unref();`;
  expect(await running("parent.mjs", code).run([], 600_000)).toEqual({ state: "ended", status: 0, said: "before\n" });
});
