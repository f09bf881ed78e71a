import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("package.json approves the install scripts of the packages that have one, and no others", () => {
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

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, name), "utf8")) as T;
}
