import { type KeptEntry, keptTitle, requiredTitle, titlesOf } from "../request/request.ts";
import { type SummaryKind } from "../../tree/answers/record.ts";
import { en, type Language, type PromptTexts } from "./language.ts";
import { ja, ko, zh } from "./translations.ts";

export const promptTexts: Readonly<Record<Language, PromptTexts>> = { en, ko, ja, zh };

/** What the instructions of a request depend on. */
interface AskedFor {
  readonly kind: SummaryKind;
  readonly label: string;
  readonly space: { readonly lines: number; readonly bytes: number };
  readonly budgetTokens: number;
  readonly mustKeep: readonly KeptEntry[];
  /** Lines of the sources that are not sent. */
  readonly leftOut: number;
  readonly notes: string | undefined;
}

/** The version of the prompt. A change of any text needs a new version: answers are identified by what was asked. */
export function ruleOf(kind: SummaryKind): string {
  return kind === "root" || kind === "thread" ? `${kind}-prompt-1` : "node-prompt-2";
}

/** The instructions, without a line end at their end. */
export function printInstructions(asked: AskedFor, language: Language): string {
  const { shared } = promptTexts[language];
  const values = {
    period: asked.label,
    tokens: String(asked.budgetTokens),
    lines: String(asked.space.lines),
    count: String(asked.leftOut),
  };
  const { head, types, kept } = partsOf(asked, promptTexts[language]);
  const common = [shared.exclude, shared.exact, shared.invent, shared.language, shared.data];
  const rules = [shared.rules, ...[...Object.values(types), ...common].map((rule) => `- ${rule}`)].join("\n");
  const parts = [...head, rules, ...kept].map((text) => fillPrompt(text, values));
  if (asked.mustKeep.length > 0 && kept.length > 0)
    parts.push(asked.mustKeep.map(({ topic, type }) => `### ${topic} [${type}]`).join("\n"));
  if (asked.leftOut > 0) parts.push(fillPrompt(shared.leftOut, values));
  if (asked.notes !== undefined) parts.push(shared.notes, asked.notes);
  return parts.join("\n\n");
}

interface Parts {
  /** Above the rules. */
  readonly head: readonly string[];
  readonly types: Readonly<Record<string, string>>;
  /** Above the list of entries. */
  readonly kept: readonly string[];
}

function partsOf({ kind, mustKeep }: AskedFor, { shared, node, root, thread }: PromptTexts): Parts {
  if (kind === "thread") {
    const form = `${thread.item} ${thread.budget}`;
    return { head: [thread.task, shared.output, form, thread.choice], types: thread.types, kept: [] };
  }
  if (kind === "root") {
    const sections = titlesOf(kind).map(
      (title) => `- \`## ${title}\`: ${root.sections[title as keyof typeof root.sections]}`,
    );
    const headings = [root.headings, ...sections].join("\n");
    const form = `${root.item} ${root.budget}`;
    return { head: [root.task, shared.output, headings, form], types: root.types, kept: [] };
  }
  const sections = titlesOf(kind)
    .filter((title) => title !== keptTitle || mustKeep.length > 0)
    .map((title) => `- \`## ${title}\`: ${node.sections[title as keyof typeof node.sections]}`);
  return {
    head: [node.task[kind], shared.output, [node.headings, ...sections].join("\n"), `${node.item} ${node.budget}`],
    types: node.types,
    kept: mustKeep.length > 0 ? [node.mustKeep] : [],
  };
}

/** The lines before and after the sources. */
export function printFrame(
  asked: { readonly kind: SummaryKind; readonly id: string },
  language: Language,
): { readonly before: string; readonly after: string } {
  const { before, after } = promptTexts[language].shared;
  const first = asked.kind === "thread" ? "- #" : `## ${requiredTitle(asked.kind)}`;
  return { before: fillPrompt(before, { id: asked.id }), after: fillPrompt(after, { first }) };
}

/** A text with its values in place. A value is taken as it is, even when it contains braces. */
function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/gu, (mark, name: string) => values[name] ?? mark);
}
