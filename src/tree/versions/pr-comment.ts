import { greatest } from "../../base/lists.ts";
import { visibleLine } from "../../text/visible.ts";
import type { PullRequestInput } from "../inputs.ts";
import type { TreeMemory } from "../memory.ts";
import { readBranchDiff, type DiffResult, type RootLineChange, type TopicChange } from "./diff.ts";

export interface PullRequestComment {
  /** The first line of the text, to find the comment that a job posted before. */
  readonly marker: string;
  /** Markdown, at most 60,000 characters. */
  readonly text: string;
  readonly diff: DiffResult;
}

/** The difference of two branches as a comment for a pull request. By default, that of the last commit, or of what a CI job merged. Errors: `not_found`, `io`. */
export async function readPullRequestComment(
  memory: TreeMemory,
  { base = "HEAD^", head = "HEAD" }: PullRequestInput,
): Promise<PullRequestComment> {
  const diff = await readBranchDiff(memory, base, head);
  return { marker, text: printPullRequestComment(diff), diff };
}

const marker = "<!-- heartwood pr-comment -->";
const most = { topics: 30, lines: 60, days: 6, characters: 300 };
/** More is folded. */
const mostShown = { topics: 8, lines: 12 };

/**
 * The difference as Markdown. What the memory says is in code, where no name is a mention, no address a link and no tag HTML. Depends on the difference
 * alone.
 */
export function printPullRequestComment({ from, to, topics, root }: DiffResult): string {
  const { added, changed, removed } = topics;
  const count = added.length + changed.length + removed.length;
  const lines = root.added.length + root.removed.length;
  const between = `${codeOf(from.name)} → ${codeOf(to.name)}`;
  if (count + lines === 0) return `${marker}\n**Memory:** no change (${between})\n`;
  const topicsText = `${added.length} new, ${changed.length} changed, ${removed.length} gone`;
  const lists = [...topicList("New", added), ...topicList("Changed", changed), ...topicList("Gone", removed)];
  return [
    marker,
    `**Memory:** topics: ${topicsText}; ROOT.md: ${root.added.length} lines added, ${root.removed.length} removed (${between})`,
    "",
    ...folded("Topics", count > mostShown.topics, lists),
    ...folded("ROOT.md", lines > mostShown.lines, lines === 0 ? [] : rootBlock(root)),
  ].join("\n");
}

function folded(title: string, isLong: boolean, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return isLong ? ["<details>", `<summary>${title}</summary>`, "", ...lines, "", "</details>", ""] : [...lines, ""];
}

function topicList(title: string, topics: readonly TopicChange[]): readonly string[] {
  const rows = topics.slice(0, most.topics).map(({ topic, type, was_type, days }) => {
    const types = was_type === undefined ? type : `${was_type} → ${type}`;
    return `- ${title}: ${codeOf(topic)} [${types}], ${daysText(days)}`;
  });
  return [...rows, ...moreOf(topics.length - rows.length, `${title.toLowerCase()} topics`, "- ")];
}

function daysText(days: readonly string[]): string {
  const left = days.length - most.days;
  return left <= 0 ? days.join(", ") : `${days.slice(0, most.days).join(", ")} and ${left} more days`;
}

function moreOf(left: number, what: string, before = ""): readonly string[] {
  return left <= 0 ? [] : [`${before}… and ${left} more ${what}`];
}

function rootBlock({ added, removed }: DiffResult["root"]): readonly string[] {
  const sections = new Set([...removed, ...added].map(({ section }) => section));
  const shown = { removed: removed.slice(0, most.lines), added: added.slice(0, most.lines) };
  const rows = [...sections].flatMap((section) => {
    const own = (all: readonly RootLineChange[], sign: string): readonly string[] =>
      all.filter((one) => one.section === section).map(({ text }) => `${sign} ${cut(text.replace(/^- /u, ""))}`);
    const both = [...own(shown.removed, "-"), ...own(shown.added, "+")];
    return both.length === 0 ? [] : [`@@ ${cut(section)} @@`, ...both];
  });
  const left = added.length + removed.length - shown.added.length - shown.removed.length;
  const fence = "`".repeat(Math.max(3, longestRun(rows.join("\n")) + 1));
  return [`${fence}diff`, ...rows, fence, ...moreOf(left, "lines")];
}

/** A code span, in as many backticks as its text needs. */
function codeOf(text: string): string {
  const own = cut(text);
  const ticks = "`".repeat(longestRun(own) + 1);
  const space = own.startsWith("`") || own.endsWith("`") ? " " : "";
  return `${ticks}${space}${own}${space}${ticks}`;
}

function longestRun(text: string): number {
  return greatest([0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length)]);
}

function cut(text: string): string {
  const line = visibleLine(text);
  return line.length <= most.characters ? line : `${line.slice(0, most.characters - 1).toWellFormed()}…`;
}
