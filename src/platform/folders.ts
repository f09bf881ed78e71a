import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { MemoryError, systemCodeOf, attempt } from "../base/errors.ts";
import { isObject, parseJsonWithComments } from "../base/json.ts";
import { decodeText } from "../base/lines.ts";
import { isFolder, makeFolders, readIfThere } from "./local-state/disk.ts";
import { userDataFolder } from "./program.ts";
import { isRefusedWorktree, mainCheckoutOf, worktreesOf } from "./worktrees.ts";

const CONFIG_FILES = ["heartwood.config.json", "hipocampus.config.json"] as const;

const DATED_LOG = /^\d{4}-\d{2}-\d{2}.*\.md$/;

/** Whether the user has accepted this owner's files in a folder. */
type Acceptance = (dir: string, owner: number) => boolean;

/** What names a memory's folder: `dir`, or else the folder to search from, by default the current one. */
interface Where {
  readonly dir?: string | undefined;
  readonly from?: string | undefined;
}

/**
 * The absolute path of the folder to work in: the given one, else the nearest folder, searching upward, that has a configuration, a `memory/` with
 * dated logs, or threads. A given folder may also have just a MEMORY.md. Errors: `no_memory` if there is none, `other_owner` if it belongs to another
 * user and that was not accepted.
 */
export function findProjectFolder({ dir: named, from = process.cwd() }: Where, isAccepted: Acceptance): string {
  const dir = named === undefined ? nearestUpwards(realPath(from)) : checked(resolve(notEmpty(named)));
  refuseOtherOwner(dir, isAccepted);
  return dir;
}

/** The nearest memory at or above a folder; `undefined` if there is none or a folder is unreadable. */
export function nearestMemory(from: string): { readonly dir: string; readonly configured: "yes" | "no" } | undefined {
  try {
    const dir = nearestUpwards(realPath(from));
    return { dir, configured: existsSync(join(dir, CONFIG_FILES[0])) ? "yes" : "no" };
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

/**
 * The folder that `heartwood trust` applies to: the given one, else the nearest memory at or above the current folder, else the current folder.
 * Errors: `invalid_path`; `other_owner` if no folder was given.
 */
export function folderToTrust(named: string | undefined): string {
  const dir = named === undefined ? (nearestMemory(process.cwd())?.dir ?? process.cwd()) : resolve(notEmpty(named));
  if (!isFolder(dir))
    throw new MemoryError("invalid_path", `There is no folder at ${dir}; pass the path of an existing folder.`, {
      dir,
    });
  if (named === undefined) refuseOtherOwner(dir, () => false);
  return realpathSync(dir);
}

/** Files whose owner is checked: those read first, and those hooks pass to an agent. */
const owned: readonly string[] = [
  ...CONFIG_FILES,
  "memory",
  ".heartwood",
  "MEMORY.md",
  "USER.md",
  "WORKING.md",
  "SCRATCHPAD.md",
  "TASK-QUEUE.md",
  join("memory", "ROOT.md"),
];

/** Paths in a memory that other users own. Under sudo, the invoking user's files count as ours. */
export function otherOwners(dir: string): readonly { readonly path: string; readonly owner: number }[] {
  const own = process.getuid?.();
  if (own === undefined) return [];
  const ours = new Set([own, ...(own === 0 ? sudoUser() : [])]);
  return [dir, ...owned.map((name) => join(dir, name))].flatMap((path) => {
    const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
    return owner === undefined || ours.has(owner) ? [] : [{ path, owner }];
  });
}

/** Like git's `safe.directory`: a user who can write to the folder controls what the memory says. Errors: `other_owner`. */
export function refuseOtherOwner(dir: string, isAccepted: Acceptance): void {
  const others = otherOwners(dir);
  const refused = [...new Set(others.map(({ owner }) => owner))].find((owner) => !isAccepted(dir, owner));
  const other = others.find(({ owner }) => owner === refused);
  if (other === undefined) return;
  const { path, owner } = other;
  const message = `${path} belongs to another user (id ${owner}), who controls what your agents would read; run \`heartwood trust ${dir}\` to use it anyway.`;
  throw new MemoryError("other_owner", message, { path, owner });
}

function sudoUser(): readonly number[] {
  const id = Number(process.env["SUDO_UID"] ?? "");
  return Number.isInteger(id) && id > 0 ? [id] : [];
}

/** The folder for a new memory: the given one, else the current one or, in a worktree, its counterpart in the main checkout. Created if missing. */
export function prepareProjectFolder({ dir: named, from = process.cwd() }: Where, isAccepted: Acceptance): string {
  const dir = named === undefined ? folderToPrepare(from) : resolve(notEmpty(named));
  if (isFolder(dir)) refuseOtherOwner(dir, isAccepted);
  else if (existsSync(dir)) {
    const message = `${dir} is not a folder; set --dir to a folder, or to a path that does not exist yet.`;
    throw new MemoryError("invalid_path", message, { dir });
  }
  try {
    makeFolders(dir, 0o777);
  } catch (error) {
    const code = systemCodeOf(error) ?? "unknown error";
    throw new MemoryError("io", `The folder ${dir} cannot be created (${code}); choose another one with --dir.`, {
      dir,
    });
  }
  return dir;
}

function notEmpty(named: string): string {
  if (named.trim() !== "") return named;
  const message = "--dir is empty; pass the project folder, or omit --dir to use the current one.";
  throw new MemoryError("invalid_path", message);
}

/** In a worktree, the main checkout's memory comes first. */
function nearestUpwards(from: string): string {
  const dir = sharedMemory(from) ?? memoriesUpwards(from).next().value;
  if (dir !== undefined) return dir;
  const message =
    `Neither ${from} nor any folder above it in its repository has a heartwood.config.json or a memory/ with dated logs (YYYY-MM-DD.md); ` +
    "run `heartwood init` to create a memory here, or pass the project folder with --dir.";
  const top = topOf(from);
  const isRefused = top !== undefined && isRefusedWorktree(top);
  const why = ` The .git file in ${top} names a checkout that does not list this worktree, so that checkout's memory is not used; if one of them was moved, run \`git worktree repair\`.`;
  throw new MemoryError("no_memory", isRefused ? message + why : message, { dir: from });
}

/** The memories at and above a folder, nearest first. */
function* memoriesUpwards(from: string): Generator<string, undefined> {
  for (const dir of foldersUpwards(from)) if (isMemory(dir)) yield dir;
}

function isMemory(dir: string): boolean {
  return hasConfig(dir) || hasDatedLogs(dir) || hasThreads(dir);
}

/** Like git, stops at the top of the repository or file system; also stops at the home folder. */
function* foldersUpwards(from: string): Generator<string, undefined> {
  const home = realPath(homedir());
  const device = deviceOf(from);
  for (let dir = from; ; dir = dirname(dir)) {
    yield dir;
    const above = dirname(dir);
    if (above === dir || dir === home || isTop(dir) || deviceOf(above) !== device) return;
  }
}

/** Whether a folder is the top of a checkout, worktree or submodule. */
function isTop(dir: string): boolean {
  return existsSync(join(dir, ".git"));
}

function topOf(from: string): string | undefined {
  return [...foldersUpwards(from)].findLast(isTop);
}

/** A folder's counterpart in the main checkout, which may not exist, and the nearest folder that does; `undefined` if the folder is not in a worktree. */
function inMainCheckout(from: string): { readonly dir: string; readonly existing: string } | undefined {
  const top = topOf(from);
  const main = top === undefined ? undefined : mainCheckoutOf(top);
  if (top === undefined || main === undefined) return undefined;
  const dir = join(main, relative(top, from));
  let existing = dir;
  while (existing !== main && !isFolder(existing)) existing = dirname(existing);
  return { dir, existing };
}

/** The memory of the main checkout that a worktree shares. */
function sharedMemory(from: string): string | undefined {
  const there = inMainCheckout(from);
  const dir = there === undefined ? undefined : memoriesUpwards(there.existing).next().value;
  return dir !== undefined && isShared(dir) ? dir : undefined;
}

/** Where `init` creates a memory. In the main checkout, it survives the worktree. */
function folderToPrepare(from: string): string {
  const there = inMainCheckout(from);
  if (there === undefined) return from;
  const dir = memoriesUpwards(there.existing).next().value;
  const isOwn = dir === undefined ? memoriesUpwards(from).next().value !== undefined : !isShared(dir);
  return isOwn ? from : there.dir;
}

/** Whether worktrees use this memory. A configuration that cannot be read does not say otherwise; opening the memory reports it. */
function isShared(dir: string): boolean {
  const name = CONFIG_FILES.find((one) => existsSync(join(dir, one)));
  const bytes = name === undefined ? undefined : readIfThere(join(dir, name));
  const value = bytes === undefined ? undefined : jsonIn(decodeText(bytes) ?? "");
  return !isObject(value) || value["worktrees"] !== "own";
}

function jsonIn(text: string): unknown {
  try {
    return parseJsonWithComments(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The folders whose sessions belong to a memory: its own and, if worktrees share it, its counterparts there. */
export function foldersOfMemory(dir: string): readonly string[] {
  const real = realPath(dir);
  const top = topOf(real);
  if (top === undefined || !isShared(real)) return [dir];
  return [dir, ...worktreesOf(top).map((worktree) => join(worktree, relative(top, real)))];
}

/** The real path; the absolute path if nothing exists there. */
export function realPath(path: string): string {
  const full = resolve(path);
  return existsSync(full) ? realpathSync(full) : full;
}

function deviceOf(dir: string): number | undefined {
  return statSync(dir, { throwIfNoEntry: false })?.dev;
}

function checked(dir: string): string {
  // A MEMORY.md alone is enough for an audit. The upward search ignores it, since it may belong to another program.
  const isOne =
    hasConfig(dir) || isFolder(join(dir, "memory")) || hasThreads(dir) || existsSync(join(dir, "MEMORY.md"));
  if (isOne) return dir;
  throw new MemoryError("no_memory", whyNot(dir), { dir });
}

function whyNot(dir: string): string {
  if (!existsSync(dir) && isPersonal(dir)) return "There is no personal memory yet; run `heartwood init --personal`.";
  if (!existsSync(dir))
    return `${dir} does not exist; set --dir to an existing project folder, or run \`heartwood init --dir ${dir}\`.`;
  if (!isFolder(dir)) return `${dir} is not a folder; set --dir to the project folder that contains memory/.`;
  if (hasDatedLogs(dirname(dir)) && dir.endsWith("memory")) {
    return `${dir} is the memory/ folder itself; set --dir to the folder that contains it: ${dirname(dir)}.`;
  }
  return `${dir} has no heartwood.config.json, no memory/ folder and no MEMORY.md; run \`heartwood init --dir ${dir}\` to create a memory there.`;
}

function hasConfig(dir: string): boolean {
  return CONFIG_FILES.some((name) => existsSync(join(dir, name)));
}

/** Whether there are threads; a program may store nothing else. */
function hasThreads(dir: string): boolean {
  return existsSync(join(dir, ".heartwood", "threads", "threads.sqlite"));
}

function hasDatedLogs(dir: string): boolean {
  const memory = join(dir, "memory");
  if (!isFolder(memory)) return false;
  try {
    return readdirSync(memory).some((name) => DATED_LOG.test(name));
  } catch (error) {
    const code = systemCodeOf(error) ?? "unknown error";
    const message = `The folder ${memory} cannot be listed (${code}); make it readable or choose another one with --dir.`;
    throw new MemoryError("io", message, { dir });
  }
}

/** Whether a folder is that of the personal memory. */
export function isPersonal(dir: string): boolean {
  const personal = userDataFolder();
  return personal !== undefined && realPath(personal) === realPath(dir);
}

/** The personal memory, if there is one. */
export function personalMemory(): string | undefined {
  const dir = userDataFolder();
  return dir !== undefined && attempt(() => isMemory(dir)) === true ? realPath(dir) : undefined;
}

/** The memories under a memory, which recall also asks, in order: that of the repository's root, if this one is a subfolder's, and the user's own. */
export function foldersUnder(dir: string): readonly { readonly name: "above" | "personal"; readonly dir: string }[] {
  if (isPersonal(dir)) return [];
  const own = realPath(dir);
  const personal = personalMemory();
  try {
    const above = topOf(own) === undefined ? undefined : [...memoriesUpwards(own)].findLast((one) => one !== own);
    return [
      ...(above === undefined || isPersonal(above) ? [] : [{ name: "above" as const, dir: above }]),
      ...(personal === undefined ? [] : [{ name: "personal" as const, dir: personal }]),
    ];
  } catch (error) {
    // A folder that cannot be listed.
    if (error instanceof MemoryError) return [];
    throw error;
  }
}

/** Copies a folder of sample logs to `memory/` in a new temporary folder. */
export function copySamples(source: string): { readonly dir: string; remove(): void } {
  if (!existsSync(source)) {
    const message = `The sample logs are not at ${source}, where the package ships them; reinstall heartwood.`;
    throw new MemoryError("io", message);
  }
  const dir = mkdtempSync(join(tmpdir(), "heartwood-demo-"));
  cpSync(source, join(dir, "memory"), { recursive: true });
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Agents, the marks they leave in a project (one mark is enough, but all its files must exist), and their folder in the home folder. First match wins. */
const agents: readonly { readonly platform: string; readonly marks: readonly string[][]; readonly home: string }[] = [
  { platform: "openclaw", marks: [["AGENTS.md", "SOUL.md"]], home: ".openclaw" },
  { platform: "claude-code", marks: [["CLAUDE.md"], [".claude"]], home: ".claude" },
  { platform: "opencode", marks: [[".opencode"], ["opencode.json"], ["opencode.jsonc"]], home: ".config/opencode" },
  { platform: "codex", marks: [[".codex"]], home: ".codex" },
  { platform: "gemini", marks: [["GEMINI.md"], [".gemini"]], home: ".gemini" },
];

/** Editors with a built-in agent. The agents above take precedence, since they may be used next to an editor. */
const editors = ["cursor", "windsurf"] as const;

/** Detects which agent uses the folder: by its files, else by the home folder if only one agent is there. `because` is part of a sentence. */
export function detectPlatform(dir: string): { readonly platform: string; readonly because: string } {
  const home = homedir();
  if (dir.startsWith(join(home, ".openclaw") + sep))
    return { platform: "openclaw", because: "the folder is in ~/.openclaw" };
  for (const { platform, marks } of agents) {
    const found = marks.find((names) => names.every((name) => existsSync(join(dir, name))));
    if (found !== undefined) return { platform, because: `the folder has ${found.join(" and ")}` };
  }
  const github = join(dir, ".github");
  const copilot = isFolder(github) ? readdirSync(github).find((name) => name.startsWith("copilot")) : undefined;
  if (copilot !== undefined) return { platform: "copilot", because: `the folder has .github/${copilot}` };
  const editor = editors.find((name) => existsSync(join(dir, `.${name}`)));
  if (editor !== undefined) return { platform: editor, because: `the folder has .${editor}` };
  // Several agents in the home folder say nothing about this one.
  const [only, ...more] = agents.filter((agent) => existsSync(join(home, agent.home)));
  return only === undefined || more.length > 0
    ? { platform: "plain", because: "no agent's files were found" }
    : { platform: only.platform, because: `your home folder has ${only.home} and no other agent's folder` };
}
