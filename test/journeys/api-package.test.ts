import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The library as a program imports it: the declarations and dist/, under the package name. */
const repository = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-api-")));
const state = join(folder, "state");
const typescript = join(repository, "node_modules/typescript/bin/tsc");

beforeAll(() => {
  const installed = join(folder, "node_modules/heartwood");
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  mkdirSync(installed);
  cpSync(join(repository, "package.json"), join(installed, "package.json"));
  cpSync(join(repository, "dist"), join(installed, "dist"), { recursive: true });
  symlinkSync(join(repository, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  symlinkSync(join(repository, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
  const config = join(repository, "tools/tsconfig.types.json");
  const made = run(typescript, "-p", config, "--outDir", join(installed, "dist/types"));
  expect(made.stdout).toBe("");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...words: readonly string[]) {
  const env = { ...process.env, XDG_STATE_HOME: state, HEARTWOOD_TODAY: "2026-03-16", NO_COLOR: "1" };
  return spawnSync(process.execPath, words, { cwd: folder, env, encoding: "utf8" });
}

/** Compile errors of a program and the declarations under the strictest settings that a user may have. */
function errorsOf(name: string, program: string): string {
  writeFileSync(join(folder, name), program);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];
  return run(typescript, "--noEmit", "--module", "nodenext", "--target", "es2022", ...strict, "--types", "node", name)
    .stdout;
}

describe("the example of the README", () => {
  const readme = readFileSync(join(repository, "README.md"), "utf8");
  const example = /```ts\n(import \{ openMemory \} [^]*?)```/u.exec(readme)?.[1] ?? "";

  test("compiles", () => {
    expect(example).toContain("openMemory({ dir })");
    expect(errorsOf("example.ts", example)).toBe("");
  });

  test("runs and finds what it logged", () => {
    const init = 'import { openMemory } from "heartwood"; await (await openMemory({ dir: ".", create: true })).init();';
    writeFileSync(join(folder, "init.mjs"), init);
    expect(run("init.mjs").stderr).toBe("");
    const printed = "console.log(JSON.stringify({ passages, rendered: context.rendered }));\n";
    writeFileSync(join(folder, "ran.ts"), example + printed);
    const { status, stdout, stderr } = run("--disable-warning=ExperimentalWarning", "ran.ts");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const { passages, rendered } = JSON.parse(stdout) as {
      readonly passages: readonly { readonly text: string; readonly ageDays: number }[];
      readonly rendered: readonly { readonly role: string; readonly content: string }[];
    };
    expect(passages[0]).toMatchObject({ text: expect.stringContaining("token bucket") as string, ageDays: 0 });
    expect(rendered.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("Ship on Friday") as string,
    });
  });
});

test("an uncaught error shows a line of the program, not a page of code", () => {
  writeFileSync(
    join(folder, "fails.mjs"),
    'import { openMemory } from "heartwood"; await openMemory({ dir: "none" });',
  );
  const { status, stderr } = run("fails.mjs");
  expect(status).toBe(1);
  expect(stderr).toContain("does not exist; set --dir to an existing project folder");
  expect(Math.max(...stderr.split("\n").map((line) => line.length))).toBeLessThan(500);
});

test("results have the types that their options select, and unknown names do not compile", () => {
  const program = `
import { MemoryError, openMemory, type Memory, type Thread } from "heartwood";
import type { Files, ThreadStore } from "heartwood/ports";
import { openContext, operations } from "heartwood/operations";
const memory: Memory = await openMemory();
const cap: number = (await memory.root({ maxTokens: 1500 })).lines.length;
const reasons: readonly string[] = (await memory.root({ dropped: true })).dropped.map((line) => line.reason);
const thread: Thread = await memory.threads.create();
const text: string = (await memory.threads.compile(thread.id, { render: "text" })).rendered;
const nothing: null = (await memory.threads.compile(thread.id)).rendered;
const roles: string[] = (await memory.threads.compile(thread.id, { render: "openai" })).rendered.map(({ role }) => role);
for await (const line of memory.threads.events(thread.id, { signal: AbortSignal.timeout(1) })) line.trim();
const files: Files = (await openContext()).files;
const names: readonly string[] = operations.map(({ name }) => name);
const ages: readonly (number | null)[] = (await memory.search("x", { in: ["raw"] })).hits.map((hit) => hit.ageDays);
// @ts-expect-error the wire's name
await memory.compact({ dry_run: true });
// @ts-expect-error no such type of memory
await memory.log.add({ topic: "x", type: "note" });
// @ts-expect-error an actor is needed
await memory.threads.append(thread.id, { content: "x" });
export { cap, reasons, text, nothing, roles, files, names, ages, MemoryError, type ThreadStore };
`;
  expect(errorsOf("uses.ts", program)).toBe("");
});

test("docs/api.md is what tools/api-reference.mjs writes", () => {
  expect(run(join(repository, "tools/api-reference.mjs"), "--check").stderr).toBe("");
});
