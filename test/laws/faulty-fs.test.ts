import { constants } from "node:fs";
import { describe, expect, it } from "vitest";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { createSeededRandom } from "../../src/testing/index.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function write(fs: FaultyFs, name: string, bytes: Uint8Array): number {
  const fd = fs.openSync(`${fs.root}/${name}`, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o644);
  fs.writeSync(fd, bytes, 0, bytes.length);
  return fd;
}

function syncRoot(fs: FaultyFs): void {
  const fd = fs.openSync(fs.root, constants.O_RDONLY | constants.O_DIRECTORY);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

/** Everything that `name` can contain after a crash at the end. */
function outcomes(fs: FaultyFs, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  const random = createSeededRandom(1);
  for (let count = 0; count < 500; count += 1) {
    const bytes = fs.crashAt(fs.operations, random).files().get(name);
    found.add(bytes === undefined ? "absent" : Buffer.from(bytes).toString("latin1"));
  }
  return found;
}

describe("the faulty file system", () => {
  it("may lose the name of a synced file until its folder is synced", () => {
    const fs = createFaultyFs();
    fs.fsyncSync(write(fs, "a", text("data")));
    expect(outcomes(fs, "a")).toEqual(new Set(["absent", "data"]));
    syncRoot(fs);
    expect(outcomes(fs, "a")).toEqual(new Set(["data"]));
  });

  it("loses, tears and zeroes data that is not synced, even if the name is", () => {
    const fs = createFaultyFs();
    const bytes = text("x".repeat(512) + "y".repeat(512));
    write(fs, "a", bytes);
    syncRoot(fs);
    const found = outcomes(fs, "a");
    expect(found.has("")).toBe(true);
    expect(found.has(Buffer.from(bytes).toString())).toBe(true);
    expect(found.has("\0".repeat(512) + "y".repeat(512))).toBe(true);
    expect(found.size > 10).toBe(true);
    expect(found.has("absent")).toBe(false);
  });

  it("reorders: a later write can survive without an earlier one", () => {
    const fs = createFaultyFs({ files: { a: "" } });
    write(fs, "a", text("one"));
    write(fs, "a", text("two"));
    expect(outcomes(fs, "a").has("\0\0\0two")).toBe(true);
  });

  it("a rename is atomic", () => {
    const fs = createFaultyFs({ files: { a: "old", b: "new" } });
    fs.renameSync(`${fs.root}/b`, `${fs.root}/a`);
    const random = createSeededRandom(1);
    const seen = new Set<string>();
    for (let count = 0; count < 100; count += 1) {
      const files = fs.crashAt(fs.operations, random).files();
      seen.add([...files].map(([name, bytes]) => `${name}=${Buffer.from(bytes).toString()}`).join(" "));
    }
    expect(seen).toEqual(new Set(["a=old b=new", "a=new"]));
  });

  it("data of a failed fsync can stay lost after a later one succeeds", () => {
    const fs = createFaultyFs({ files: { a: "" } });
    const fd = write(fs, "a", text("data"));
    fs.failAt(fs.operations, "EIO");
    expect(() => fs.fsyncSync(fd)).toThrow("EIO");
    fs.fsyncSync(fd);
    expect(outcomes(fs, "a").has("")).toBe(true);
  });

  it("a killed process loses nothing, but what it wrote is not durable", () => {
    const fs = createFaultyFs();
    write(fs, "a", text("data"));
    const next = fs.killAt(fs.operations);
    expect(Buffer.from(next.files().get("a") ?? []).toString()).toBe("data");
    expect(outcomes(next, "a").has("absent")).toBe(true);
  });

  it("gives the same crashes for the same seed, and others for another seed", () => {
    const fs = createFaultyFs();
    for (let index = 0; index < 20; index += 1) write(fs, `f${index}`, text("x".repeat(600)));
    const print = (seed: number): string =>
      JSON.stringify([...fs.crashStates(seed, 50)].map(({ at, fs: crash }) => [at, [...crash.files()].map(String)]));
    expect(print(1)).toBe(print(1));
    expect(print(1) === print(2)).toBe(false);
  });

  it("crashes at any time and in any order, and a crashed disk can crash again", () => {
    const fs = createFaultyFs();
    for (let index = 0; index < 5; index += 1) fs.fsyncSync(write(fs, `f${index}`, text("x")));
    syncRoot(fs);
    const random = createSeededRandom(1);
    const late = fs.crashAt(fs.operations, random);
    expect(fs.crashAt(0, random).files().size).toBe(0);
    expect(fs.crashAt(fs.operations, random).files().size).toBe(5);
    late.unlinkSync(`${late.root}/f0`);
    const sizes = new Set(Array.from({ length: 50 }, () => late.crashAt(late.operations, random).files().size));
    expect(sizes).toEqual(new Set([4, 5]));
  });

  it("stamps change with each change, and only then", () => {
    const fs = createFaultyFs({ files: { a: "x" } });
    const look = () => fs.lstatSync(`${fs.root}/a`, { bigint: true, throwIfNoEntry: false });
    const first = look();
    expect(look()).toEqual(first);
    fs.plant("a", "y");
    expect((look()?.mtimeNs ?? 0n) > (first?.mtimeNs ?? 0n)).toBe(true);
  });
});
