import { keptTitle, nodeTitles, requiredTitle, rootTitles } from "../answers/sections.ts";
import type { KeptEntry, SummaryKind } from "../answers/request.ts";
import type { Language } from "./language.ts";
import { nodePromptEn } from "./node-prompt-en.ts";
import { nodePromptJa } from "./node-prompt-ja.ts";
import { nodePromptKo } from "./node-prompt-ko.ts";
import { nodePromptZh } from "./node-prompt-zh.ts";
import { fillPrompt, promptRules, type PromptTexts, type SharedTexts } from "./prompt.ts";
import { rootPromptEn } from "./root-prompt-en.ts";
import { rootPromptJa } from "./root-prompt-ja.ts";
import { rootPromptKo } from "./root-prompt-ko.ts";
import { rootPromptZh } from "./root-prompt-zh.ts";
import { sharedEn } from "./shared-en.ts";
import { sharedJa } from "./shared-ja.ts";
import { sharedKo } from "./shared-ko.ts";
import { sharedZh } from "./shared-zh.ts";
import { threadPromptEn } from "./thread-prompt-en.ts";
import { threadPromptJa } from "./thread-prompt-ja.ts";
import { threadPromptKo } from "./thread-prompt-ko.ts";
import { threadPromptZh } from "./thread-prompt-zh.ts";

/** All texts of the prompts. */
export const promptTexts: PromptTexts = {
  en: { shared: sharedEn, node: nodePromptEn, root: rootPromptEn, thread: threadPromptEn },
  ko: { shared: sharedKo, node: nodePromptKo, root: rootPromptKo, thread: threadPromptKo },
  ja: { shared: sharedJa, node: nodePromptJa, root: rootPromptJa, thread: threadPromptJa },
  zh: { shared: sharedZh, node: nodePromptZh, root: rootPromptZh, thread: threadPromptZh },
};

/** What the instructions of a request depend on. */
export interface AskedFor {
  readonly kind: SummaryKind;
  readonly label: string;
  readonly space: { readonly lines: number; readonly bytes: number };
  readonly budgetTokens: number;
  readonly mustKeep: readonly KeptEntry[];
  /** Lines of the sources that are not sent. */
  readonly leftOut: number;
  readonly notes: string | undefined;
}

/** The version of the prompt that asks for such a summary. */
export function ruleOf(kind: SummaryKind): string {
  return kind === "root" || kind === "thread" ? promptRules[kind] : promptRules.node;
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
  const { head, types, kept } = partsOf(asked, language);
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

function partsOf({ kind, mustKeep }: AskedFor, language: Language): Parts {
  const { shared, node, root, thread } = promptTexts[language];
  if (kind === "thread") {
    const form = `${thread.item} ${thread.budget}`;
    return { head: [thread.task, shared.output, form, thread.choice], types: thread.types, kept: [] };
  }
  if (kind === "root") {
    const sections = rootTitles.map((title) => `- \`## ${title}\`: ${root.sections[title]}`);
    const headings = [root.headings, ...sections].join("\n");
    const form = `${root.item} ${root.budget}`;
    return { head: [root.task, shared.output, headings, form], types: root.types, kept: [] };
  }
  const sections = nodeTitles[kind]
    .filter((title) => title !== keptTitle || mustKeep.length > 0)
    .map((title) => `- \`## ${title}\`: ${node.sections[title]}`);
  return {
    head: [node.task[kind], shared.output, [node.headings, ...sections].join("\n"), `${node.item} ${node.budget}`],
    types: node.types,
    kept: mustKeep.length > 0 ? [node.mustKeep] : [],
  };
}

/** What stands before and behind the sources. */
export function printFrame(
  asked: { readonly kind: SummaryKind; readonly id: string },
  language: Language,
): Pick<SharedTexts, "before" | "after"> {
  const { before, after } = promptTexts[language].shared;
  const first = asked.kind === "thread" ? "- #" : `## ${requiredTitle(asked.kind)}`;
  return { before: fillPrompt(before, { id: asked.id }), after: fillPrompt(after, { first }) };
}
