import { readFileSync } from "node:fs";
import { join } from "node:path";
import { treeOf } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";

/** Contents by path. */
export type Files = ReadonlyMap<string, string>;

/** The contents before an install, after it, after the client was used, and after uninstalling. */
export interface Stages {
  readonly before: Files;
  readonly installed: Files;
  readonly worked: Files;
  readonly after: Files;
}

/** What is left of an install after uninstalling, one line each. */
export function leftOfInstall(scratch: Scratch, stages: Stages): readonly string[] {
  const { before, installed } = stages;
  const ours = [...installed.keys()].filter((path) => installed.get(path) !== before.get(path));
  if (ours.length === 0) throw new Error("Nothing was installed.");
  return ours.flatMap((path) => leftOf(scratch, path, stages));
}

/** What is left of an install at `path`. Text that the client wrote since may stay; ours may not. */
function leftOf(scratch: Scratch, path: string, { before, installed, worked, after }: Stages): readonly string[] {
  const now = after.get(path);
  if (now === before.get(path)) return [];
  const clients = [...after.keys()].some((other) => other.startsWith(`${path}/`));
  if (now?.startsWith("folder") === true && clients) return [];
  if (now?.startsWith("file") !== true || worked.get(path) === installed.get(path)) {
    return [`${path} was ${before.get(path)} and is ${now}`];
  }
  return linesOfOurs(join(scratch.top, path)).map((line) => `${path}: ${line.trim()}`);
}

/** Home and project without the memory: everything that uninstalling must restore. */
export function othersFiles(scratch: Scratch): Files {
  return treeOf(scratch.top, ["project/memory", "project/.heartwood"]);
}

function linesOfOurs(path: string): readonly string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes("heartwood"));
}
