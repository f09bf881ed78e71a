import type { ComparedVersion, DiffResult, TopicChange } from "../../../tree/versions/diff.ts";
import type { PullRequestComment } from "../../../tree/versions/pr-comment.ts";
import { aligned, counted, firstOf, type Screen } from "./layout.ts";

/** More rows would push the headline off the screen; `--json` lists all. */
const ROWS = 40;
const DAYS = 4;

export function renderDiff({ from, to, topics, root }: DiffResult, { paint }: Screen): string {
  const { added, changed, removed } = topics;
  const count = added.length + changed.length + removed.length;
  const lines = root.added.length + root.removed.length;
  const head = paint.title(`${versionText(from)} → ${versionText(to)}`);
  if (count + lines === 0) return `${head}\nNo difference.`;
  const rows = [
    ...added.map((one) => [paint.good("new"), ...topicRow(one)]),
    ...changed.map((one) => [paint.warn("changed"), ...topicRow(one)]),
    ...removed.map((one) => [paint.bad("gone"), ...topicRow(one)]),
  ];
  const sections = [...new Set([...root.removed, ...root.added].map(({ section }) => section))];
  const differing = sections.flatMap((section) => [
    `  ${paint.dim(section)}`,
    ...root.removed
      .filter((one) => one.section === section)
      .map(({ text }) => paint.bad(`- ${withoutMark(text)}`.trimEnd())),
    ...root.added
      .filter((one) => one.section === section)
      .map(({ text }) => paint.good(`+ ${withoutMark(text)}`.trimEnd())),
  ]);
  return [
    head,
    "",
    paint.title(`${counted(count, "topic")}: ${added.length} new, ${changed.length} changed, ${removed.length} gone`),
    ...firstOf(aligned(rows), ROWS),
    "",
    paint.title(`ROOT.md: ${counted(root.added.length, "line")} added, ${root.removed.length} removed`),
    ...firstOf(differing, ROWS),
  ].join("\n");
}

function withoutMark(line: string): string {
  return line.replace(/^- /u, "");
}

function versionText({ name, kind, commit }: ComparedVersion): string {
  if (kind === "now") return "the memory as it is";
  return commit === undefined ? name : `${name} (${commit.slice(0, 12)})`;
}

function topicRow({ topic, type, was_type, days }: TopicChange): readonly string[] {
  const types = was_type === undefined ? `[${type}]` : `[${was_type} → ${type}]`;
  const left = days.length - DAYS;
  const text = left <= 0 ? days.join(", ") : `${days.slice(0, DAYS).join(", ")} and ${left} more`;
  return [`${topic} ${types}`, text];
}

export function renderPullRequestComment({ text }: PullRequestComment): string {
  return text;
}
