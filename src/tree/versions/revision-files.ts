import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { compareTexts } from "../../base/lists.ts";
import type { Commands } from "../../platform/commands.ts";
import { askGit, type MergeSides } from "../../platform/git.ts";
import type { FileEntry } from "../../platform/files.ts";
import { shown } from "../../text/shown.ts";
import { presentLogs } from "../logs/logical-files.ts";
import type { TreeMemory } from "../memory.ts";
import { movedIn, type MergedMoved } from "../merge/files.ts";
import type { FileVersions } from "../merge/logs.ts";
import { movedPath } from "../model/period.ts";
import { overlayFiles, type ReadableFiles } from "./as-of.ts";

export interface Revision {
  /** 40 or 64 digits. */
  readonly commit: string;
  /** The project folder's files in that commit. */
  readonly files: ReadableFiles;
}

/** git, for reading commits. Nothing that a repository's configuration names is run: no filter, hook, pager, monitor or remote helper. */
export class GitReader {
  readonly #program: string;
  readonly #commands: Commands;
  readonly #takes: "revisions" | "versions";

  private constructor(program: string, commands: Commands, takes: "revisions" | "versions") {
    this.#program = program;
    this.#commands = commands;
    this.#takes = takes;
  }

  /** `takes`: what the caller accepts, for messages: only names that git knows, or days and folders too. Errors: `not_found` if there is no git. */
  static async open(commands: Commands, takes: "revisions" | "versions" = "revisions"): Promise<GitReader> {
    const program = await commands.find("git");
    if (program !== undefined) return new GitReader(program, commands, takes);
    const instead = takes === "versions" ? "install it, or pass dates" : "install it";
    throw new MemoryError("not_found", `git is not on PATH, so revisions cannot be compared; ${instead}.`);
  }

  /** Opens a commit by any name that git knows. Errors: `not_found`, `io`. */
  async revision(name: string): Promise<Revision> {
    const commit = await this.#commit(name);
    const listed = await this.#run([
      "ls-tree",
      "-r",
      "-l",
      "-z",
      commit,
      "--",
      "memory",
      "heartwood.config.json",
      "hipocampus.config.json",
    ]);
    return { commit, files: this.#filesIn(commit, listed.toString("utf8")) };
  }

  /** The commit at which two histories parted; the first of them if they share none. Errors: `not_found`. */
  async mergeBase(one: string, other: string): Promise<string> {
    const [a, b] = [await this.#commit(one), await this.#commit(other)];
    const base = await this.#ask(["merge-base", a, b]);
    return base?.toString("utf8").trim() ?? a;
  }

  async #commit(name: string): Promise<string> {
    const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const found = name.startsWith("-") ? undefined : await this.#ask(words);
    const commit = found?.toString("utf8").trim() ?? "";
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(commit)) return commit;
    const seen = shown(name, 80);
    const others = this.#takes === "versions" ? "a day (2026-03-15), a folder (./other), or " : "";
    const message = `"${seen}" is not a commit of the git repository around this folder; pass ${others}a branch, tag or commit.`;
    throw new MemoryError("not_found", message, { revision: seen });
  }

  #ask(words: readonly string[], input?: Uint8Array): Promise<Buffer | undefined> {
    return askGit(this.#commands, this.#program, words, input);
  }

  async #run(words: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const output = await this.#ask(words, input);
    if (output !== undefined) return output;
    throw new MemoryError("io", `\`git ${words[0]}\` failed; run \`git status\` to see why.`);
  }

  /** `listed`: what `git ls-tree -r -l -z` prints. Links and submodules are left out. */
  #filesIn(commit: string, listed: string): ReadableFiles {
    const blobs = new Map<string, Blob>();
    for (const row of listed.split("\0")) {
      const [, id, size, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/su.exec(row) ?? [];
      if (id !== undefined && path !== undefined) blobs.set(path, { id, size: Number(size) });
    }
    const contents = new Map<string, Uint8Array>();
    const paths = [...blobs.keys()].toSorted(compareTexts);
    const entriesIn = (dir: string): readonly FileEntry[] => {
      const found = new Map<string, FileEntry>();
      for (const path of paths) {
        const rest = dir === "" ? path : path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : "";
        const [name = "", ...more] = rest.split("/");
        const { id, size } = blobs.get(path) as Blob;
        if (rest === "" || found.has(name)) continue;
        const own = { name, stamp: more.length > 0 ? commit : id, changedAt: 0 };
        found.set(name, more.length > 0 ? { ...own, kind: "folder", size: 0 } : { ...own, kind: "file", size });
      }
      return [...found.values()].toSorted((a, b) => compareTexts(a.name, b.name));
    };
    const load = async (path: string): Promise<void> => {
      const batch: string[] = [];
      let size = 0;
      for (const next of paths.slice(paths.indexOf(path))) {
        if (batch.length > 0 && (batch.length >= batchFiles || size >= batchBytes)) break;
        if (contents.has(next)) continue;
        batch.push(next);
        size += blobs.get(next)?.size ?? 0;
      }
      const ids = batch.map((one) => `${blobs.get(one)?.id}\n`).join("");
      const output = await this.#run(["cat-file", "--batch"], Buffer.from(ids));
      let at = 0;
      for (const one of batch) {
        const end = output.indexOf(10, at);
        const [, bytes] = /^[0-9a-f]+ blob (\d+)$/u.exec(output.toString("latin1", at, Math.max(at, end))) ?? [];
        if (bytes === undefined) throw new MemoryError("io", `git could not read ${one} in ${commit}.`, { path: one });
        contents.set(one, output.subarray(end + 1, end + 1 + Number(bytes)));
        at = end + 1 + Number(bytes) + 1;
      }
    };
    return {
      id: "git-revision",
      list: async (dir) => entriesIn(dir),
      names: async (dir) => entriesIn(dir).map(({ name }) => name),
      read: async (path, range) => {
        const blob = blobs.get(path);
        if (blob === undefined) return undefined;
        if (!contents.has(path) && range?.to !== 0) await load(path);
        const bytes = contents.get(path)?.subarray(range?.from ?? 0, range?.to ?? blob.size) ?? new Uint8Array();
        return { bytes, size: blob.size, stamp: blob.id };
      },
    };
  }
}

interface Blob {
  readonly id: string;
  readonly size: number;
}

/** What the commits that a merge joins have of shortened notes. */
export interface JoinedLogs {
  readonly moved: MergedMoved;
  /** The whole log in each of them. Errors: `archive_damaged`, `io`. */
  read(log: string): Promise<FileVersions>;
}

/** Opens the commits that a merge joins. `undefined`: the record of shortened notes is invalid in one. Errors: `not_found`, `io`. */
export async function openJoined(opened: TreeMemory, sides: MergeSides): Promise<JoinedLogs | undefined> {
  const reader = await GitReader.open(opened.commands);
  const files = await Promise.all(
    [sides.base, sides.ours, sides.theirs].map(async (name) =>
      name === undefined ? undefined : overlayFiles((await reader.revision(name)).files, { isHidden: () => false }),
    ),
  );
  const [was, left, right] = await Promise.all(files.map(async (one) => (await one?.read(movedPath))?.bytes));
  const moved = movedIn({ base: was, ours: left, theirs: right });
  if (moved === undefined) return undefined;
  const whole = await Promise.all(files.map((one) => one && presentLogs(opened, one)));
  return {
    moved,
    read: async (log) => {
      const [base, ours, theirs] = await Promise.all(whole.map(async (one) => (await one?.files.read(log))?.bytes));
      return { base, ours, theirs };
    },
  };
}

const batchFiles = 512;
const batchBytes = 4 * 1024 * 1024;
