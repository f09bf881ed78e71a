import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { attempt } from "../base/errors.ts";
import { systemRandom } from "./clock.ts";
import { makeFolders, placePrivateFile } from "./local-state/disk.ts";

/** How long a browser may take to read the file, in milliseconds. */
const patience = 20_000;

/** The program that opens a file in the user's browser, with its first arguments. */
function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}

/**
 * Opens an address in the user's browser, by a file that only the user can read and that goes after a moment: the arguments of a process are visible to other users, and the address may
 * contain a token. `folder`: the user's own, for the file.
 */
export async function openInBrowser(address: string, folder: string): Promise<"started" | "failed"> {
  const path = join(folder, `open-${Buffer.from(systemRandom.bytes(8)).toString("hex")}.html`);
  const made = attempt(() => {
    makeFolders(folder, 0o700);
    placePrivateFile(path, pageTo(address), "first");
    return path;
  });
  if (made === undefined) return "failed";
  const remove = (): void => rmSync(path, { force: true });
  process.once("exit", remove);
  setTimeout(remove, patience).unref();
  const [program, ...args] = openerOf(process.platform);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, pathToFileURL(path).href], {
      stdio: "ignore",
      detached: true,
      shell: false,
    });
    child.once("error", () => resolve("failed"));
    child.once("spawn", () => resolve("started"));
    child.unref();
  });
}

function pageTo(address: string): string {
  const target = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}"><title>heartwood</title>\n`;
}
