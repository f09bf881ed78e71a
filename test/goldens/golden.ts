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

/** Whether a value of a result is wording. One word is a code; the notes of a step of recall are words and paths. */
export function isWording(key: string, path: string, text: string): boolean {
  return wordingKeys.has(key) && text.includes(" ") && !path.includes("steps[");
}

/** Replaces wording by `…` and lists it by its place, once for all items of a list. */
export function splitValue(value: unknown, isProse = isWording): { readonly value: unknown; readonly prose: string } {
  const prose = new Set<string>();
  const walk = (part: unknown, key: string, path: string): unknown => {
    if (typeof part === "string") {
      if (!isProse(key, path, part)) return part;
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

/** The lines that come from `sources`, with one `…` for each run of other lines. */
export function dataLines(text: string, sources: string): string {
  return linesWhere(text, (line) => isFrom(line, sources));
}

/** The lines that do not come from `sources`, with one `…` for each run of those that do. */
export function wordingLines(text: string, sources: string): string {
  return linesWhere(text, (line) => !isFrom(line, sources) || line.trim() === "");
}

function linesWhere(text: string, isKept: (line: string) => boolean): string {
  const kept = text.split("\n").map((line) => (isKept(line) ? line : "…"));
  return kept.filter((line, index) => line !== "…" || kept[index - 1] !== "…").join("\n");
}

function isFrom(line: string, sources: string): boolean {
  return sources.includes(bare(line));
}

function bare(line: string): string {
  return line.trim().replace(/^[-*>]\s+/u, "");
}

/** Strings longer than this are shown by their beginning and a digest. */
const longestShown = 600;

/** One value a line; long texts by their beginning and digest. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => shortened(part), 1);
}

function shortened(part: unknown): unknown {
  if (typeof part !== "string" || part.length <= longestShown) return part;
  return `${part.slice(0, 200)}… [${part.length} characters, sha256 ${digestOf(part)}]`;
}
