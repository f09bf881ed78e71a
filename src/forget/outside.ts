import { ifMemoryError } from "../base/errors.ts";
import type { AgentMemory } from "../agents/memory.ts";
import type { Client } from "../agents/transcripts/transcripts.ts";
import type { Needles } from "../text/folded.ts";

/** What heartwood cannot forget: it shows where the text still is. */
export interface Outside {
  /** Commits that added or changed a file with the text; null without git, or if the folder is not in a repository. */
  readonly commits: {
    readonly count: number;
    readonly newest: string | null;
    /** `part`: there were too many versions to read all of them. */
    readonly read: "all" | "part";
  } | null;
  /** Transcripts of clients, absolute paths. */
  readonly transcripts: readonly string[];
}

export async function findOutside(
  memory: AgentMemory,
  { needles, paths }: { readonly needles: Needles; readonly paths: readonly string[] },
): Promise<Outside> {
  if (needles.size === 0) return { commits: null, transcripts: [] };
  return { commits: await findCommits(memory, needles, paths), transcripts: await findTranscripts(memory, needles) };
}

const timeoutMs = 20_000;
const mostVersions = 1_000;
/** Nothing in a repository may make git run a program. */
const harmless = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

const rawLog = ["log", "--all", "--raw", "--no-abbrev", "--no-renames", "-m"];

/** Reads versions of files from git and searches them here: the text is in no argument of another program. */
async function findCommits(
  { commands }: AgentMemory,
  needles: Needles,
  paths: readonly string[],
): Promise<Outside["commits"]> {
  const program = await commands.find("git");
  if (program === undefined) return null;
  const ask = async (words: readonly string[], input?: string): Promise<Uint8Array | undefined> => {
    const given = input === undefined ? {} : { input: Buffer.from(input) };
    const { status, output } = await commands.run(program, [...harmless, ...words], {
      timeoutMs,
      output: "kept",
      ...given,
    });
    return status === 0 ? output : undefined;
  };
  const format = "--format=%x00%h %cI";
  const log = await ask([...rawLog, format, "--", "memory", "*.md", ...paths]);
  if (log === undefined) return null;
  const commits = Buffer.from(log)
    .toString("utf8")
    .split("\0")
    .slice(1)
    .map((text) => {
      const [head = "", ...changes] = text.split("\n");
      const blobs = changes.flatMap(
        (line) => /^:\d{6} \d{6} [0-9a-f]{40,64} ([0-9a-f]{40,64}) [AMT]\t/u.exec(line)?.[1] ?? [],
      );
      return { head, blobs };
    });
  const versions = [...new Set(commits.flatMap(({ blobs }) => blobs))];
  const some = versions.slice(0, mostVersions);
  const batch = some.length === 0 ? undefined : await ask(["cat-file", "--batch"], `${some.join("\n")}\n`);
  const having = new Set(batch === undefined ? [] : blobsWith(Buffer.from(batch), needles));
  const found = commits.filter(({ blobs }) => blobs.some((blob) => having.has(blob)));
  const newest = found[0]?.head ?? null;
  return { count: found.length, newest, read: versions.length > mostVersions ? "part" : "all" };
}

/** The ids of the blobs with the text, from the output of `git cat-file --batch`. */
function blobsWith(batch: Buffer, needles: Needles): readonly string[] {
  const found: string[] = [];
  for (let from = 0; from < batch.length;) {
    const end = batch.indexOf(10, from);
    const [id = "", kind, size] = batch.toString("latin1", from, end < 0 ? undefined : end).split(" ");
    if (end < 0) break;
    const length = kind === "blob" ? Number(size) : -1;
    if (length > 0 && needles.isInBytes(batch.subarray(end + 1, end + 1 + length))) found.push(id);
    from = end + 1 + length + 1;
  }
  return found;
}

const clients: readonly Client[] = ["claude-code", "codex", "gemini", "copilot", "opencode", "openclaw"];
const mostTranscripts = 200;

/** The newest transcripts of sessions in this folder. */
async function findTranscripts(memory: AgentMemory, needles: Needles): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const client of clients) {
    const sources = await memory.transcripts
      .find({ client, folders: [memory.dir], most: mostTranscripts })
      .catch(ifMemoryError(() => []));
    for (const source of sources)
      for await (const item of memory.transcripts.read(source, {}))
        if (item.kind === "message" && needles.isIn(item.message.text)) {
          found.add(source.path);
          break;
        }
  }
  return [...found].toSorted();
}
