import type { SummaryKind } from "../../tree/answers/record.ts";
import { keptTitle, requiredTitle, type SummaryRequest, titlesOf } from "../request/request.ts";
import { promptTexts } from "./texts.ts";

interface AskedFor extends Pick<SummaryRequest, "kind" | "label" | "space" | "budgetTokens" | "mustKeep" | "leftOut"> {
  readonly notes: string | undefined;
}

/** The version of the prompt. Any change to a text needs a new version, because answers are identified by their request. */
export function ruleOf(kind: SummaryKind): string {
  return kind === "root" || kind === "thread" ? `${kind}-prompt-1` : "node-prompt-2";
}

/** The instructions, without a trailing newline. */
export function printInstructions(asked: AskedFor): string {
  const { kind, mustKeep, leftOut, notes } = asked;
  const { shared, sections, task, node } = promptTexts;
  const own = kind === "root" || kind === "thread" ? promptTexts[kind] : node;
  const titles = titlesOf(kind).filter((title) => title !== keptTitle || mustKeep.length > 0);
  const headings = titles.map((title) => `- \`## ${title}\`: ${sections[title]}`);
  const rules = [...own.types, shared.exclude, shared.exact, shared.invent, shared.language, shared.data];
  const isKept = mustKeep.length > 0 && own === node;
  const values = {
    period: asked.label,
    tokens: String(asked.budgetTokens),
    lines: String(asked.space.lines),
    count: String(leftOut),
  };
  const fill = (text: string): string => fillPrompt(text, values);
  const parts = [
    fill(task[kind]),
    shared.output,
    [own.headings, ...headings].join("\n"),
    fill(`${own.item} ${own.budget}`),
    own.choice,
    [shared.rules, ...rules.map((rule) => `- ${rule}`)].join("\n"),
    ...(isKept ? [shared.mustKeep, mustKeep.map(({ topic, type }) => `### ${topic} [${type}]`).join("\n")] : []),
    leftOut > 0 ? fill(shared.leftOut) : "",
    ...(notes === undefined ? [] : [shared.notes, notes]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export function printFrame({ kind, id }: { readonly kind: SummaryKind; readonly id: string }): {
  readonly before: string;
  readonly after: string;
} {
  const { before, after } = promptTexts.shared;
  const first = kind === "thread" ? "- #" : `## ${requiredTitle(kind)}`;
  return { before: fillPrompt(before, { id }), after: fillPrompt(after, { first }) };
}

/** Inserts values into a text. Values are inserted verbatim, even if they contain braces. */
function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/gu, (mark, name: string) => values[name] ?? mark);
}
