import type { Language } from "./language.ts";

/** The versions of the prompts. A change of any text needs a new version: answers are known by what was asked. */
export const promptRules = { node: "node-prompt-1", root: "root-prompt-1", thread: "thread-prompt-1" } as const;

export type PromptName = keyof typeof promptRules;

/** What every prompt of a language says. In all texts `{name}` stands for a value. */
export interface SharedTexts {
  readonly output: string;
  readonly exclude: string;
  readonly exact: string;
  readonly invent: string;
  readonly language: string;
  readonly data: string;
  /** Heading of the rules. */
  readonly rules: string;
  /** Says that lines were left out: `{count}`. */
  readonly leftOut: string;
  /** Above the notes of agents. */
  readonly notes: string;
  /** Before the sources: `{id}`. */
  readonly before: string;
  /** Behind the sources: `{first}`, the line that the answer begins with. */
  readonly after: string;
}

/** A summary of a node. */
export interface NodeTexts {
  /** `{period}`: what the summary is of. */
  readonly task: Readonly<Record<"daily" | "weekly" | "monthly", string>>;
  /** Above the list of the headings. */
  readonly headings: string;
  /** What belongs below each heading. */
  readonly sections: Readonly<Record<NodeTitle, string>>;
  /** The form of a line. */
  readonly item: string;
  /** `{tokens}`, `{lines}` */
  readonly budget: string;
  readonly types: Readonly<Record<"user" | "feedback" | "project" | "reference", string>>;
  /** Above the list of the entries that must be kept. */
  readonly mustKeep: string;
}

/** Three sections of ROOT.md. */
export interface RootTexts {
  readonly task: string;
  readonly headings: string;
  readonly sections: Readonly<Record<RootTitle, string>>;
  readonly item: string;
  readonly budget: string;
  readonly types: Readonly<Record<"user" | "feedback" | "project" | "reference", string>>;
}

/** The messages of a thread up to a cut. */
export interface ThreadTexts {
  /** `{period}`: the thread and the seq of the last message. */
  readonly task: string;
  readonly item: string;
  readonly choice: string;
  readonly budget: string;
  readonly types: Readonly<Record<"user" | "feedback" | "project" | "reference", string>>;
}

export interface LanguageTexts {
  readonly shared: SharedTexts;
  readonly node: NodeTexts;
  readonly root: RootTexts;
  readonly thread: ThreadTexts;
}

export type PromptTexts = Readonly<Record<Language, LanguageTexts>>;

export type NodeTitle =
  | "Topics"
  | "User and Feedback"
  | "Key Decisions"
  | "Tasks Completed"
  | "Lessons Learned"
  | "Open Items"
  | "Entities Referenced"
  | "Notes"
  | "Key Themes"
  | "Major Decisions"
  | "Completed Work"
  | "Recurring Entities"
  | "Lessons & Patterns"
  | "Carried Forward";

export type RootTitle = "Active Context" | "Recent Patterns" | "Historical Summary";

/** A text with its values in place. A value is taken as it is, also when it holds braces. */
export function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z_]+)\}/gu, (mark, name: string) => values[name] ?? mark);
}
