import { MemoryError } from "../../base/errors.ts";
import type { ForgetResult } from "../../forget/forget.ts";
import type { CommonOptions } from "../../operations/command-line.ts";
import { visible, visibleIn } from "../../text/visible.ts";
import type { Input } from "./input.ts";
import { screenOf, counted, type Screen } from "./render/layout.ts";
import { askYes, type Terminal } from "./terminal.ts";

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
  terminal.stderr.write(`${visible(listOf(visibleIn(result), screen).join("\n"))}\n`);
  const what = whatGoes(result);
  if (terminal.stdin.kind() !== "terminal" || common.output === "json")
    throw new MemoryError(
      "usage",
      `${what} would be forgotten, and there is no terminal to confirm on; pass --yes to forget them, or --dry-run to preview it.`,
    );
  if (await askYes(terminal, `Forget ${what} for good? [y/N] `)) return again(result.code);
  throw new MemoryError("aborted", "Nothing was changed.");
}

function whatGoes({ lines, messages }: ForgetResult): string {
  const parts = [
    ...(lines.length === 0 ? [] : [counted(lines.length, "line")]),
    ...(messages.length === 0 ? [] : [counted(messages.length, "message")]),
  ];
  return parts.join(" and ");
}

export function renderForget(result: ForgetResult, screen: Screen): string {
  const { state, files, left, shared, warnings } = result;
  const { paint } = screen;
  if (state === "nothing") return "Nothing found to forget.";
  if (state === "finished") return "Finished what was left to forget. Nothing else found.";
  const headline =
    state === "planned"
      ? `Nothing was changed (--dry-run); ${whatGoes(result)} would be forgotten.`
      : `${paint.good("Forgotten")}: ${whatGoes(result)}; ${counted(files.length, "other file")} changed or removed.`;
  return [
    ...(state === "planned" ? [...listOf(result, screen), ""] : []),
    headline,
    ...(shared === 0
      ? []
      : [paint.dim(`${counted(shared, "line is", "lines are")} also in other entries, which stay.`)]),
    ...left.map((path) => paint.warn(`Still in ${path}: edit it yourself.`)),
    ...outsideLines(result, screen),
    ...warnings.map(({ message }) => paint.dim(message)),
  ].join("\n");
}

function listOf({ lines, messages }: ForgetResult, { paint }: Screen): readonly string[] {
  return [
    ...lines.map(({ path, line, text }) => `${paint.dim(`${path}:${line}`)}  ${text}`),
    ...messages.map(({ thread_id, seq, text }) => `${paint.dim(`thread:${thread_id}:${seq}`)}  ${text}`),
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
