import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { driverCommand, missingPrograms, openGit, partsOf, type Git } from "../../platform/git.ts";
import type { TreeMemory } from "../memory.ts";
import { mergeKindOf } from "../merge/files.ts";

/** Whether nodes and `ROOT.md` are in git, or each clone builds its own. */
export type Derived = "committed" | "ignored";

export interface GitSetupResult {
  readonly action: "set_up" | "undone";
  readonly derived: Derived | null;
  /** Changed files, and the name of each changed part of git's configuration. */
  readonly changed: readonly string[];
  /** Files that git does not track any more. They stay on disk; the removal from git is staged. */
  readonly untracked: readonly string[];
}

/** The memory's repository. Errors: `not_found` if there is none. */
export async function gitOf(memory: Pick<TreeMemory, "commands" | "dir">): Promise<Git> {
  const git = await openGit(memory);
  if (git !== undefined) return git;
  const message = `${memory.dir} is not in a git repository, or git is not on PATH; run \`git init\` first.`;
  throw new MemoryError("not_found", message, { dir: memory.dir });
}

/** What applies now: the way that was chosen before; otherwise derived files are committed only if git tracks some. */
export async function derivedNow(
  memory: TreeMemory,
  git: Git,
): Promise<{ readonly is: Derived; readonly chosen: "yes" | "no" }> {
  const text = await textOf(memory, ignorePath);
  if (text.includes(beginOf("")))
    return { is: text.includes(`\n${ignoredDerived[0] ?? ""}\n`) ? "ignored" : "committed", chosen: "yes" };
  return { is: (await trackedDerived(git)).length > 0 ? "committed" : "ignored", chosen: "no" };
}

/**
 * Makes git merge the memory: `.gitattributes` and `.gitignore` for every clone, and the driver for this one. Errors:
 * `not_found`, `io`, `changed_by_other`.
 */
export async function setUpGit(memory: TreeMemory, input: { readonly derived: Derived }): Promise<GitSetupResult> {
  const git = await gitOf(memory);
  const ignored = input.derived === "ignored" ? ignoredDerived : [];
  const changed = [
    ...(await writeBlock(memory, attributesPath, sharedAttributes)),
    ...(await writeBlock(memory, ignorePath, [...localFiles, ...ignored])),
    ...(await writeOwnAttributes(git, ownAttributes(git.prefix))),
    ...(await writeConfiguration(git)),
  ];
  const untracked = [...(await trackedLocal(git)), ...(input.derived === "ignored" ? await trackedDerived(git) : [])];
  for (let from = 0; from < untracked.length; from += 500)
    await git.run(["rm", "-q", "--cached", "--", ...untracked.slice(from, from + 500)]);
  return { action: "set_up", derived: input.derived, changed, untracked };
}

/** Restores the bytes of what `setUpGit` changed. Errors: same. */
export async function undoGitSetup(memory: TreeMemory): Promise<GitSetupResult> {
  const git = await gitOf(memory);
  const changed = [
    ...(await writeBlock(memory, attributesPath, undefined)),
    ...(await writeBlock(memory, ignorePath, undefined)),
    ...(await writeOwnAttributes(git, undefined)),
  ];
  // Another memory in this repository may still use the driver.
  if (!(await git.readAttributes()).includes("merge=heartwood"))
    for (const { section } of drivers)
      if ((await git.ask(["config", "--local", "--get-regexp", `^${section.replace(".", "\\.")}\\.`])) !== undefined) {
        await git.run(["config", "--local", "--remove-section", section]);
        changed.push(`${section} (git config)`);
      }
  return { action: "undone", derived: null, changed, untracked: [] };
}

/** What is wrong with git's part of the memory, for `doctor`; `undefined` if there is no repository. */
export async function inspectGit(memory: TreeMemory) {
  const git = await openGit(memory);
  if (git === undefined) return undefined;
  const isShared = (await git.ask(["ls-files", "-z", "--", "memory"])) ?? new Uint8Array(0);
  const [driver = ""] = ((await configured(git, drivers[0]?.section ?? "")) ?? "").split("\n");
  return {
    /** Whether git tracks anything of the memory. */
    isShared: isShared.length > 0,
    isSetUp: (await textOf(memory, attributesPath)).includes(beginOf("")),
    isRegistered: driver !== "" && (await git.readAttributes()).includes(beginOf(git.prefix)),
    gone: missingPrograms(driver),
    tracked: await trackedLocal(git),
  };
}

const attributesPath = ".gitattributes";
const ignorePath = ".gitignore";
const localFiles = ["/memory/.compaction-state.json", ".hw-*.tmp"];
const ignoredDerived = ["/memory/ROOT.md", "/memory/daily/*.md", "/memory/weekly/*.md", "/memory/monthly/*.md"];

const drivers = [
  { section: "merge.heartwood", name: "heartwood: entries of both sides, each once", command: driverCommand },
  // Either side will do, because a run rebuilds these files; `true` is a program of every system with git.
  { section: "merge.heartwood-derived", name: "heartwood: rebuilt by heartwood compact", command: () => "true" },
];

const logs = "memory/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md";
const derived = ["memory/ROOT.md", "memory/daily/*.md", "memory/weekly/*.md", "memory/monthly/*.md"];
const archive = ["memory/archive/journal.jsonl", "memory/archive/moved.json", "memory/archive/*.full*.md"];
const whole = ["memory/archive/nodes/**", ".heartwood/artifacts/**", ".heartwood/audit/**"];

/**
 * For clones without the driver: a union keeps the lines of both sides, and in all other files a conflict has no markers.
 * `-text`: nodes name the digests of bytes, so no line ends are converted.
 */
const sharedAttributes = [
  "/memory/** -text",
  "/.heartwood/** -text",
  `/${logs} merge=union`,
  "/memory/records/*.jsonl merge=union",
  ...[...derived, ...archive].map((pattern) => `/${pattern} -merge`),
];

/** The same paths in a clone with the driver. */
function ownAttributes(prefix: string): readonly string[] {
  // Any character but letters, digits and `/` is written as `?`, one for each byte.
  const at = `/${Buffer.from(prefix, "utf8")
    .toString("latin1")
    .replace(/[^A-Za-z0-9/_.-]/gu, "?")}`;
  const merged = [logs, "memory/records/*.jsonl", ...archive, ...whole];
  return [
    ...merged.map((pattern) => `${at}${pattern} merge=heartwood`),
    ...derived.map((pattern) => `${at}${pattern} merge=heartwood-derived`),
  ];
}

function beginOf(prefix: string): string {
  return `# heartwood:begin${prefix === "" ? "" : ` ${prefix}`}`;
}

function endOf(prefix: string): string {
  return `# heartwood:end${prefix === "" ? "" : ` ${prefix}`}`;
}

/** Follows the first mark if a line end was added before it. */
const addedEnd = " after a line end";

/** Puts our lines at the end of a text, or replaces those that are there. `undefined` removes them and restores the text. */
export function withBlock(text: string, prefix: string, lines: readonly string[] | undefined): string {
  const all = text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const [begin, end] = [beginOf(prefix), endOf(prefix)];
  const from = all.findIndex((line) => [begin, begin + addedEnd].includes(line.trim()));
  const to = all.findIndex((line, index) => index > from && line.trim() === end);
  if (
    lines !== undefined &&
    from >= 0 &&
    all.slice(from + 1, to).join("") === lines.map((line) => `${line}\n`).join("")
  )
    return text;
  let rest = text;
  if (from >= 0 && to >= 0) {
    const below = all.slice(to + 1).join("");
    const above = all.slice(0, from).join("");
    rest = (all[from]?.trim() === begin + addedEnd && below === "" ? above.replace(/\n$/u, "") : above) + below;
  }
  if (lines === undefined) return rest;
  const isOpen = rest !== "" && !rest.endsWith("\n");
  return `${rest}${isOpen ? "\n" : ""}${[isOpen ? begin + addedEnd : begin, ...lines, end].join("\n")}\n`;
}

async function writeBlock(
  memory: TreeMemory,
  path: string,
  lines: readonly string[] | undefined,
): Promise<readonly string[]> {
  const read = await memory.files.read(path);
  const before = decodeText(read?.bytes ?? new Uint8Array(0)) ?? "";
  const after = withBlock(before, "", lines);
  if (after === before) return [];
  const bytes = after === "" ? undefined : Buffer.from(after);
  const expect = read === undefined ? "absent" : { stamp: read.stamp };
  const [done] = await memory.files.commit([{ path, bytes, expect }]);
  if (done?.outcome !== "changed") return [path];
  throw new MemoryError("changed_by_other", `${path} is being changed by another program; run the command again.`, {
    path,
  });
}

async function writeOwnAttributes(git: Git, lines: readonly string[] | undefined): Promise<readonly string[]> {
  const before = await git.readAttributes();
  const after = withBlock(before, git.prefix, lines);
  if (after === before) return [];
  await git.writeAttributes(before, after);
  return ["info/attributes (git)"];
}

async function writeConfiguration(git: Git): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { section, name, command } of drivers) {
    if ((await configured(git, section)) === command()) continue;
    await git.run(["config", "--local", `${section}.name`, name]);
    await git.run(["config", "--local", `${section}.driver`, command()]);
    changed.push(`${section} (git config)`);
  }
  return changed;
}

async function configured(git: Git, section: string): Promise<string | undefined> {
  const found = await git.ask(["config", "--local", "--null", "--get", `${section}.driver`]);
  return found === undefined ? undefined : partsOf(found)[0];
}

async function trackedDerived(git: Git): Promise<readonly string[]> {
  const paths = partsOf(await git.ask(["ls-files", "-z", "--", "memory"]));
  return paths.filter((path) => mergeKindOf(path) === "derived");
}

/** Files that belong to one machine and are tracked nevertheless. */
async function trackedLocal(git: Git): Promise<readonly string[]> {
  const paths = partsOf(await git.ask(["ls-files", "-z", "--", ".heartwood", "memory/.compaction-state.json"]));
  return paths.filter((path) => mergeKindOf(path) === "local");
}

async function textOf({ files }: TreeMemory, path: string): Promise<string> {
  return decodeText((await files.read(path))?.bytes ?? new Uint8Array(0)) ?? "";
}
