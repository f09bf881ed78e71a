import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const BIN = join(import.meta.dirname, "../../dist/bin.js");
const base = mkdtempSync(join(tmpdir(), "heartwood-full-pipe-"));
const dir = join(base, "project");
const env = { PATH: process.env["PATH"], HOME: base };
const search = ["search", "zebra", "--limit", "1000", "--json", "--dir", dir];

beforeAll(() => {
  mkdirSync(join(dir, "memory"), { recursive: true });
  const entries = Array.from({ length: 900 }, (_, at) => `## Zebra ${at}\n\nUser: I saw zebra number ${at} today.\n`);
  writeFileSync(join(dir, "memory/2026-03-01.md"), entries.join("\n"));
  expect(spawnSync(process.execPath, [BIN, "index", "--dir", dir], { env }).status).toBe(0);
});
const unwritable: string[] = [];
afterAll(() => {
  for (const folder of unwritable) chmodSync(folder, 0o755);
  rmSync(base, { recursive: true, force: true });
});

describe.skipIf(process.platform === "win32")("a result larger than a pipe buffer", () => {
  test("arrives complete if it is read", () => {
    const { stdout, status } = spawnSync(process.execPath, [BIN, ...search], { env, maxBuffer: 1e8 });
    expect([status, stdout.length > 150_000]).toEqual([0, true]);
    expect((JSON.parse(stdout.toString("utf8")) as { readonly hits: readonly unknown[] }).hits.length).toBe(900);
  });

  test("does not block signals if it is never read", async () => {
    // `sleep` has the other end of the pipe and never reads from it.
    const script = `"$0" "$@" | sleep 60`;
    const shell = spawn("bash", ["-c", script, process.execPath, BIN, ...search], { env, detached: true });
    const group = -(shell.pid ?? 0);
    const ended = new Promise<void>((resolve) => shell.on("close", () => resolve()));
    try {
      const programs = (): readonly string[] =>
        spawnSync("pgrep", ["-f", `${BIN} search zebra --limit 1000 --json --dir ${dir}`])
          .stdout.toString("utf8")
          .split("\n")
          .filter((line) => line !== "" && Number(line) !== shell.pid);
      const until = async (isSo: () => boolean): Promise<boolean> => {
        for (let tries = 0; tries < 300; tries++) {
          if (isSo()) return true;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return false;
      };
      expect(await until(() => programs().length > 0)).toBe(true);
      expect(
        await until(() => {
          for (const pid of programs()) process.kill(Number(pid), "SIGTERM");
          return programs().length === 0;
        }),
      ).toBe(true);
    } finally {
      process.kill(group, "SIGKILL");
      await ended;
    }
  });
});

describe.skipIf(process.platform === "win32")("Node's compile cache", () => {
  function installed(name: string): string {
    const dist = join(base, name, "dist");
    cpSync(dirname(BIN), dist, { recursive: true, filter: (path) => !path.includes(".compiled") });
    cpSync(join(dirname(BIN), "../package.json"), join(base, name, "package.json"));
    return dist;
  }
  const version = (dist: string): number | null =>
    spawnSync("sh", ["-c", `umask 000; exec "$0" "$@"`, process.execPath, join(dist, "bin.js"), "--version"], { env })
      .status;

  test("is kept where no other user may write, whatever the umask", () => {
    const dist = installed("one");
    expect(version(dist)).toBe(0);
    expect(lstatSync(join(dist, ".compiled")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(dist, ".compiled")).length).toBe(1);
  });

  test("is not kept in a folder that others may write to, nor through a link", () => {
    const [open, linked] = [installed("two"), installed("three")];
    spawnSync("sh", [
      "-c",
      `umask 000; mkdir "$0"; mkdir "$1"; ln -s "$1" "$2"`,
      join(open, ".compiled"),
      join(base, "elsewhere"),
      join(linked, ".compiled"),
    ]);
    expect([version(open), version(linked)]).toEqual([0, 0]);
    expect([readdirSync(join(open, ".compiled")), readdirSync(join(base, "elsewhere"))]).toEqual([[], []]);
  });

  /** A package that belongs to another user or is not writable by its own user, and a home. */
  function others(name: string): { readonly home: string; readonly run: (more?: object) => number | null } {
    const dist = installed(name);
    const home = join(base, name, "home");
    mkdirSync(home, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(dist, 12_345, 12_345);
    else chmodSync(dist, 0o555);
    unwritable.push(dist);
    const run = (more: object = {}): number | null =>
      spawnSync(process.execPath, [join(dist, "bin.js"), "--version"], {
        env: { PATH: process.env["PATH"], HOME: home, ...more },
      }).status;
    return { home, run };
  }

  test("is kept in the user's cache if another user owns the package, and that of other versions is removed", () => {
    const { home, run } = others("four");
    const kept = join(home, ".cache/heartwood/compiled");
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    writeFileSync(join(kept, "command-status-0123456789abcdef-v24.1.0-x64"), "");
    expect(run()).toBe(0);
    const [file = "", ...more] = readdirSync(kept);
    expect([more, lstatSync(join(kept, file)).mode & 0o777]).toEqual([[], 0o600]);
    const { mtimeMs } = lstatSync(join(kept, file));
    expect([run(), lstatSync(join(kept, file)).mtimeMs]).toEqual([0, mtimeMs]);
  });

  test("is kept in XDG_CACHE_HOME if that is below the home, for the user only, and never elsewhere", () => {
    const { home, run } = others("five");
    const named = join(home, "a cache");
    expect(run({ XDG_CACHE_HOME: named })).toBe(0);
    const folders = [named, join(named, "heartwood"), join(named, "heartwood/compiled")];
    expect(folders.map((folder) => lstatSync(folder).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
    expect(readdirSync(join(named, "heartwood/compiled")).length).toBe(1);
    const outside = join(base, "outside");
    expect([run({ XDG_CACHE_HOME: outside }), existsSync(outside)]).toEqual([0, false]);
    expect([run({ HOME: join(base, "no home") }), existsSync(join(base, "no home"))]).toEqual([0, false]);
  });

  test.each(["", ".cache", ".cache/heartwood", ".cache/heartwood/compiled"])(
    "is not kept in the user's cache if others may write to %j in the home, or if that is a link",
    (step) => {
      const open = others(`open ${step.length}`);
      mkdirSync(join(open.home, step), { recursive: true });
      chmodSync(join(open.home, step), 0o777);
      expect(open.run()).toBe(0);
      const linked = others(`linked ${step.length}`);
      const place = step === "" ? linked.home : join(linked.home, step);
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      if (step === "") rmSync(place, { recursive: true });
      const elsewhere = mkdtempSync(join(base, "elsewhere-"));
      symlinkSync(elsewhere, place);
      expect(linked.run()).toBe(0);
      const found = [join(open.home, ".cache/heartwood/compiled"), elsewhere].filter((folder) => existsSync(folder));
      expect(found.flatMap((folder) => readdirSync(folder))).toEqual([]);
    },
  );
});
