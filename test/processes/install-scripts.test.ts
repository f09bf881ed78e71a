import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test("package.json approves install scripts of exactly the packages that have one", () => {
  const { allowScripts } = read<{ readonly allowScripts: Readonly<Record<string, boolean>> }>("package.json");
  const { packages } = read<{
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  }>("package-lock.json");
  const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  // Without a version: the lock file has no addresses, and npm matches a version by its address.
  expect(allowScripts).toEqual(
    Object.fromEntries(withScript.map(([path]) => [path.slice("node_modules/".length), true])),
  );
});

test("without the install scripts, a Node that is too old for the build gives one sentence", () => {
  const pretends = `data:text/javascript,Object.defineProperty(process.features,"typescript",{value:false})`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", pretends, join(root, "tools/build.mjs")],
    {
      encoding: "utf8",
    },
  );
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^Building heartwood needs Node 22\.18 or newer, and this is Node \d[^\n]*\n$/u);
});

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, name), "utf8")) as T;
}
