import type { SummaryKind } from "../../tree/answers/record.ts";
import { keptTitle, requiredTitle, type SummaryRequest, titlesOf } from "../request/request.ts";
import { promptTexts } from "./texts.ts";

interface AskedFor extends Pick<SummaryRequest, "kind" | "label" | "space" | "budgetTokens" | "mustKeep" | "leftOut"> {
  readonly notes: string | undefined;
}

/** The version of the prompt. A change of any text needs a new version: answers are identified by what was asked. */
export function ruleOf(kind: SummaryKind): string {
  return kind === "root" || kind === "thread" ? `${kind}-prompt-1` : "node-prompt-2";
}

/** Sections with the text of another one. */
const alike: Readonly<Record<string, string>> = {
  "Major Decisions": "Key Decisions",
  "Completed Work": "Tasks Completed",
};

/** The instructions, without a line end at their end. */
export function printInstructions(asked: AskedFor): string {
  const { kind, mustKeep, leftOut, notes } = asked;
  const { shared, types, node, root, thread } = promptTexts;
  const values = {
    period: asked.label,
    tokens: String(asked.budgetTokens),
    lines: String(asked.space.lines),
    count: String(leftOut),
  };
  const own = kind === "thread" ? thread : kind === "root" ? root : node;
  const sections: Readonly<Record<string, string>> = kind === "root" ? root.sections : node.sections;
  const titles = titlesOf(kind).filter((title) => title !== keptTitle || mustKeep.length > 0);
  const headings = titles.map((title) => `- \`## ${title}\`: ${sections[alike[title] ?? title]}`);
  const ofTypes = {
    user: own.user,
    ...types,
    ...(kind === "root" ? { feedback: root.feedback, project: root.project } : {}),
  };
  const common = [shared.exclude, shared.exact, shared.invent, shared.language, shared.data];
  const isKept = mustKeep.length > 0 && own === node;
  const parts = [
    typeof own.task === "string" ? own.task : node.task[kind as keyof typeof node.task],
    shared.output,
    ...("headings" in own ? [[own.headings, ...headings].join("\n")] : []),
    `${own.item} ${own.budget}`,
    ...("choice" in own ? [own.choice] : []),
    [shared.rules, ...[...Object.values(ofTypes), ...common].map((rule) => `- ${rule}`)].join("\n"),
    ...(isKept ? [node.mustKeep] : []),
  ].map((text) => fillPrompt(text, values));
  if (isKept) parts.push(mustKeep.map(({ topic, type }) => `### ${topic} [${type}]`).join("\n"));
  if (leftOut > 0) parts.push(fillPrompt(shared.leftOut, values));
  if (notes !== undefined) parts.push(shared.notes, notes);
  return parts.join("\n\n");
}

export function printFrame({ kind, id }: { readonly kind: SummaryKind; readonly id: string }): {
  readonly before: string;
  readonly after: string;
} {
  const { before, after } = promptTexts.shared;
  const first = kind === "thread" ? "- #" : `## ${requiredTitle(kind)}`;
  return { before: fillPrompt(before, { id }), after: fillPrompt(after, { first }) };
}

/** A text with its values in place. A value is taken as it is, even when it contains braces. */
function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/gu, (mark, name: string) => values[name] ?? mark);
}
