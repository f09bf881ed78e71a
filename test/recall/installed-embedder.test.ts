import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openMemory } from "../../src/open.ts";
import { installedPackage, isEmbedderOn } from "../../src/platform/program.ts";
import { chooseEmbedder } from "../../src/recall/index/embedding.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { readStatus } from "../../src/operations/status.ts";
import { runDoctor } from "../../src/operations/doctor.ts";
import { openTestMemory } from "../fixtures/memory.ts";

const base = mkdtempSync(join(tmpdir(), "heartwood-installed-"));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const name = "heartwood-embedder-minilm";

/** A package at this path whose code must not run. */
function writePackage(folder: string): void {
  for (const part of ["dist", "model"]) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, heartwood: { embedder: "own-1" } }));
  writeFileSync(join(folder, "dist", "index.cjs"), "throw new Error('loaded');");
  writeFileSync(join(folder, "model", "minilm.bin"), "");
}

const files = ["package.json", "dist/index.cjs", "model/minilm.bin"];

test("the package is found next to a global or a local heartwood, and only if it has all of its files", () => {
  const program = join(base, "lib", "node_modules", "heartwood");
  mkdirSync(program, { recursive: true });
  expect(installedPackage(name, files, program)).toBe(undefined);
  const beside = join(base, "lib", "node_modules", name);
  writePackage(beside);
  expect(installedPackage(name, files, program)).toEqual({
    folder: beside,
    facts: { name, heartwood: { embedder: "own-1" } },
  });
  rmSync(join(beside, "model"), { recursive: true });
  expect(installedPackage(name, files, program)).toBe(undefined);
  const below = join(program, "node_modules", name);
  writePackage(below);
  expect(installedPackage(name, files, program)?.folder).toBe(below);
});

test("it is used unless HEARTWOOD_EMBEDDER=off, but in a checkout only with HEARTWOOD_EMBEDDER=on", () => {
  const [installed, checkout] = [join(base, "installed"), join(base, "checkout")];
  mkdirSync(join(checkout, "packages"), { recursive: true });
  const isOn = (set: string) => {
    vi.stubEnv("HEARTWOOD_EMBEDDER", set);
    return [isEmbedderOn(installed), isEmbedderOn(checkout)];
  };
  expect([isOn(""), isOn("off"), isOn("on")]).toEqual([
    [true, false],
    [false, false],
    [true, true],
  ]);
});

test("a package in the project's folder is never used", async () => {
  vi.stubEnv("HEARTWOOD_EMBEDDER", "on");
  const dir = join(base, "project");
  mkdirSync(join(dir, "memory"), { recursive: true });
  writePackage(join(dir, "node_modules", name));
  vi.spyOn(process, "cwd").mockReturnValue(dir);
  const memory = await openMemory({ dir, consent: "given" });
  expect((await chooseEmbedder(memory)).embedder?.id).not.toBe("own-1");
  await memory.close();
  vi.restoreAllMocks();
});

test("`required` warns in recall, status and doctor with the command that installs it; `auto` says nothing", async () => {
  const project = (search: object) =>
    openTestMemory({ files: { "heartwood.config.json": JSON.stringify({ search }), "memory/2026-03-10.md": "- a\n" } });
  const { memory } = project({ vector: "required" });
  const sentence =
    /^search\.vector in heartwood\.config\.json is "required", but no embedding model is installed; install one: npm install .*heartwood-embedder-minilm$/u;
  const missing = { code: "embedder_missing", message: expect.stringMatching(sentence) };
  expect((await chooseEmbedder(memory)).warnings).toMatchObject([missing]);
  expect((await readStatus(memory)).warnings).toMatchObject([missing]);
  expect((await runDoctor(memory, {})).checks.find(({ message }) => sentence.test(message))?.state).toBe("problem");
  for (const search of [{}, { vector: true }, { vector: "auto" }, { vector: false }])
    expect((await chooseEmbedder(project(search).memory)).warnings).toEqual([]);
});

test("status and doctor show how many statements have a vector", async () => {
  const embed = async (texts: readonly string[]) => texts.map(() => Int8Array.of(127, 0));
  const embedder = { id: "own-1", open: async () => ({ id: "own-1", dimensions: 2, embed }) };
  const { memory } = openTestMemory({
    disk: "folder",
    files: { "memory/2026-03-10.md": "User: I bought a zebra in 2024.\n" },
    with: { embedder },
  });
  const doctor = async () => (await runDoctor(memory, {})).checks.filter((check) => check.name === "vectors");
  await runIndex(memory, {}, {});
  expect((await readStatus(memory)).vectors).toEqual({ embedder: "own-1", embeddable: 1, not_embedded: 1 });
  expect(await doctor()).toMatchObject([{ state: "note", fix: "heartwood index --embed" }]);
  await runIndex(memory, { embed: true }, {});
  expect((await readStatus(memory)).vectors).toMatchObject({ not_embedded: 0 });
  expect(await doctor()).toMatchObject([{ state: "ok", message: "1 statement, by own-1" }]);
  await memory.searchIndex.close();
});
