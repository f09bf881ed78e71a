import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/**
 * Goldens pin what must stay byte for byte while the source changes. Each is a text file in `files/`; a difference is shown as a diff.
 * After an intended change run `npx vitest run test/goldens -u`, read `git diff test/goldens/files`, and commit it with the reason.
 *
 * Files ending in `.prose.txt` hold wording alone (help, messages, descriptions); their partners hold everything else, with `…` in place of
 * wording. Rewording changes only prose files.
 */
const folder = join(import.meta.dirname, "files");

/** Compares with `files/<name>`. A golden that is missing fails, too, unless `-u` is given. */
export async function expectGolden(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const { snapshotState } = expect.getState();
  const isUpdate = snapshotState["_updateSnapshot"] === "all";
  if (!isUpdate && !existsSync(path)) throw new Error(`test/goldens/files/${name} is missing; run with -u to write it`);
  refuseMachinePaths(name, text);
  await expect(text.endsWith("\n") ? text : `${text}\n`).toMatchFileSnapshot(path);
}

/** Two goldens: the structure and its prose. */
export async function expectSplit(name: string, { structure, prose }: Split): Promise<void> {
  await expectGolden(`${name}.txt`, structure);
  await expectGolden(`${name}.prose.txt`, prose);
}

export interface Split {
  readonly structure: string;
  readonly prose: string;
}

const machineFolders = [tmpdir(), homedir(), join(import.meta.dirname, "../..")];

function refuseMachinePaths(name: string, text: string): void {
  for (const found of machineFolders) {
    const literal = found.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
    const at = new RegExp(String.raw`(?<![\w.-])${literal}/.*`, "u").exec(text);
    if (at !== null) throw new Error(`${name} would store a path of this machine: ${at[0].slice(0, 120)}`);
  }
}

export function digestOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** `sha256  path` for each file, like sha256sum. */
export function digestList(files: Iterable<readonly [path: string, bytes: string | Uint8Array]>): string {
  return [...files].map(([path, bytes]) => `${digestOf(bytes)}  ${path}\n`).join("");
}

/** Keys of results whose strings are wording, not data. */
const wordingKeys: ReadonlySet<string> = new Set([
  "advice",
  "because",
  "detail",
  "fix",
  "help",
  "hint",
  "message",
  "messages",
  "notes",
  "prompt",
  "reason",
  "reasons",
  "recommendation",
  "says",
]);

/** Whether a key of a result has wording as its value. The notes of a step of recall are words and paths. */
export function isWording(key: string, path: string): boolean {
  return wordingKeys.has(key) && !path.startsWith("steps[");
}

/** Replaces wording by `…` and lists it by its place, once for all items of a list. One word is a code, not wording. */
export function splitValue(value: unknown, isProse = isWording): { readonly value: unknown; readonly prose: string } {
  const prose = new Set<string>();
  const walk = (part: unknown, key: string, path: string): unknown => {
    if (typeof part === "string") {
      if (!isProse(key, path) || !part.includes(" ")) return part;
      prose.add(`${path.replaceAll(/\[\d+\]/gu, "[]")}: ${part}\n`);
      return "…";
    }
    if (Array.isArray(part)) return part.map((item, index) => walk(item, key, `${path}[${index}]`));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, walk(inner, name, path === "" ? name : `${path}.${name}`)]),
    );
  };
  return { value: walk(value, "", ""), prose: [...prose].join("") };
}

/** Keeps the lines that come from `sources`, and puts one `…` for each run of other lines. */
export function dataLines(text: string, sources: string): string {
  const kept = text.split("\n").map((line) => (line.trim() === "" || sources.includes(bare(line)) ? line : "…"));
  return kept.filter((line, index) => line !== "…" || kept[index - 1] !== "…").join("\n");
}

function bare(line: string): string {
  return line.trim().replace(/^[-*>]\s+/u, "");
}

/** Strings longer than this are shown by their beginning and a digest. */
const longestShown = 600;

/** One value a line; long texts by their beginning and digest. */
export function pretty(value: unknown): string {
  const shortened = (_key: string, part: unknown): unknown =>
    typeof part === "string" && part.length > longestShown
      ? `${part.slice(0, 200)}… [${part.length} characters, sha256 ${digestOf(part)}]`
      : part;
  return JSON.stringify(value, shortened, 1);
}
