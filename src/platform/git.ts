import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { MemoryError } from "../base/errors.ts";
import { decodeText } from "../base/lines.ts";
import type { Commands } from "./commands.ts";
import { createNodeFiles } from "./node-files/node-files.ts";
import { shippedFile } from "./program.ts";

/** The git repository that contains a project folder. */
export interface Git {
  /** The project folder in the working tree, with `/` at its end; empty at the top. */
  readonly prefix: string;
  /** Runs a git command in the project folder and returns what it prints. Errors: `io`. */
  run(words: readonly string[]): Promise<Uint8Array>;
  /** The same; `undefined` if the command fails. */
  ask(words: readonly string[]): Promise<Uint8Array | undefined>;
  /** The text of `info/attributes`, which git prefers to every `.gitattributes` and never shares; empty if there is none. */
  readAttributes(): Promise<string>;
  /** Replaces it; an empty text removes it. This is all that heartwood writes in a `.git` folder (docs/decisions/0051). Errors: `io`, `changed_by_other`. */
  writeAttributes(before: string, after: string): Promise<void>;
}

const timeLimit = 120_000;

/**
 * Runs a git command in the project folder; `undefined` if it fails. No program that a configuration names is run, except
 * filters when a file is added or read, as in any git command; nothing is fetched.
 */
export async function askGit(
  commands: Commands,
  program: string,
  words: readonly string[],
  input?: Uint8Array,
): Promise<Buffer | undefined> {
  const options = { timeoutMs: timeLimit, output: "kept", env: safeEnvironment } as const;
  const given = input === undefined ? options : { ...options, input };
  const { status, output } = await commands.run(program, [...safely, ...words], given);
  return status === 0 ? Buffer.from(output ?? []) : undefined;
}

const safely = [
  "--no-pager",
  "--no-optional-locks",
  "--no-replace-objects",
  "--literal-pathspecs",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"].flatMap((one) => ["-c", one]),
];
/** A partial clone would run what its configuration names to fetch what it lacks. */
const safeEnvironment = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/** Opens the repository around the project folder. `undefined`: there is none, or no git. */
export async function openGit({ commands }: { readonly commands: Commands }): Promise<Git | undefined> {
  const program = await commands.find("git");
  if (program === undefined) return undefined;
  const ask: Git["ask"] = (words) => askGit(commands, program, words);
  const run: Git["run"] = async (words) => {
    const output = await ask(words);
    if (output !== undefined) return output;
    const command = words.slice(0, 2).join(" ");
    throw new MemoryError("io", `\`git ${command}\` failed; run \`git status\` to see why, then try again.`);
  };
  const found = await ask(["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"]);
  if (found === undefined) return undefined;
  const [common = "", prefix = ""] = (decodeText(found) ?? "").split("\n");
  const own = createNodeFiles({ root: common });
  const path = "info/attributes";
  return {
    prefix,
    run,
    ask,
    readAttributes: async () => decodeText((await own.read(path))?.bytes ?? new Uint8Array(0)) ?? "",
    writeAttributes: async (before, after) => {
      const read = await own.read(path);
      const isSame = (decodeText(read?.bytes ?? new Uint8Array(0)) ?? "") === before;
      const expect = read === undefined ? "absent" : { stamp: read.stamp };
      const bytes = after === "" ? undefined : Buffer.from(after);
      const [done] = isSame ? await own.commit([{ path, bytes, expect }]) : [];
      if (done !== undefined && done.outcome !== "changed") return;
      const message = `${common}/${path} is being changed by another program; run the command again.`;
      throw new MemoryError("changed_by_other", message, { path: `${common}/${path}` });
    },
  };
}

/** The command that git runs to merge a file: this Node and this program, by their absolute paths, quoted for sh. */
export function driverCommand(): string {
  const words = [process.execPath, shippedFile("dist/bin.js")].map(quoted).join(" ");
  return `${words} git merge-driver %O %A %B %P`;
}

/** The absolute paths in a registered command of which there is no file. */
export function missingPrograms(command: string): readonly string[] {
  const paths = [...command.matchAll(/'((?:[^']|'\\'')*)'/gu)].map(([, path = ""]) => path.replaceAll(`'\\''`, "'"));
  return paths.filter((path) => !existsSync(path));
}

/** A path from git's index or output: text between NULs. */
export function partsOf(output: Uint8Array | undefined): readonly string[] {
  return (decodeText(output ?? new Uint8Array(0)) ?? "").split("\0").filter((part) => part !== "");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The commits that a merge joins. The base is `undefined` if they have none in common. */
export interface MergeSides {
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** The commits that a stopped merge, cherry-pick, rebase or revert joins. */
export async function sidesOf(git: Git): Promise<MergeSides | undefined> {
  const found = (...words: string[]): Promise<string | undefined> =>
    revisionOf(git, ["rev-parse", "-q", "--verify", ...words]);
  const merged = await found("MERGE_HEAD");
  if (merged !== undefined)
    return { base: await revisionOf(git, ["merge-base", "HEAD", merged]), ours: "HEAD", theirs: merged };
  const picked = (await found("CHERRY_PICK_HEAD")) ?? (await found("REBASE_HEAD"));
  if (picked !== undefined) return { base: await found(`${picked}^`), ours: "HEAD", theirs: picked };
  const reverted = await found("REVERT_HEAD");
  const before = reverted === undefined ? undefined : await found(`${reverted}^`);
  return before === undefined ? undefined : { base: reverted, ours: "HEAD", theirs: before };
}

/** What git prints first for a command. */
export async function revisionOf(git: Git, words: readonly string[]): Promise<string | undefined> {
  const found = await git.ask(words);
  return found === undefined ? undefined : decodeText(found)?.split("\n")[0];
}

/** The versions of conflicted files in the index: by path, the blobs of base, ours and theirs. */
export type Unmerged = ReadonlyMap<string, readonly (string | undefined)[]>;

/** Errors: `io`. */
export async function unmergedIn(git: Git): Promise<Unmerged> {
  const files = new Map<string, (string | undefined)[]>();
  for (const row of partsOf(await git.run(["ls-files", "-u", "-z"]))) {
    const [, blob, stage, path = ""] = /^\d+ ([0-9a-f]+) ([123])\t([\s\S]+)$/u.exec(row) ?? [];
    const blobs = files.get(path) ?? [undefined, undefined, undefined];
    blobs[Number(stage) - 1] = blob;
    files.set(path, blobs);
  }
  return files;
}
