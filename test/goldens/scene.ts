import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Memory } from "../../src/operations/operation.ts";
import { runCommandLine } from "../../src/surfaces/cli/run.ts";
import { type Host } from "../../src/surfaces/cli/terminal.ts";
import { createFakeTerminal } from "../fixtures/fake-terminal.ts";
import { createFakeDisk, fakePlaces, fakeShipped, type FakeDisk } from "../fixtures/client-files.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { noTrust } from "../fixtures/trusted.ts";
import { digestList } from "./golden.ts";

/** The repository's own sample logs, by path. */
export const samples = filesIn(join(import.meta.dirname, "../../samples"), "memory");

/** The folder with corpora that are not part of the repository. */
export const shared = process.env["HEARTWOOD_SHARED"] ?? join(import.meta.dirname, "../../../shared");

/** All files below a folder, by their path relative to `root`, sorted. */
export function filesIn(root: string, folder = "."): Readonly<Record<string, Uint8Array>> {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
  return Object.fromEntries(paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path))]));
}

/** A day after the last sample, so that months, weeks and days are over. */
export const sceneDay = "2026-04-08";

/** Samples with what else a folder has: hot files, knowledge, a late note, a name that is no day, secrets. */
export const sceneFiles: Readonly<Record<string, string | Uint8Array>> = {
  ...samples,
  "heartwood.config.json": "{}\n",
  "MEMORY.md":
    "# Memory\n\n## Accounts\n- GitHub account: acme-dev, default branch main\n- Deploy account: deploy-bot, read only\n\n" +
    "## Rules\n- Always run the linter\n- Always run the linter\n- Ask before a release\n",
  "WORKING.md": "# Working\n\n## Limiter\n- next: measure refused requests\n",
  "knowledge/limits.md": "# Limits\n\nThe bank has a limit of 30 calls a second for each merchant.\n",
  "memory/2026-03-24.md":
    "# 2026-03-24\n\n## Accounts\n- GitHub account: acme-dev, default branch main\n- Deploy account: deploy-bot, read only\n\n" +
    "## Keys [reference]\n- token: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
  "memory/2026-13-99.md": "# No day\n\n- this name is not a date\n",
};

export interface Scene extends TestMemory {
  readonly disk: FakeDisk;
  /** Runs one command line in process. `stdin`: what is piped in; `files`: other files by absolute path. */
  run(words: readonly string[], more?: RunOptions): Promise<Ran>;
  /** The text with paths and other values of this run masked. */
  masked(text: string): string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  readonly written: ReadonlyMap<string, string>;
}

/** A memory in a temporary folder with a fixed clock, ids in a row, and a command line over it. */
export function openScene(
  files: Readonly<Record<string, string | Uint8Array>> = sceneFiles,
  today: string = sceneDay,
  kind: "folder" | "memory" = "folder",
): Scene {
  const tested = openTestMemory({
    files,
    today,
    disk: kind,
    with: { ids: createIdsInARow(), program: { version: "0.0.0-test", node: "24.0.0" } },
  });
  const { memory } = tested;
  const disk = createFakeDisk({
    "/home/ann/work/it's here/x": "",
    "/home/ann/.config/x": "",
    "/home/ann/.local/x": "",
  });
  const host: Host = {
    version: async () => "0.0.0-test",
    open: async () => memory,
    openSamples: async () => {
      const copy = openTestMemory({ files: samples, today, disk: "folder" }).memory;
      dirs.push(copy.dir);
      return { memory: copy, remove: async () => {} };
    },
    openInstalling: async () => ({ places: fakePlaces, files: disk, shipped: fakeShipped }),
    openTrust: noTrust,
  };
  const dirs = [memory.dir];
  const masked = (text: string): string => maskRun(text, dirs);
  return {
    ...tested,
    disk,
    masked,
    run: async (words, { stdin = "", files: others = {} } = {}) => {
      const terminal = createFakeTerminal({
        cwd: memory.dir,
        files: others,
        stdin: { kind: "pipe", chunks: [stdin] },
      });
      const status = await runCommandLine(words, terminal, host);
      return { status, out: masked(terminal.out()), err: masked(terminal.err()), written: terminal.written };
    },
  };
}

function createIdsInARow(): Memory["ids"] {
  let count = 0;
  return {
    id: "ids-in-a-row",
    next: () => {
      count += 1;
      return `00000000-0000-7000-9000-${count.toString(16).padStart(12, "0")}`;
    },
  };
}

/** The folders, and the random name of a fence. */
function maskRun(text: string, dirs: readonly string[]): string {
  const named = dirs.reduce((rest, dir) => rest.replaceAll(dir, "/project"), text);
  return named.replaceAll(/<<<[0-9a-f]{8,}/gu, "<<<FENCE").replaceAll(/[0-9a-f]{8,}>>>/gu, "FENCE>>>");
}

/** Runs a compaction that must succeed without a word. */
export async function compact(scene: Scene, ...more: readonly string[]): Promise<void> {
  expect(await scene.run(["compact", "--quiet", ...more])).toMatchObject({ status: 0, out: "", err: "" });
}

/** A digest for each file but the raw logs, the configuration and what belongs to this machine. */
export function writtenIn(scene: Scene): string {
  const paths = scene.list().filter((path) => !/^memory\/\d{4}-\d\d-\d\d[^/]*\.md$/u.test(path) && !isLocal(path));
  return digestList(paths.map((path) => [path, bytesAt(scene, path)]));
}

export function bytesAt({ faults, memory }: Scene, path: string): Uint8Array {
  return faults?.files().get(path) ?? readFileSync(join(memory.dir, path));
}

function isLocal(path: string): boolean {
  return path === "heartwood.config.json" || path.startsWith(".heartwood/");
}
