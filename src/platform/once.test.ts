import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createFileOnce } from "./once.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function project(): string {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-once-"));
  folders.push(dir);
  return dir;
}

const below = (dir: string): string => join(dir, ".heartwood", "hooks", "injected");

it("the first to claim a name has it", async () => {
  const dir = project();
  const once = createFileOnce(below(dir));
  expect(await once.isClaimed("a")).toBe(false);
  expect([await once.claim("a"), await once.claim("a"), await once.claim("b")]).toEqual(["first", "taken", "first"]);
  expect(await once.isClaimed("a")).toBe(true);
});

it("a name that is none, a file in the way and a folder that is gone cannot be told", async () => {
  const dir = project();
  const once = createFileOnce(below(dir));
  for (const name of ["", "../a", "A", "a/b", "x".repeat(201)]) expect(await once.claim(name)).toBe("untold");
  mkdirSync(join(dir, ".heartwood"));
  writeFileSync(join(dir, ".heartwood/hooks"), "");
  expect(await once.claim("a")).toBe("untold");
  expect(await createFileOnce(below(join(dir, "gone"))).claim("a")).toBe("untold");
});

it("makes nothing behind a link that leaves the project", async () => {
  const [dir, outside] = [project(), project()];
  symlinkSync(outside, join(dir, ".heartwood"));
  expect(await createFileOnce(below(dir)).claim("a")).toBe("untold");
  expect(readdirSync(outside)).toEqual([]);
});

it("forgets what is older than a day, and nothing else", async () => {
  const dir = project();
  const once = createFileOnce(below(dir));
  await once.claim("old");
  await once.claim("new");
  const dayAgo = (Date.now() - 90_000_000) / 1000;
  utimesSync(join(below(dir), "old"), dayAgo, dayAgo);
  mkdirSync(join(below(dir), "folder"));
  utimesSync(join(below(dir), "folder"), dayAgo, dayAgo);
  await once.forgetOld();
  expect([await once.isClaimed("old"), await once.isClaimed("new")]).toEqual([false, true]);
  expect(existsSync(join(below(dir), "folder"))).toBe(true);
});
