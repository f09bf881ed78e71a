import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTrustedFolders } from "./trust.ts";

let base = "";
let state = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-trust-")));
  state = join(base, "state", "heartwood");
  for (const name of ["one", "two"]) mkdirSync(join(base, name));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const file = (): string => join(state, "trusted.json");

test("a folder is trusted by its real path, without the folders below it", () => {
  const trusted = openTrustedFolders(state);
  symlinkSync(join(base, "one"), join(base, "link"));
  expect(trusted.isTrusted(join(base, "one"))).toBe(false);
  expect([trusted.add(join(base, "link"), "trust"), trusted.add(join(base, "one"), "init")]).toEqual([
    "added",
    "known",
  ]);
  mkdirSync(join(base, "one", "below"));
  const asked = ["one", "link", "one/below", "two"].map((name) => trusted.isTrusted(join(base, name)));
  expect(asked).toEqual([true, true, false, false]);
  expect(trusted.list()).toEqual([{ path: join(base, "one"), state: "trusted" }]);
});

test("a trusted folder covers the folders inside it, but not a repository in it", () => {
  const trusted = openTrustedFolders(state);
  trusted.add(join(base, "one"), "trust");
  mkdirSync(join(base, "one/notes/deep"), { recursive: true });
  mkdirSync(join(base, "one/clone/.git"), { recursive: true });
  mkdirSync(join(base, "one/clone/src"));
  symlinkSync(join(base, "two"), join(base, "one/out"));
  const asked = ["one", "one/notes/deep", "one/clone", "one/clone/src", "one/out", "one/gone/..", "two"];
  expect(asked.map((name) => trusted.covers(join(base, name)))).toEqual([true, true, false, false, false, true, false]);
  expect(trusted.covers(join(base, "two"), join(base, "two"))).toBe(true);
});

test("the record is accessible only to the user, and is removed with its last entry", () => {
  const trusted = openTrustedFolders(state);
  trusted.add(join(base, "one"), "trust");
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file(), "utf8"))).toMatchObject({ format: 1, folders: [{ by: "trust" }] });
  trusted.add(join(base, "two"), "install");
  trusted.removeInstalled((dir) => dir === join(base, "two"));
  expect(trusted.isTrusted(join(base, "two"))).toBe(true);
  trusted.removeInstalled(() => false);
  expect(trusted.isTrusted(join(base, "two"))).toBe(false);
  trusted.add(join(base, "two"), "install");
  expect(trusted.add(join(base, "two"), "trust")).toBe("known");
  trusted.removeInstalled(() => false);
  expect(trusted.isTrusted(join(base, "two"))).toBe(true);
  expect([trusted.remove(join(base, "one")), trusted.remove(join(base, "one"))]).toEqual(["removed", "unknown"]);
  expect(trusted.wasOffered(join(base, "one"))).toBe(true);
});

test("another owner is accepted only by id and only in that folder", () => {
  const trusted = openTrustedFolders(state);
  trusted.add(join(base, "one"), "trust", [54_321]);
  trusted.add(join(base, "two"), "init");
  const asked = ["one", "two"].map((name) => trusted.isAccepted(join(base, name), 54_321));
  expect([...asked, trusted.isAccepted(join(base, "one"), 54_322)]).toEqual([true, false, false]);
  expect([trusted.add(join(base, "two"), "trust", [54_321]), trusted.isAccepted(join(base, "two"), 54_321)]).toEqual([
    "known",
    true,
  ]);
});

test("a folder that is gone can be removed from the record", () => {
  const trusted = openTrustedFolders(state);
  trusted.add(join(base, "one"), "trust");
  rmSync(join(base, "one"), { recursive: true });
  expect(trusted.list()).toEqual([{ path: join(base, "one"), state: "missing" }]);
  expect(trusted.remove(join(base, "one"))).toBe("removed");
});

test.runIf(process.getuid?.() === 0)(
  "a folder that changed its owner is not trusted, nor is another user's record (needs root)",
  () => {
    const trusted = openTrustedFolders(state);
    trusted.add(join(base, "one"), "trust");
    lchownSync(join(base, "one"), 54_321, 54_321);
    expect(trusted.isTrusted(join(base, "one"))).toBe(false);
    expect(trusted.list()).toEqual([{ path: join(base, "one"), state: "other_owner" }]);
    expect(trusted.add(join(base, "one"), "trust")).toBe("added");
    expect(trusted.isTrusted(join(base, "one"))).toBe(true);
    lchownSync(file(), 54_321, 54_321);
    expect(trusted.isTrusted(join(base, "one"))).toBe(false);
  },
);

test("a damaged or newer record trusts nothing and is not overwritten", () => {
  const trusted = openTrustedFolders(state);
  mkdirSync(state, { recursive: true });
  for (const [text, code] of [
    ["{", "damaged_store"],
    ['{"format":1,"folders":[{"path":1}],"offered":[]}', "damaged_store"],
    ['{"format":2}', "newer_store"],
  ] as const) {
    writeFileSync(file(), text);
    expect(trusted.isTrusted(join(base, "one"))).toBe(false);
    expect(() => trusted.add(join(base, "one"), "trust")).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(file(), "utf8")).toBe(text);
  }
});

test("without a place for the record, nothing is trusted and adding is refused", () => {
  const trusted = openTrustedFolders(undefined);
  expect(trusted.isTrusted(base)).toBe(false);
  expect(() => trusted.add(base, "trust")).toThrow(expect.objectContaining({ code: "io" }));
});

test.runIf(process.getuid?.() !== 0)("an unwritable folder gets a clear message", () => {
  mkdirSync(join(base, "state"));
  chmodSync(join(base, "state"), 0o500);
  expect(() => openTrustedFolders(state).add(base, "trust")).toThrow(expect.objectContaining({ code: "io" }));
});
