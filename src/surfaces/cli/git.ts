import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { operation } from "../../operations/table.ts";
import { createNodeFiles } from "../../platform/node-files/node-files.ts";
import { mergeFiles, mergeKindOf } from "../../tree/merge/files.ts";
import { memoryFolder, nodeLevels, recordsFolder, rootPath } from "../../tree/model/period.ts";
import { openGit } from "../../platform/git.ts";
import { readForgotten } from "../../tree/logs/forgotten.ts";
import { derivedNow, gitOf, setUpGit, undoGitSetup, type Derived, type GitSetupResult } from "../../tree/git/setup.ts";
import { resolveMerges, type ResolveResult } from "../../tree/git/resolve.ts";
import { visible, visibleIn } from "../../text/visible.ts";
import type { Memory } from "../../operations/operation.ts";
import { jsonText } from "./print.ts";
import { askYes, type LocalCall, type Terminal } from "./terminal.ts";
import type { ForgetResult } from "../../forget/forget.ts";
import type { CommonOptions } from "../../operations/command-line.ts";
import type { Input } from "./input.ts";
import { screenOf, counted, type Screen } from "./render/layout.ts";

/** `heartwood git setup`: asks which way to take, unless it is named or was chosen before. */
export async function runGitSetup(call: LocalCall): Promise<void> {
  await withMemory(call, async (memory) => {
    const isUndo = call.input["undo"] === true;
    const result = isUndo
      ? await undoGitSetup(memory)
      : await setUpGit(memory, { derived: await derivedFor(call, memory) });
    tell(call, result, () => setupText(result));
  });
}

async function derivedFor({ input, terminal, common }: LocalCall, memory: Memory): Promise<Derived> {
  const named = input["derived"];
  if (named === "committed" || named === "ignored") return named;
  const { is, chosen } = await derivedNow(memory, await gitOf(memory));
  if (chosen === "yes" || terminal.stdin.kind() !== "terminal" || common.output === "json") return is;
  const now = is === "committed" ? "They are committed today." : "They are not committed today.";
  const question = `Nodes and ROOT.md are built from the logs. ${now} Commit them, so that they can be read without heartwood? [y/N] `;
  return (await askYes(terminal, question)) ? "committed" : "ignored";
}

function setupText({ action, derived, changed, untracked }: GitSetupResult): string {
  const rows = [...changed.map((path) => `  changed    ${path}`), ...untracked.map((path) => `  untracked  ${path}`)];
  if (action === "undone") return [changed.length === 0 ? "Nothing to undo." : "Undone.", ...rows].join("\n");
  const way =
    derived === "committed"
      ? "Nodes and ROOT.md are committed (--derived committed)"
      : "Nodes and ROOT.md are ignored, and each clone builds its own (--derived ignored)";
  const headline = changed.length + untracked.length === 0 ? "Git is already set up." : "Git is set up.";
  const shared = changed.filter((path) => path.startsWith(".git"));
  const news = [...shared, ...(untracked.length === 0 ? [] : ["the staged removals"])];
  const what = news.join(", ").replace(/, (?=[^,]*$)/u, " and ");
  const next = `Commit ${what}, and run \`heartwood git setup\` once in every clone.`;
  return [`${headline} ${way}.`, ...rows, ...(news.length === 0 ? [] : [next])].join("\n");
}

/** `heartwood git resolve`: merges what was left unmerged, then brings the tree up to date. */
export async function runGitResolve(call: LocalCall): Promise<void> {
  await withMemory(call, async (memory) => {
    const result = await resolveMerges(memory);
    await operation("tree.compact").run(memory, {}, { signal: call.terminal.signal });
    await stageRebuilt(memory);
    tell(call, result, () => resolveText(result));
  });
}

/** What was rebuilt is part of a merge that is not committed yet, if derived files are committed. */
async function stageRebuilt(memory: Memory): Promise<void> {
  const git = await openGit(memory);
  const isMerging = (await git?.ask(["rev-parse", "--quiet", "--verify", "MERGE_HEAD"])) !== undefined;
  if (git === undefined || !isMerging || (await git.run(["ls-files", "--", rootPath])).length === 0) return;
  const levels = nodeLevels.map((level) => `${memoryFolder}/${level}`);
  for (const path of [rootPath, recordsFolder, ...levels]) await git.ask(["add", "-A", "--", path]);
}

function resolveText({ merged, removed, left }: ResolveResult): string {
  const from = {
    conflict: "a conflict",
    merge: "the last merge",
    markers: "markers and repeats in it",
    copy: "a copy beside it",
  } as const;
  const count = merged.length + removed.length;
  return [
    count === 0 ? "Nothing to resolve." : `Resolved; the tree is up to date.`,
    ...merged.map((one) => `  merged   ${one.path} (${from[one.from]})`),
    ...removed.map((path) => `  removed  ${path}`),
    ...left.map((path) => `  left     ${path}: merge it yourself`),
  ].join("\n");
}

/** `heartwood git merge-driver`: git calls it in the top folder with the names of three temporary files. Errors: `changed_by_other` if the file needs `git resolve`. */
export async function runMergeDriver({ input, terminal }: LocalCall): Promise<void> {
  const [base = "", ours = "", theirs = "", path = ""] = ["base", "ours", "theirs", "path"].map((name) =>
    String(input[name]),
  );
  const files = createNodeFiles({ root: terminal.cwd });
  const parts = path.split("/");
  const at = parts.findIndex((_, index) => mergeKindOf(parts.slice(index).join("/")) !== undefined);
  const own = parts.slice(at).join("/");
  const kind = at < 0 ? undefined : mergeKindOf(own);
  const bytesOf = async (name: string): Promise<Uint8Array | undefined> => (await files.read(name))?.bytes;
  if (kind === undefined)
    throw new MemoryError("invalid_path", `${path} is not a file of a memory that heartwood merges.`, { path });
  const before = await bytesOf(base);
  const versions = {
    // Git gives an empty file for one that was not there.
    base: before === undefined || before.length === 0 ? undefined : before,
    ours: await bytesOf(ours),
    theirs: await bytesOf(theirs),
  };
  const forgotten = await readForgotten(createNodeFiles({ root: join(terminal.cwd, ...parts.slice(0, at)) }));
  const merged = mergeFiles(kind, versions, forgotten);
  if (merged === "conflict")
    throw new MemoryError(
      "changed_by_other",
      `An audit may have shortened a note that the other side changed or shortened too (${path}); run \`heartwood git resolve\`.`,
      { path },
    );
  await files.commit([{ path: ours, bytes: merged ?? new Uint8Array(0), expect: "anything" }]);
}

async function withMemory({ common, host }: LocalCall, use: (memory: Memory) => Promise<void>): Promise<void> {
  const { output: _output, chatter: _chatter, ...where } = common;
  const memory = await host.open({ ...where, folder: "found" });
  try {
    await use(memory);
  } finally {
    await memory.close();
  }
}

function tell({ common, terminal }: LocalCall, result: object, text: () => string): void {
  if (common.output === "json") terminal.stdout.write(jsonText(result, terminal.stdout.look()));
  else if (common.chatter === "normal") terminal.stdout.write(`${visible(text())}\n`);
}

interface Asking {
  readonly input: Input;
  readonly common: CommonOptions;
  readonly terminal: Terminal;
  /** Does it, if what would go is still what was shown. */
  again(code: string): Promise<unknown>;
}

/** Shows what would go and asks on a terminal. Errors: `usage` without a terminal, `aborted` for any answer but yes. */
export async function confirmForget(
  result: ForgetResult,
  { input, common, terminal, again }: Asking,
): Promise<unknown> {
  if (result.state !== "planned" || input["dry_run"] === true) return result;
  const screen = screenOf({ ...terminal.stderr.look(), input });
  const seen = visibleIn(result);
  terminal.stderr.write(
    `${visible([...listOf(seen, screen), ...derivedLines(seen, screen), ...stayingLines(seen, screen)].join("\n"))}\n`,
  );
  const what = whatGoes(result);
  if (terminal.stdin.kind() !== "terminal" || common.output === "json")
    throw new MemoryError(
      "usage",
      `${what} would be forgotten, and there is no terminal to confirm on; pass --yes to forget them, or --dry-run to preview it.`,
    );
  if (await askYes(terminal, `Forget ${what} for good? [y/N] `)) return again(result.code);
  throw new MemoryError("aborted", "Nothing was changed.");
}

/** Whether only what heartwood made has the text. */
function isMadeOnly({ lines, messages, fields, renames }: ForgetResult): boolean {
  return [lines, messages, fields, renames].every(({ length }) => length === 0);
}

function whatGoes(result: ForgetResult): string {
  const { lines, messages, fields, renames, files } = result;
  if (isMadeOnly(result)) return `the text in ${counted(files.length, "file")} that heartwood made`;
  const noun = fields.every(({ field }) => field === "title") ? "title" : "thread field";
  const parts = [
    ...(lines.length === 0 ? [] : [counted(lines.length, "line")]),
    ...(messages.length === 0 ? [] : [counted(messages.length, "message")]),
    ...(fields.length === 0 ? [] : [counted(fields.length, noun)]),
    ...(renames.length === 0 ? [] : [counted(renames.length, "name of a topic", "names of topics")]),
  ];
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
}

export function renderForget(result: ForgetResult, screen: Screen): string {
  const { state, files, shared } = result;
  const { paint } = screen;
  const staying = stayingLines(result, screen);
  if (state === "nothing") return ["Nothing found to forget.", ...staying].join("\n");
  if (state === "already_forgotten")
    return [`That ${namedIn(screen.input)} is already forgotten.`, ...staying].join("\n");
  if (state === "finished") return ["Finished what was left to forget. Nothing else found.", ...staying].join("\n");
  const headline =
    state === "planned"
      ? `Nothing was changed (--dry-run); ${whatGoes(result)} would be forgotten.`
      : `${paint.good("Forgotten")}: ${whatGoes(result)}${isMadeOnly(result) ? "" : `; ${counted(files.length, "other file")} changed or removed`}.`;
  return [
    ...(state === "planned" ? [...listOf(result, screen), ...derivedLines(result, screen), ""] : []),
    headline,
    ...(shared === 0
      ? []
      : [paint.dim(`${counted(shared, "line is", "lines are")} also in other entries, which stay.`)]),
    ...staying,
    ...outsideLines(result, screen),
  ].join("\n");
}

function namedIn(input: Screen["input"]): string {
  return input["message"] !== undefined ? "message" : input["day"] !== undefined ? "day" : "entry";
}

/** Files and threads that keep the text. */
function stayingLines({ left, names }: ForgetResult, { paint }: Screen): readonly string[] {
  return [
    ...left.map((path) => paint.warn(`Still in ${path}: edit it yourself.`)),
    ...names.map((name) =>
      paint.warn(
        name.startsWith("thread:")
          ? `Still in the id of ${name}, which cannot change.`
          : `Still in the name of ${name}: rename it yourself.`,
      ),
    ),
  ];
}

function listOf({ lines, messages, fields, renames, files }: ForgetResult, { paint }: Screen): readonly string[] {
  return [
    ...files.map((path) => `${paint.dim(path)}  is made again`),
    ...renames.map(({ from, to }) => `${paint.dim("topic")}  ${from} → ${to}`),
    ...lines.map(({ path, line, text }) => `${paint.dim(`${path}:${line}`)}  ${text}`),
    ...messages.map(({ thread_id, seq, text }) => `${paint.dim(`thread:${thread_id}:${seq}`)}  ${text}`),
    ...fields.map(({ thread_id, field, text }) => `${paint.dim(`thread:${thread_id} ${field}`)}  ${text}`),
  ];
}

/** What goes with it because it was made from it. */
function derivedLines({ derived }: ForgetResult, { paint }: Screen): readonly string[] {
  const { sessions, rebuilt, removed } = derived;
  return [
    ...sessions.map(({ session, texts, of, last_at }) => {
      const what = texts === of ? `its whole record (${counted(texts, "text")})` : `${texts} of its ${of} texts`;
      return `${paint.dim(`session ${session}`)}  loses ${what}, the last from ${last_at.slice(0, 10)}`;
    }),
    ...removed.map((path) => `${paint.dim(path)}  is removed`),
    ...(rebuilt.length === 0 ? [] : [paint.dim(`Made again: ${rebuilt.join(", ")}`)]),
  ];
}

/** What no command here can reach. */
function outsideLines({ state, outside }: ForgetResult, { paint }: Screen): readonly string[] {
  const { commits, transcripts } = outside;
  return [
    ...(commits === null || commits.count === 0
      ? []
      : [paint.warn(`Still in ${counted(commits.count, "commit")} of git, the newest ${commits.newest ?? ""}.`)]),
    ...transcripts.map((path) => paint.warn(`Still in a client's transcript: ${path}`)),
    ...(state === "done" ? [paint.dim("Backups and synced copies were not searched.")] : []),
  ];
}
