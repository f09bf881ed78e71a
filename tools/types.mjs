import { cpSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const mentioned = /(?:\bfrom |\bimport\(|^import )"(\.[^"]+)\.[jt]s"/gm;

/** Copies the declarations that `entries` lead to, and no others. */
export function copyTypes({ from, to, entries }) {
  const open = [...entries];
  const copied = new Set();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (copied.has(name)) continue;
    copied.add(name);
    cpSync(join(from, name), join(to, name));
    for (const [, path] of readFileSync(join(from, name), "utf8").matchAll(mentioned))
      open.push(`${posix.join(posix.dirname(name), path)}.d.ts`);
  }
}
