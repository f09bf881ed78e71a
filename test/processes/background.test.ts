import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createNodeBackground } from "../../src/platform/commands.ts";

const dir = mkdtempSync(join(tmpdir(), "heartwood-background-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Writes its arguments to the file named first, after a number of milliseconds. */
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

it("arguments are passed unchanged, in the project folder, without the client's hook variables", async () => {
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

it("the started process continues after its parent ended", async () => {
  const adapter = pathToFileURL(join(import.meta.dirname, "..", "..", "src", "platform", "commands.ts")).href;
  const code = `const { createNodeBackground } = await import(${JSON.stringify(adapter)});
await createNodeBackground(${JSON.stringify({ dir, program })}).start([${JSON.stringify(join(dir, "b.json"))}, "400"]);`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect((await written("b.json")).words).toEqual([]);
});

it("reports if nothing could be started", async () => {
  const background = createNodeBackground({ dir: join(dir, "gone"), program });
  expect(await background.start(["x"])).toBe("failed");
});
