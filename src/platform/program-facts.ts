import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Put in by tools/build.mjs from package.json; absent when the sources run directly. */
declare const HEARTWOOD_VERSION: string | undefined;

/** Version of this program, and of the Node that runs it. */
export function programFacts(): { readonly version: string; readonly node: string } {
  const version = typeof HEARTWOOD_VERSION === "string" ? HEARTWOOD_VERSION : "0.0.0-source";
  return { version, node: process.versions.node };
}

/** The absolute path of a file that the package ships: this file lies at another depth in the sources than in dist/. */
export function shippedFile(path: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  let dir = here;
  while (!existsSync(join(dir, "package.json")) && dir !== dirname(dir)) dir = dirname(dir);
  return join(dir, path);
}

/** The command that puts packages where this program finds them: beside it. */
export function installCommand(packages: readonly string[]): string {
  const names = packages.join(" ");
  const above = dirname(shippedFile(""));
  // From a checkout; else `…/node_modules/heartwood`, of which `…/lib/node_modules` is the place of global packages.
  if (basename(above) !== "node_modules") return `npm install --no-save --prefix ${shippedFile("")} ${names}`;
  const project = dirname(above);
  return basename(project) === "lib" ? `npm install --global ${names}` : `npm install --prefix ${project} ${names}`;
}
