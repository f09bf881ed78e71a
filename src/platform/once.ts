import * as fs from "node:fs";
import { dirname } from "node:path";
import { attempt, systemCodeOf } from "../base/errors.ts";
import { makePrivateFolder } from "./local-state/disk.ts";

/** Who of several processes that are about to do the same is the first. */
export interface Once {
  readonly id: string;

  /**
   * `first` for one caller of a name, `taken` for all others; `untold` when that is unknown, as on a full disk. A name is
   * `[a-z0-9-]{1,200}`; another one is `untold`. Never fails.
   */
  claim(name: string): Promise<"first" | "taken" | "untold">;

  /** Whether the name was claimed; `false` also when that is unknown. Never fails. */
  isClaimed(name: string): Promise<boolean>;

  /** Forgets names that were claimed more than a day ago. Never fails. */
  forgetOld(): Promise<void>;
}

/** Milliseconds after which a name may be forgotten. */
const aDay = 86_400_000;

/**
 * A name is an empty file, made exclusively. The folder, the absolute path of `<project>/.heartwood/hooks/injected`, is made when absent. It is a cache:
 * without it every caller is the first once more.
 */
export function createFileOnce(folder: string): Once {
  return {
    id: "file-once-1",
    claim: async (name) => claim(folder, name),
    isClaimed: async (name) => isName(name) && fs.existsSync(`${folder}/${name}`),
    forgetOld: async () => forgetOld(folder),
  };
}

function claim(folder: string, name: string): "first" | "taken" | "untold" {
  if (!isName(name)) return "untold";
  try {
    const real = preparedFolder(folder);
    if (real === undefined) return "untold";
    fs.closeSync(fs.openSync(`${real}/${name}`, "wx", 0o600));
    return "first";
  } catch (error) {
    return systemCodeOf(error) === "EEXIST" ? "taken" : "untold";
  }
}

function isName(name: string): boolean {
  return /^[a-z0-9-]{1,200}$/u.test(name);
}

/** The real path; `undefined` when a link on the way leads out of the project, where nothing is made. */
function preparedFolder(folder: string): string | undefined {
  const hooks = dirname(folder);
  const project = fs.realpathSync(dirname(dirname(hooks)));
  for (const path of [dirname(hooks), hooks, folder]) {
    makePrivateFolder(path);
    if (!fs.realpathSync(path).startsWith(project.endsWith("/") ? project : `${project}/`)) return undefined;
  }
  return fs.realpathSync(folder);
}

/** What stays is looked at again the next time. */
function forgetOld(folder: string): void {
  attempt(() => {
    const real = preparedFolder(folder);
    if (real === undefined) return;
    const before = Date.now() - aDay;
    for (const name of fs.readdirSync(real)) {
      const stat = fs.lstatSync(`${real}/${name}`, { throwIfNoEntry: false });
      if (stat?.isFile() === true && stat.mtimeMs < before) fs.rmSync(`${real}/${name}`, { force: true });
    }
  });
}
